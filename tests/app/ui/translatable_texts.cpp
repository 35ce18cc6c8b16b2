// SPDX-License-Identifier: MIT
#include "tests/app/ui/translatable_texts.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace orrery::test {
namespace {

/// Functions that translate their first argument, and those of menus and of Widgets, which translate all: labels,
/// values and tips. Widgets' functions count only as members of `ui`, because others have the same names.
constexpr std::array kFunctions{"tr", "phrase", "in_parts", "wrapped", "file", "failure", "notice", "note", "heading"};
constexpr std::array kMenus{"menu_combo", "choose_from"};
constexpr std::array kWidgets{"button",      "toggle",       "value",        "name",       "progress",
                              "slider",      "whole_number", "typed_real",   "typed_time", "text",
                              "begin_combo", "typed_number", "fold",         "tab",        "choice",
                              "canvas",      "path",         "small_number", "primary"};

bool is_identifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Returns the position after the literal that begins here and appends its text to `text`.
std::size_t after_literal(std::string_view source, std::size_t at, std::string& text) {
    for (++at; at < source.size() && source[at] != '"'; ++at) {
        if (source[at] != '\\') {
            text += source[at];
            continue;
        }
        ++at;
        text += source[at] == 'n' ? '\n' : source[at];
    }
    return at + 1;
}

std::size_t after_blanks(std::string_view source, std::size_t at) {
    while (at < source.size() && std::isspace(static_cast<unsigned char>(source[at]))) ++at;
    return at;
}

void keep(std::set<std::string>& texts, std::string text) {
    text.resize(std::min(text.size(), text.find("###")));
    for (std::size_t i = 0; i + 1 < text.size(); ++i)
        if (std::isalpha(static_cast<unsigned char>(text[i])) &&
            std::isalpha(static_cast<unsigned char>(text[i + 1]))) {
            texts.insert(std::move(text));
            return;
        }
}

/// Collects the literals of the argument that begins here, or of all arguments; adjacent literals are one text.
/// Arguments of nested calls are left to those calls.
void literals_of_arguments(std::string_view source, std::size_t at, bool all, std::set<std::string>& texts) {
    int depth = 0;
    while (at < source.size()) {
        const char c = source[at];
        if (c == '"') {
            std::string text;
            do at = after_blanks(source, after_literal(source, at, text));
            while (at < source.size() && source[at] == '"');
            if (depth == 0) keep(texts, std::move(text));
            continue;
        }
        if (c == '\'') {
            at += source[at + 1] == '\\' ? 4 : 3;
            continue;
        }
        if (c == '(' || c == '[' || c == '{') ++depth;
        if ((c == ')' || c == ']' || c == '}') && --depth < 0) return;
        if (c == ',' && depth == 0 && !all) return;
        ++at;
    }
}

std::string without_comments(std::string_view source) {
    std::string plain;
    bool in_literal = false;
    for (std::size_t i = 0; i < source.size(); ++i) {
        if (!in_literal && source.substr(i).starts_with("//")) {
            i = source.find('\n', i);
            if (i == std::string_view::npos) break;
        }
        if (source[i] == '"' && (i == 0 || (source[i - 1] != '\\' && source[i - 1] != '\''))) in_literal = !in_literal;
        plain += source[i];
    }
    return plain;
}

}  // namespace

std::set<std::string> translatable_texts(std::string_view commented) {
    const std::string source = without_comments(commented);
    std::set<std::string> texts;
    const auto take = [&](const std::string& call, bool member, bool all) {
        for (std::size_t at = source.find(call); at != std::string::npos; at = source.find(call, at + 1))
            if (member || at == 0 || !is_identifier(source[at - 1]))
                literals_of_arguments(source, at + call.size(), all, texts);
    };
    for (const char* function : kFunctions) take(std::string{function} + '(', false, false);
    for (const char* menu : kMenus) take(std::string{menu} + '(', false, true);
    for (const char* widget : kWidgets) take("ui." + std::string{widget} + '(', true, true);
    return texts;
}

}  // namespace orrery::test
