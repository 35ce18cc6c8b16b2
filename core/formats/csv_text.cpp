// SPDX-License-Identifier: MIT
#include "core/formats/csv_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <type_traits>
#include <utility>

#include "core/base/menu.hpp"
#include "core/base/text.hpp"
#include "core/physics/pair_law.hpp"
#include "core/physics/units.hpp"

namespace orrery::csv_text {
namespace {

constexpr std::string_view kBlanks = " \t\r";

/// Position of the next separator from `from` on, or of the end of the line. Quotes count only at the start of a field.
std::size_t end_of_field(std::string_view line, char separator, std::size_t from) {
    std::size_t i = std::min(line.find_first_not_of(separator == '\t' ? " \r" : kBlanks, from), line.size());
    if (i < line.size() && line[i] == '"') {
        for (++i; i < line.size(); ++i) {
            if (line[i] != '"') continue;
            if (i + 1 < line.size() && line[i + 1] == '"')
                ++i;
            else
                break;
        }
    }
    const std::string_view stops = separator == ' ' ? std::string_view{" \t"} : std::string_view{&separator, 1};
    return std::min(line.find_first_of(stops, std::min(i, line.size())), line.size());
}

/// Parses a leading number and leaves the rest in `text`; empty if there is none.
std::optional<double> leading_number(std::string_view& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

/// The signed digits of an exponent such as "D+03", "d3", "Q3" or "*^3", or of "-103" (three digits after a number with
/// a point); empty if there is none.
std::string_view foreign_exponent(std::string_view behind, bool with_point) {
    const std::string_view exponent = behind.starts_with("*^") ? behind.substr(2) : behind.substr(1);
    if (behind.starts_with("*^") || std::string_view{"dDqQ"}.find(behind.front()) != std::string_view::npos)
        return exponent;
    const bool is_sign = behind.front() == '+' || behind.front() == '-';
    return is_sign && with_point && behind.size() == 4 ? behind : std::string_view{};
}

}  // namespace

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string without_blanks(std::string_view text) {
    std::string result{text};
    std::erase_if(result, [](char c) { return kBlanks.find(c) != std::string_view::npos; });
    return result;
}

std::string shown(std::string_view text) {
    constexpr std::size_t kMost = 40;
    std::string result{text.substr(0, kMost)};
    for (char& c : result)
        if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) >= 127) c = '?';
    return text.size() > kMost ? result + "..." : result;
}

char separator_of(std::string_view line) {
    constexpr std::size_t kQuantities = 7;  // fewer tabs than this are treated as blanks
    if (end_of_field(line, ';', 0) != line.size()) return ';';
    Fields fields;
    split(line, '\t', fields);
    // Commas at the ends of fields are separators, and tabs are then blanks; other commas are decimal or part of names.
    const bool tabs = fields.size() >= kQuantities &&
                      std::ranges::none_of(fields, [](std::string_view field) { return field.ends_with(','); });
    if (tabs) return '\t';
    if (end_of_field(line, ',', 0) != line.size()) return ',';
    return ' ';
}

void split(std::string_view line, char separator, Fields& fields) {
    fields.clear();
    for (std::size_t from = 0; from <= line.size();) {
        const std::size_t end = end_of_field(line, separator, from);
        const std::string_view field = trimmed(line.substr(from, end - from));
        if (separator != ' ' || !field.empty()) fields.push_back(field);
        from = end + 1;
    }
}

std::string unquoted(std::string_view field) {
    if (field.size() < 2 || field.front() != '"' || field.back() != '"') return std::string{field};
    std::string result;
    for (std::size_t i = 1; i + 1 < field.size(); ++i) {
        result += field[i];
        if (field[i] == '"' && field[i + 1] == '"') ++i;
    }
    return result;
}

std::string quoted(std::string_view name) {
    const bool plain = !name.empty() && name.find_first_of(" \t\r,;\"#") == std::string_view::npos;
    if (plain) return std::string{name};
    std::string result = "\"";
    for (const char c : name) result.append(c == '"' ? 2 : 1, c);
    return result + '"';
}

std::string unit_behind(std::string& title) {
    const std::size_t open = title.find_first_of("[(");
    if (open == std::string::npos || open == 0) return {};
    if (title.back() != (title[open] == '[' ? ']' : ')')) return {};
    std::string unit{trimmed(std::string_view{title}.substr(open + 1, title.size() - open - 2))};
    title = trimmed(std::string_view{title}.substr(0, open));
    return unit;
}

std::optional<std::uint64_t> whole(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<double> number(std::string_view text) {
    if (text.size() > 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
        text = trimmed(text.substr(1, text.size() - 2));
    if (text.size() > 1 && text.front() == '+' && text[1] != '-')
        text.remove_prefix(1);  // from_chars rejects a plus sign
    std::string_view behind = text;
    const auto value = leading_number(behind);
    if (!value || behind.empty()) return value;
    const std::string_view mantissa = text.substr(0, text.size() - behind.size());
    if (mantissa.find_first_of("eEnN") != std::string_view::npos) return std::nullopt;  // or inf, nan
    const std::string_view exponent = foreign_exponent(behind, mantissa.find('.') != std::string_view::npos);
    if (exponent.empty()) return std::nullopt;
    const std::string standard = std::string{mantissa} + 'e' + std::string{exponent};
    std::string_view rest = standard;
    const auto whole_value = leading_number(rest);
    return rest.empty() ? whole_value : std::nullopt;
}

std::optional<double> number_with_comma(std::string_view text) {
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos || text.find_first_of(",.", comma + 1) != std::string_view::npos ||
        text.substr(0, comma).find('.') != std::string_view::npos)
        return std::nullopt;
    std::string with_point{text};
    with_point[comma] = '.';
    return number(with_point);
}

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

/// True if T is a temperature: where other titles have small letters, t is the time.
bool is_temperature(std::string_view title, std::span<const std::string> titles) {
    const auto small = [](const std::string& each) {
        return std::ranges::any_of(each, [](char c) { return c >= 'a' && c <= 'z'; });
    };
    return title == "T" && std::ranges::any_of(titles, small);
}

/// True if `title` should be preferred as the time column: "time" and "t" over "step" and the like.
bool is_better_time(std::string_view title, std::string_view than) {
    const auto clock = [](std::string_view each) { return each == "time" || each == "t"; };
    return than.empty() || (clock(title) && !clock(than));
}

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

/// A number in square brackets is a component, "B[2]"; one in round brackets numbers the column, "temp(8)".
void add_other(Columns& columns, std::size_t column, std::string_view title) {
    std::string name{without_number(title)};
    std::string unit = unit_behind(name);
    if (whole(unit) && title.ends_with(']')) name = without_number(title);
    if (whole(unit)) unit.clear();
    if (!name.empty() && std::ranges::find(columns.others, name, &OtherColumn::name) == columns.others.end())
        columns.others.push_back({column, std::move(name), std::move(unit)});
}

struct Refusal {
    std::string why;
};

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> why, Args&&... args) {
    throw Refusal{fmt::format(why, std::forward<Args>(args)...)};
}

void take_setting(std::string_view word, Said& said) {
    const std::size_t equals = word.find('=');
    const std::string_view key = word.substr(0, equals);
    if (key == "length_unit" || key == "mass_unit") {
        if (equals == std::string_view::npos || equals + 1 == word.size()) refuse("expected {}=WORD", key);
        (key == "length_unit" ? said.length_unit : said.mass_unit) = word.substr(equals + 1);
        return;
    }
    if (key == "law") {
        const auto law =
            std::ranges::find(pair_laws(), word.substr(std::min(equals, word.size() - 1) + 1), &PairLawEntry::id);
        if (law == pair_laws().end()) refuse("expected law={}, found \"{}\"", ids(pair_laws()), shown(word));
        said.law = law->value;
        return;
    }
    const auto found = equals == std::string_view::npos ? std::nullopt : number(word.substr(equals + 1));
    const double value = found.value_or(std::numeric_limits<double>::quiet_NaN());  // outside every range below
    const auto set = [&](auto& to, bool good, const char* expected) {
        if (!good) refuse("expected {} {}, found \"{}\"", key, expected, shown(word));
        to = static_cast<typename std::remove_reference_t<decltype(to)>::value_type>(value);
    };
    const bool finite = std::isfinite(value);
    const auto counts = [&](double most) {
        return finite && value >= 1 && value <= most && value == std::floor(value);
    };
    if (key == "bodies")
        set(said.bodies, counts(1e15), "to be a count");
    else if (key == "steps_per_frame")
        set(said.steps_per_frame, counts(1e6), "to be a count up to 1000000");
    else if (key == "G")
        set(said.constant, finite && value > 0, "to be positive");
    else if (key == "softening")
        set(said.softening, finite && value >= 0, "not to be negative");
    else if (key == "sigma" || key == "cut_off")
        set(key == "sigma" ? said.sigma : said.cut_off, finite && value >= 0, "not to be negative");
    else if (key == "dt")
        set(said.dt, finite && value > 0, "to be positive");
    else if (key == "time")
        set(said.time, finite, "to be finite");
    else if (key == "scale_factor")
        set(said.scale_factor, finite && value >= 0, "not to be negative");
    else if (key == "box")
        set(said.box, finite && value >= 0, "not to be negative");
    else if (key == "days_per_time")
        set(said.days_per_time, finite && value >= 0, "not to be negative");
    else
        refuse(
            "expected bodies, G, softening, law, sigma, cut_off, dt, time, scale_factor, box, days_per_time, "
            "length_unit, mass_unit or steps_per_frame, found \"{}\"",
            shown(word));
}

}  // namespace

Columns behind_index(Columns columns) {
    const auto shift = [](std::size_t& place) { place += place == kNoColumn ? 0 : 1; };
    for (std::size_t& place : columns.quantity) shift(place);
    for (std::size_t* place : {&columns.name, &columns.id, &columns.species, &columns.charge, &columns.time})
        shift(*place);
    for (OtherColumn& other : columns.others) ++other.column;
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
        const bool temperature = is_temperature(title, titles);
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
        if (!temperature && is_time(title) && is_better_time(title, columns.time_title))
            columns.time = i, columns.time_title = title;
        if (!place) {
            add_other(columns, i, titles[i]);
            continue;
        }
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

std::string take_comment(std::string_view comment, Said& said) {
    constexpr std::string_view kOurs = "orrery:";
    if (comment.starts_with(kOurs)) {
        Fields words;
        split(comment.substr(kOurs.size()), ' ', words);
        try {
            for (const std::string_view word : words) take_setting(word, said);
        } catch (const Refusal& refusal) {
            return refusal.why;
        }
        return {};
    }
    const std::string plain = lower_case(without_blanks(comment));
    if (plain.find("yr/2pi") != std::string::npos || plain.find("yr/(2pi)") != std::string::npos)
        said.days_per_time = kGaussianDays;  // such files have G = 1, which makes it the Gaussian year
    return {};
}

}  // namespace orrery::csv_text
