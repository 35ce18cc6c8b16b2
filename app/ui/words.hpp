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

namespace orrery {

// Words of the window in other languages. A text is looked up by what it is in English, as gettext does; catalogues are
// files of gettext (PO) in assets/language, which are part of the program. What a catalogue lacks stays English. For
// the thread of the window.

struct LanguageEntry {
    std::string_view id, label, doc;
};
std::span<const LanguageEntry> languages();  ///< with "auto", the language of the environment

/// From now on. "auto": by LC_ALL, LC_MESSAGES or LANG, the first that is set, as setlocale(3) says.
void speak(std::string_view language);
std::string_view spoken();  ///< id, never "auto"

/// The text in the language that is spoken. Lives as long as the program, or as `english` does.
std::string_view tr(std::string_view english);

/// A text that has been translated as it was put together: tr() leaves it as it is.
std::string told(std::string text);
/// The same of a pattern of fmt, filled in.
template <class... Arguments>
std::string phrase(std::string_view english, const Arguments&... arguments) {
    return told(fmt::vformat(tr(english), fmt::make_format_args(arguments...)));
}

/// "1 snapshot", "21 snapshots": a number of what `one` names in English.
std::string told_count(std::uint64_t number, std::string_view one);

std::string bodies_in_words(std::size_t number);  ///< "1 body", "2 048 bodies"
/// "4.6 s, 15 steps": the age of a state.
std::string told_age(std::chrono::steady_clock::time_point then, std::int64_t steps);

/// The same, but a text that no catalogue has, such as a name or a number, is none that is missing.
std::string_view if_known(std::string_view english);

/// Of "Scene: Cold collapse" both parts, where the whole is in no catalogue.
std::string in_parts(std::string_view english);

/// What tr() was asked for and does not know, while another language than English is spoken.
const std::set<std::string, std::less<>>& untranslated();

/// English texts and what they are in another language.
using Catalogue = std::map<std::string, std::string, std::less<>>;
const Catalogue& catalogue(std::string_view language);
/// Of a PO file: msgid, msgstr, strings over several lines, comments; no contexts, no plurals. Throws Error{kUsage}
/// naming the line.
Catalogue read_catalogue(std::string_view text, std::string_view name);

}  // namespace orrery
