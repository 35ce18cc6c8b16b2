// SPDX-License-Identifier: MIT
#include "tests/app/ui/literals.hpp"

#include <bit>
#include <cctype>
#include <stdexcept>
#include <string>

namespace orrery::test {
namespace {

/// A place in a source, which moves on as its parts are taken.
class Source {
public:
    explicit Source(std::string_view text) : rest_{text} {}

    bool done() const { return rest_.empty(); }
    char next() const { return rest_.front(); }
    bool at(std::string_view text) const { return rest_.starts_with(text); }
    std::string_view take(std::size_t count) {
        const std::string_view taken = rest_.substr(0, count);
        rest_.remove_prefix(taken.size());
        return taken;
    }
    /// Up to `end` and with it.
    std::string_view take_to(std::string_view end) {
        const std::size_t found = rest_.find(end);
        return take(found == std::string_view::npos ? rest_.size() : found + end.size());
    }

private:
    std::string_view rest_;
};

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

/// What stands between quotes; the first one is still there.
std::string quoted(Source& source) {
    const char quote = source.next();
    std::string text;
    source.take(1);
    while (!source.done() && source.next() != quote) {
        if (source.next() != '\\') {
            text += source.take(1);
            continue;
        }
        const std::string_view escape = source.take(2);
        if (escape == "\\u" || escape == "\\U")
            throw std::runtime_error{"a character in a literal is written as an escape"};
        if (escape == "\\x")
            while (!source.done() && std::isxdigit(static_cast<unsigned char>(source.next()))) source.take(1);
    }
    source.take(1);
    return text;
}

std::string raw(Source& source) {
    source.take(2);  // R"
    const std::string_view delimiter = source.take_to("(");
    std::string end{")"};
    end.append(delimiter.substr(0, delimiter.size() - 1)).append("\"");
    const std::string_view text = source.take_to(end);
    return std::string{text.substr(0, text.size() - end.size())};
}

}  // namespace

std::set<char32_t> characters_of(std::string_view text) {
    std::set<char32_t> found;
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i]);
        const int bytes = first < 0x80 ? 1 : std::countl_one(first);
        char32_t letter = first < 0x80 ? first : first & (0x7fu >> bytes);
        if (bytes > 4 || (first >= 0x80 && bytes == 1) || i + static_cast<std::size_t>(bytes) > text.size())
            throw std::runtime_error{"no UTF-8"};
        for (int k = 1; k < bytes; ++k) {
            const auto byte = static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]);
            if (byte >> 6 != 2) throw std::runtime_error{"no UTF-8"};
            letter = letter << 6 | (byte & 0x3fu);
        }
        found.insert(letter);
        i += static_cast<std::size_t>(bytes);
    }
    return found;
}

std::set<char32_t> characters_of_literals(std::string_view text) {
    Source source{text};
    std::string all;
    while (!source.done()) {
        if (source.at("//")) {
            source.take_to("\n");
        } else if (source.at("/*")) {
            source.take_to("*/");
        } else if (source.at("R\"")) {
            all += raw(source);
        } else if (source.next() == '"') {
            all += quoted(source);
        } else if (source.next() == '\'') {
            quoted(source);
        } else if (is_word(source.next())) {  // whole: the quotes of 1'000 are none, nor does R"( begin in a word
            while (!source.done() && (is_word(source.next()) || source.next() == '\'')) {
                if (source.at("R\"")) break;
                source.take(1);
            }
        } else {
            source.take(1);
        }
    }
    return characters_of(all);
}

}  // namespace orrery::test
