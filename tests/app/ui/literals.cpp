// SPDX-License-Identifier: MIT
#include "tests/app/ui/literals.hpp"

#include <bit>
#include <cctype>
#include <stdexcept>
#include <string>

namespace orrery::test {
namespace {

/// A cursor in a source text.
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
    /// Consumes the text up to and including `end`.
    std::string_view take_to(std::string_view end) {
        const std::size_t found = rest_.find(end);
        return take(found == std::string_view::npos ? rest_.size() : found + end.size());
    }

private:
    std::string_view rest_;
};

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

/// Reads a quoted literal; the cursor is at its opening quote.
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
            throw std::runtime_error{"a literal contains a \\u escape: write the character itself"};
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
            throw std::runtime_error{"not UTF-8"};
        for (int k = 1; k < bytes; ++k) {
            const auto byte = static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]);
            if (byte >> 6 != 2) throw std::runtime_error{"not UTF-8"};
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
        } else if (is_word(source.next())) {  // a whole word: digit separators (1'000) are not quotes, and R"( within a
                                              // word starts no raw literal
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
