// SPDX-License-Identifier: MIT
#include "core/formats/csv_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/base/text.hpp"
#include "core/formats/csv_text.hpp"

namespace orrery::csv_text {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Returns "x" for "1:x", the way plotting programs number columns.
std::string_view without_number(std::string_view title) {
    std::size_t digits = 0;
    while (digits < title.size() && is_digit(title[digits])) ++digits;
    return digits > 0 && digits < title.size() && title[digits] == ':' ? title.substr(digits + 1) : title;
}

/// Returns the name in kTitles for any of the names that programs use.
std::string plain_title(std::string title) {
    constexpr std::string_view kPrefix = "particle_";
    if (title.starts_with(kPrefix)) title.erase(0, kPrefix.size());
    if (title == "mass" || title == "masses") return "m";
    for (const char axis : {'x', 'y', 'z'}) {
        const std::string a{axis};
        for (const std::string& word : {"pos_" + a, "pos" + a, "position_" + a, a + "_pos"})
            if (title == word) return a;
        for (const std::string& word : {"v_" + a, "vel_" + a, "vel" + a, "velocity_" + a, "v" + a + "_vel"})
            if (title == word) return "v" + a;
    }
    return title;
}

bool is_time(std::string_view title) {
    constexpr std::array<std::string_view, 10> kTimes{"time", "t",    "epoch", "date",     "jd",
                                                      "mjd",  "step", "frame", "snapshot", "snap"};
    return std::ranges::find(kTimes, title) != kTimes.end();
}

/// True if `title` should be preferred as the time column: "time" and "t" over "step" and the like.
bool is_better_time(std::string_view title, std::string_view than) {
    const auto clock = [](std::string_view each) { return each == "time" || each == "t"; };
    return than.empty() || (clock(title) && !clock(than));
}

}  // namespace

Columns behind_index(Columns columns) {
    const auto shift = [](std::size_t& place) { place += place == kNoColumn ? 0 : 1; };
    for (std::size_t& place : columns.quantity) shift(place);
    for (std::size_t* place : {&columns.name, &columns.id, &columns.species, &columns.charge, &columns.time})
        shift(*place);
    ++columns.count;
    columns.index = true;
    return columns;
}

Titles read_titles(std::span<const std::string> titles) {
    Titles result;
    Columns& columns = result.columns;
    columns.quantity.fill(kNoColumn);
    columns.count = titles.size();
    for (std::size_t i = 0; i < titles.size(); ++i) {
        std::string title{without_number(titles[i])};
        std::string unit = unit_behind(title);
        title = plain_title(lower_case(title));
        const auto found = std::ranges::find(kTitles, title);
        std::size_t* place = title == "name"      ? &columns.name
                             : title == "id"      ? &columns.id
                             : title == "species" ? &columns.species
                             : title == "charge"  ? &columns.charge
                                                  : nullptr;
        if (found != kTitles.end()) {
            const auto k = static_cast<std::size_t>(found - kTitles.begin());
            place = &columns.quantity[k];
            if (!whole(unit)) columns.units[k] = std::move(unit);  // "x(3)" numbers a column
        }
        if (is_time(title) && is_better_time(title, columns.time_title)) columns.time = i, columns.time_title = title;
        if (!place) continue;
        if (*place != kNoColumn) result.wrong = fmt::format("column {} occurs twice", title);
        *place = i;
    }
    const auto missing = [&](std::size_t k) { return columns.quantity[k] == kNoColumn; };
    result.has_position = !missing(1) && !missing(2) && !missing(3);
    for (std::size_t k = 0; k < kTitles.size() && result.wrong.empty(); ++k)
        if (missing(k))
            result.wrong = fmt::format("expected columns m, x, y, z, vx, vy, vz; {} is missing", kTitles[k]);
    return result;
}

std::vector<std::string> words_of(std::string_view comment) {
    constexpr std::string_view kBetween = " \t\r,;|";
    std::vector<std::string> words;
    for (std::size_t i = 0; i < comment.size();) {
        if (kBetween.find(comment[i]) != std::string_view::npos) {
            ++i;
            continue;
        }
        const bool bracket = comment[i] == '[' || comment[i] == '(';
        std::size_t end = i;
        for (char close = 0; end < comment.size(); ++end) {
            const char c = comment[end];
            if (close == 0 && kBetween.find(c) != std::string_view::npos) break;
            if (close == 0 && (c == '[' || c == '(')) close = c == '[' ? ']' : ')';
            if (c == close) close = 0;
        }
        std::string word = unquoted(comment.substr(i, end - i));
        if (bracket && !words.empty())
            words.back() += word;
        else
            words.push_back(std::move(word));
        i = end;
    }
    return words;
}

namespace {

/// Takes the units from a line below the titles: "kpc kpc kpc km/s km/s km/s Msun".
void take_units(Titles& titles, const std::vector<std::string>& words, std::size_t count) {
    const auto& at = titles.columns.quantity;
    if (words.size() != count || std::ranges::any_of(at, [](std::size_t i) { return i == kNoColumn; })) return;
    const auto same = [&](std::size_t a, std::size_t b) { return words[at[a]] == words[at[b]]; };
    if (!same(1, 2) || !same(1, 3) || !same(4, 5) || !same(4, 6)) return;
    if (std::ranges::any_of(words, [](const std::string& word) { return number(word).has_value(); })) return;
    for (std::size_t k = 0; k < at.size(); ++k)
        if (titles.columns.units[k].empty()) {
            std::string word = words[at[k]];
            if (word.size() > 2 && (word.front() == '[' || word.front() == '(')) word = word.substr(1, word.size() - 2);
            titles.columns.units[k] = word;
        }
}

/// Finds the titles among `words`, as `count` consecutive words.
std::optional<Titles> titles_among(const std::vector<std::string>& words, std::size_t count) {
    for (std::size_t first = 0; first + count <= words.size(); ++first)
        if (Titles titles = read_titles(std::span{words}.subspan(first, count)); titles.wrong.empty()) return titles;
    if (words.size() != count) return std::nullopt;
    Titles titles = read_titles(words);
    return titles.has_position ? std::optional{std::move(titles)} : std::nullopt;
}

}  // namespace

std::optional<Titles> titles_in(std::span<const std::string> comments, std::size_t count, bool index) {
    for (std::size_t i = comments.size(); i-- > 0;) {
        const std::vector<std::string> words = words_of(comments[i]);
        std::optional<Titles> titles = titles_among(words, count);
        if (!titles && index && words.size() + 1 == count) {
            titles = read_titles(words);
            if (!titles->wrong.empty()) titles.reset();
        }
        if (!titles) continue;
        if (i + 1 < comments.size()) take_units(*titles, words_of(comments[i + 1]), words.size());
        if (titles->columns.count < count) titles->columns = behind_index(titles->columns);
        return titles;
    }
    return std::nullopt;
}

}  // namespace orrery::csv_text
