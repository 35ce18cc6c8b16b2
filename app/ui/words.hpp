// SPDX-License-Identifier: MIT
#pragma once
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

// Translation of the window's texts. A text is looked up by its English version, as in gettext; catalogues are gettext
// files (PO) in assets/language, embedded in the program. Texts missing in a catalogue stay English. For the window's
// thread only.

struct LanguageEntry {
    std::string_view id, label, doc;
};
std::span<const LanguageEntry> languages();  ///< including "auto", the language of the environment

/// Sets the language from now on. "auto": the first of LC_ALL, LC_MESSAGES and LANG that is set, as in setlocale(3).
void set_language(std::string_view language);
std::string_view language();  ///< id, never "auto"

/// The text in the current language. Valid as long as the program runs, or as long as `english` is.
std::string_view tr(std::string_view english);

/// Marks a text as translated, so that tr() returns it unchanged.
std::string translated(std::string text);
/// Marks data, such as the name of a file, of a body or of an engine: the same in all languages.
std::string verbatim(std::string text);
/// Translates a pattern of fmt and fills it in.
template <class... Arguments>
std::string phrase(std::string_view english, const Arguments&... arguments) {
    return translated(fmt::vformat(tr(english), fmt::make_format_args(arguments...)));
}

/// "1 snapshot", "21 snapshots": `one` is the English singular.
std::string count_phrase(std::uint64_t number, std::string_view one);

std::string bodies_in_words(std::size_t number);  ///< "1 body", "2 048 bodies"
/// "1.06 yr" with the unit, its last word, translated.
std::string in_local_unit(std::string_view text);
/// "4.6 s, 15 steps": the age of a state.
std::string age_phrase(std::chrono::steady_clock::time_point then, std::int64_t steps);

/// Like tr(), but a text without a translation, such as a name or a number, is not reported as missing.
std::string_view if_known(std::string_view english);

/// Translates both parts of "Scene: Cold collapse" if no catalogue has the whole.
std::string in_parts(std::string_view english);

/// Texts that tr() could not translate since the language was set, without keys and numbers.
const std::set<std::string, std::less<>>& untranslated();

// The check of drawn words, for tests: each must occur in a translation or in verbatim() data, so a text that bypasses
// tr() is found by its words. An English word that the other language also has escapes it.

/// Remembers verbatim() texts from now on.
void check_words();
bool checks_words();
/// Records a drawn word that no translation of the current language and no data contains, as "word: line".
void note_drawn(std::string_view word, std::string_view line);
/// The words recorded since the language was set.
const std::set<std::string, std::less<>>& foreign_words();
/// The words of a text in lower case: two letters or more of Latin, Greek or Cyrillic.
std::vector<std::string> letters_of(std::string_view text);
bool is_letter(char32_t code);

/// English texts and their translations.
using Catalogue = std::map<std::string, std::string, std::less<>>;
const Catalogue& catalogue(std::string_view language);
/// Parses a PO file: msgid, msgstr, strings over several lines, comments; no contexts, no plurals. Throws Error{kUsage}
/// naming the line.
Catalogue read_catalogue(std::string_view text, std::string_view name);

}  // namespace orrery
