// SPDX-License-Identifier: MIT
#include "app/ui/words.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "app/picture/format.hpp"
#include "assets/assets.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace orrery {
namespace {

constexpr auto kLanguages = std::to_array<LanguageEntry>({
    {"auto", "As the desktop", "The language of the environment variables LC_ALL, LC_MESSAGES and LANG"},
    {"en", "English", "English"},
    {"de", "Deutsch", "German"},
    {"es", "Español", "Spanish"},
});

std::string_view shown_language = "en";
std::set<std::string, std::less<>> missing, put_together;
std::set<std::string, std::less<>> foreign, data_words;
bool checking = false;

std::string_view of_environment() {
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        const char* value = std::getenv(name);
        if (!value || !*value) continue;
        const std::string_view text{value};
        for (const LanguageEntry& entry : kLanguages)
            if (entry.id != "auto" && text.substr(0, 2) == entry.id &&
                (text.size() == 2 || text[2] == '_' || text[2] == '.' || text[2] == '@'))
                return entry.id;
        return "en";
    }
    return "en";
}

[[noreturn]] void wrong(std::string_view name, int line, std::string_view what) {
    usage_error(fmt::format("{}:{}: {}", name, line, what));
}

/// The content of a quoted string.
std::string unquoted(std::string_view text, std::string_view name, int line) {
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') wrong(name, line, "expected a text in quotes");
    std::string plain;
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
        if (text[i] != '\\') {
            plain += text[i];
            continue;
        }
        const char next = ++i + 1 < text.size() ? text[i] : '\0';
        if (next != '"' && next != '\\' && next != 'n') wrong(name, line, "expected \\\", \\\\ or \\n");
        plain += next == 'n' ? '\n' : next;
    }
    return plain;
}

/// The words of all translations in a language.
const std::set<std::string>& vocabulary(std::string_view language) {
    static std::map<std::string, std::set<std::string>, std::less<>> all;
    const auto known = all.find(language);
    if (known != all.end()) return known->second;
    std::set<std::string> words;
    for (const auto& [english, other] : catalogue(language))
        for (std::string& word : letters_of(other)) words.insert(std::move(word));
    return all.emplace(language, std::move(words)).first->second;
}

/// Two letters side by side: else a text is a key, a number or a symbol, the same in all languages.
bool has_words(std::string_view text) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    for (std::size_t i = 1; i < text.size(); ++i)
        if (is_letter(text[i - 1]) && is_letter(text[i])) return true;
    return false;
}

}  // namespace

std::span<const LanguageEntry> languages() { return kLanguages; }

void set_language(std::string_view language) {
    const auto found = std::ranges::find(kLanguages, language, &LanguageEntry::id);
    shown_language = found == kLanguages.end() || found->id == "auto" ? of_environment() : found->id;
    missing.clear(), put_together.clear(), foreign.clear();
}

std::string_view language() { return shown_language; }

Catalogue read_catalogue(std::string_view text, std::string_view name) {
    Catalogue all;
    std::optional<std::string> english, other;
    const auto finish = [&](int line) {
        if (!english) return;
        if (!other) wrong(name, line, "a msgid without a msgstr");
        if (!english->empty() && !all.emplace(*english, *other).second) wrong(name, line, "twice: " + *english);
        english.reset(), other.reset();
    };
    for (int number = 1; !text.empty(); ++number) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (line.empty() || line.front() == '#') continue;
        if (line.starts_with("msgid ")) {
            finish(number);
            english = unquoted(line.substr(6), name, number);
        } else if (line.starts_with("msgstr ") && english && !other) {
            other = unquoted(line.substr(7), name, number);
        } else if (line.front() == '"' && english) {
            (other ? *other : *english) += unquoted(line, name, number);
        } else {
            wrong(name, number, "expected msgid or msgstr");
        }
    }
    finish(0);
    return all;
}

const Catalogue& catalogue(std::string_view language) {
    static std::map<std::string, Catalogue, std::less<>> all;
    const auto known = all.find(language);
    if (known != all.end()) return known->second;
    const std::string name = fmt::format("language/{}.po", language);
    return all.emplace(language, language == "en" ? Catalogue{} : read_catalogue(assets::file(name), name))
        .first->second;
}

std::string translated(std::string text) {
    constexpr std::size_t kMost = 2000;  // texts with numbers change: old ones are no longer looked up
    if (shown_language == "en") return text;
    if (put_together.size() > kMost) put_together.clear();
    put_together.insert(text);
    return text;
}

std::string verbatim(std::string text) {
    if (checking)
        for (std::string& word : letters_of(text)) data_words.insert(std::move(word));
    return translated(std::move(text));
}

std::string count_phrase(std::uint64_t number, std::string_view one) {
    if (number == 1) return translated(std::string{tr(fmt::format("1 {}", one))});
    return phrase(fmt::format("{{}} {}s", one), grouped(number));
}

std::string bodies_in_words(std::size_t number) {
    return number == 1 ? translated(std::string{tr("1 body")}) : phrase("{} bodies", grouped(number));
}

std::string in_local_unit(std::string_view text) {
    const std::size_t unit = text.rfind(' ') + 1;  // 0 without a blank
    return translated(std::string{text.substr(0, unit)} + std::string{if_known(text.substr(unit))});
}

std::string age_phrase(std::chrono::steady_clock::time_point then, std::int64_t steps) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
    return translated(fmt::format("{:.1f} s, {}", seconds,
                                  count_phrase(static_cast<std::uint64_t>(std::max<std::int64_t>(steps, 0)), "step")));
}

std::string_view if_known(std::string_view english) {
    if (shown_language == "en") return english;
    const Catalogue& words = catalogue(shown_language);
    const auto found = words.find(english);
    return found == words.end() ? english : std::string_view{found->second};
}

std::string_view tr(std::string_view english) {
    if (shown_language == "en" || english.empty()) return english;
    const Catalogue& words = catalogue(shown_language);
    const auto found = words.find(english);
    if (found != words.end()) return found->second;
    constexpr std::size_t kMostMissing = 4000;  // a text with a number may change in each frame
    if (missing.size() < kMostMissing && has_words(english) && !put_together.contains(english) &&
        !missing.contains(english))
        missing.emplace(english);
    return english;
}

std::string in_parts(std::string_view english) {
    const std::size_t colon = english.find(": ");
    if (shown_language == "en" || colon == english.npos || if_known(english) != english)
        return std::string{tr(english)};
    return std::string{tr(english.substr(0, colon))} + ": " + std::string{tr(english.substr(colon + 2))};
}

const std::set<std::string, std::less<>>& untranslated() { return missing; }

void check_words() { checking = true; }
bool checks_words() { return checking; }
const std::set<std::string, std::less<>>& foreign_words() { return foreign; }

void note_drawn(std::string_view word, std::string_view line) {
    constexpr std::size_t kMostForeign = 1000;
    if (shown_language == "en" || foreign.size() >= kMostForeign) return;
    // A closed list leaves out the last letters of a choice that is too long, here of data: "(lambda)".
    const auto is_cut_data = [&](const std::string& part) {
        const auto whole = data_words.lower_bound(part);
        return line.ends_with(part) && whole != data_words.end() && whole->starts_with(part);
    };
    for (const std::string& each : letters_of(word))
        if (!vocabulary(shown_language).contains(each) && !data_words.contains(each) && !is_cut_data(each))
            foreign.insert(fmt::format("{}: {}", word, line));
}

bool is_letter(char32_t code) {
    constexpr char32_t micro = 0xB5, times = 0xD7, divided = 0xF7, latin = 0xC0, after_cyrillic = 0x530;
    if (code < 0x80) return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
    return code == micro || (code >= latin && code < after_cyrillic && code != times && code != divided);
}

std::vector<std::string> letters_of(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    int letters = 0;
    const auto end_word = [&] {
        if (letters >= 2) words.push_back(word);
        word.clear(), letters = 0;
    };
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i]);
        const std::size_t bytes = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        const std::string_view sign = text.substr(i, bytes);
        i += bytes;
        // Longer sequences are signs: punctuation, arrows, subscripts.
        const char32_t code = bytes == 1                       ? first
                              : bytes == 2 && sign.size() == 2 ? (first & 0x1Fu) << 6 | (sign[1] & 0x3Fu)
                                                               : U'—';
        if (!is_letter(code)) {
            end_word();
            continue;
        }
        word += bytes == 1 ? lower_case(sign) : std::string{sign};
        ++letters;
    }
    end_word();
    return words;
}

}  // namespace orrery
