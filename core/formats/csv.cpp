// SPDX-License-Identifier: MIT
#include "core/formats/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <unordered_map>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/menu.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/text.hpp"
#include "core/formats/csv_text.hpp"
#include "core/formats/fields.hpp"
#include "core/formats/input_file.hpp"
#include "core/formats/limits.hpp"
#include "core/formats/suggest.hpp"
#include "core/physics/pair_law.hpp"
#include "core/physics/units.hpp"

namespace orrery {
namespace {

using csv_text::Columns;
using csv_text::Fields;
using csv_text::kNoColumn;
using csv_text::kTitles;
using csv_text::Said;

constexpr std::size_t kShortestRow = 9;  ///< five digits and four separators
constexpr std::size_t kMostComments = 64;

/// For a table with a time column: only the rows of the first time are read.
struct Times {
    std::string first, last;
    std::size_t left_out = 0;  ///< rows with other times
};

/// Marks of decimals that the file has.
struct Decimals {
    bool commas = false, points = false;
};

/// A field that is read with the bodies.
struct Wanted {
    std::string name;
    std::vector<double> numbers;
};

class Reader {
public:
    explicit Reader(const std::filesystem::path& path) : path_{path}, lines_{path} {}

    Scene read() {
        FileProgress progress{"reading", lines_.size()};
        const std::size_t most =
            lines_.count(kShortestRow);  // reading twice costs less than allocating twice the memory
        require_memory_for(path_, most);
        bodies_.position_mass.reserve(most);
        bodies_.velocity.reserve(most);
        while (auto line = lines_.next()) {
            if (lines_.number() == 1) drop_byte_order_mark(*line);
            take(csv_text::trimmed(*line));
            if (lines_.number() % 4096 == 0) progress.reach(lines_.position());
        }
        check_whole(lines_.ended());
        return scene();
    }

    /// The columns that are fields: those whose number in the first row of a body is one, or missing.
    std::vector<FieldInfo> fields() {
        read_until_body();
        std::vector<FieldInfo> all;
        if (bodies_.size() == 0) return all;
        for (const csv_text::OtherColumn& other : columns_->others)
            if (other.column != columns_->time && number_or_missing(fields_[other.column]))
                all.push_back({.name = other.name, .unit = other.unit, .bytes = sizeof(double)});
        if (all.empty()) return all;
        const std::uint64_t count = said_.bodies ? *said_.bodies : 1 + rows_below();
        for (FieldInfo& field : all) field.bodies = count;
        return all;
    }

    /// Reads the numbers of a field for the bodies that read() returns.
    std::vector<double> field(const std::string& name) {
        wanted_ = Wanted{name, {}};
        read();
        return std::move(wanted_->numbers);
    }

    /// See times_in_csv().
    std::optional<CsvTimes> times() {
        CsvTimes times;
        while (auto line = lines_.next()) {
            if (lines_.number() == 1) drop_byte_order_mark(*line);
            take(csv_text::trimmed(*line));
            if (bodies_.size() > 0) break;
            (times.above += *line) += '\n';
            times.lines = lines_.number();
        }
        if (!columns_ || columns_->time == kNoColumn || columns_->index || said_.bodies || expected_ > 0)
            return std::nullopt;
        times.column = columns_->time, times.title = columns_->time_title, times.separator = separator_;
        times.states_time = is_clock();
        return times;
    }

private:
    void read_until_body() {
        while (auto line = lines_.next()) {
            if (lines_.number() == 1) drop_byte_order_mark(*line);
            take(csv_text::trimmed(*line));
            if (bodies_.size() > 0) break;
        }
    }

    /// Number of rows of the first time below the first body.
    std::uint64_t rows_below() {
        std::uint64_t rows = 0;
        while (const auto line = lines_.next()) {
            const std::string_view row = csv_text::trimmed(*line);
            if (row.empty() || comment_in(row)) continue;
            if (columns_->time != kNoColumn) {
                csv_text::split(row, separator_, fields_);
                if (columns_->time >= fields_.size() || !is_of_first_time(fields_[columns_->time])) continue;
            }
            if (expected_ == 0 || rows + 1 < expected_) ++rows;
        }
        return rows;
    }

    /// NaN for a missing number; empty for other text. Whole numbers that a double does not hold are missing.
    std::optional<double> number_or_missing(std::string_view text) const {
        constexpr std::array<std::string_view, 6> kMissing{"", "nan", "na", "null", "none", "--"};
        constexpr std::uint64_t kMostExact = std::uint64_t{1} << 53;
        const double missing = std::numeric_limits<double>::quiet_NaN();
        const std::string plain = csv_text::unquoted(text);
        if (std::ranges::find(kMissing, lower_case(plain)) != kMissing.end()) return missing;
        if (const auto exact = csv_text::whole(plain); exact && *exact > kMostExact) return missing;
        return value(text);
    }

    void field_of_body() {
        const auto other = std::ranges::find(columns_->others, wanted_->name, &csv_text::OtherColumn::name);
        if (other == columns_->others.end()) refuse("has no column {}", wanted_->name);
        const auto found = number_or_missing(fields_[other->column]);
        if (!found)
            refuse("expected a number as {}, or nan if it is missing, found \"{}\"", wanted_->name,
                   csv_text::shown(fields_[other->column]));
        wanted_->numbers.push_back(*found);
    }

    template <class... Args>
    [[noreturn]] void refuse(fmt::format_string<Args...> what, Args&&... args) const {
        usage_error(fmt::format("{}: line {}: {}", path_.string(), lines_.number(),
                                fmt::format(what, std::forward<Args>(args)...)));
    }

    static void drop_byte_order_mark(std::string_view& line) {
        constexpr std::string_view kOfUtf8 = "\xEF\xBB\xBF";
        if (line.starts_with(kOfUtf8)) line.remove_prefix(kOfUtf8.size());
    }

    void take(std::string_view line) {
        if (line.empty()) return;
        if (const auto text = comment_in(line))
            comment(*text);
        else if (remarks_below_ && bodies_.size() == expected_)
            return;
        else if (columns_)
            row(line);
        else
            begin(line);
    }

    /// Returns the comment after #, or after % ! or //, unless those may be the first letter of a name.
    std::optional<std::string_view> comment_in(std::string_view line) const {
        constexpr std::string_view kMarks = "#%!/";
        const bool begins_with_name = columns_ && (columns_->name == 0 || columns_->id == 0);
        const bool marked = line.front() == '%' || line.front() == '!' || line.starts_with("//");
        if (line.front() != '#' && (!marked || begins_with_name)) return std::nullopt;
        line.remove_prefix(std::min(line.find_first_not_of(kMarks), line.size()));
        return csv_text::trimmed(line);
    }

    std::optional<double> value(std::string_view text) const {
        const auto number = csv_text::number(text);
        const bool comma = separator_ == ';' || separator_ == '\t';
        return number || !comma ? number : csv_text::number_with_comma(text);
    }

    /// Handles the first line that is not empty: column names, or a body if it contains a number.
    void begin(std::string_view line) {
        separator_ = csv_text::separator_of(line);
        csv_text::split(line, separator_, fields_);
        if (std::ranges::any_of(fields_, [this](std::string_view f) { return value(f).has_value(); }))
            return begin_with_numbers(line);
        if (!preamble_.empty())
            refuse("expected a row of numbers after the single numbers above, found \"{}\"", csv_text::shown(line));
        std::vector<std::string> titles;
        for (const std::string_view field : fields_) titles.push_back(csv_text::unquoted(field));
        csv_text::Titles read = csv_text::read_titles(titles);
        if (!read.wrong.empty()) refuse("{} in \"{}\"", read.wrong, csv_text::shown(line));
        adopt(std::move(read.columns));
        may_be_units_ = may_have_index_ = true;
    }

    void adopt(Columns columns) {
        for (std::size_t k = 0; k < kTitles.size(); ++k) take_unit(k, columns.units[k]);
        columns_ = std::move(columns);
    }

    void begin_with_numbers(std::string_view line) {
        if (fields_.size() > 1 && fields_.back().empty()) fields_.pop_back();  // a separator at the end
        if (fields_.size() == 1) return single_number(fields_.front());
        if (preamble_.size() == 2) {
            begin_course();
        } else {
            if (!preamble_.empty()) expect_rows();
            begin_table();
        }
        row(line);
    }

    void single_number(std::string_view text) {
        preamble_.push_back(*value(text));
        if (preamble_.size() < 3) return;
        refuse(
            "the file begins with single numbers on separate lines, as text files of NEMO and TREECODE do (number "
            "of bodies, dimensions, time); they are not read: convert the file with NEMO's atos, or write one body per "
            "line below a line \"m,x,y,z,vx,vy,vz\"");
    }

    /// The first line gives the number of rows.
    void expect_rows() {
        const double count = preamble_.front();
        if (!(count >= 1 && count <= 1e15 && count == std::floor(count)))
            refuse("expected the number of bodies on the first line, found {}", count);
        expected_ = static_cast<std::size_t>(count);
    }

    /// Takes the titles from a comment, otherwise assumes m, x, y, z, vx, vy, vz.
    void begin_table() {
        const auto first = csv_text::whole(csv_text::unquoted(fields_.front()));
        if (auto titles = csv_text::titles_in(comments_, fields_.size(), first && *first <= 1)) {
            if (!titles->wrong.empty()) refuse("{} in the column names (the comment above the numbers)", titles->wrong);
            return adopt(std::move(titles->columns));
        }
        columns_ = Columns{};
        if (fields_.size() != columns_->count)
            refuse(
                "expected a line of column names, also as a comment with one word for each column, or 7 numbers m, x, "
                "y, z, vx, vy, vz; found {} columns",
                fields_.size());
        const auto names_columns = [this](const std::string& comment) {
            const auto words = csv_text::words_of(lower_case(comment));
            const bool as_many =
                words.size() == fields_.size() && comment.find_first_of("\t,;|[(_") != std::string::npos;
            return as_many ||
                   (std::ranges::find(words, "x") != words.end() && std::ranges::find(words, "vx") != words.end());
        };
        if (std::ranges::any_of(comments_, names_columns))
            note(
                "its comment seems to name columns, but not m, x, y, z, vx, vy, vz with one word for each; this order "
                "is assumed");
    }

    /// A format used in courses: number of bodies, radius of the universe, then rows of x y vx vy mass picture, in SI.
    void begin_course() {
        expect_rows();
        const bool picture = fields_.size() == 6 && !value(fields_.back());
        if (fields_.size() != 5 && !picture)
            refuse(
                "the first two lines are single numbers, as in a coursework file (number of bodies, radius, then rows "
                "of x y vx vy mass picture), but the first row has {} columns; replace both lines by column names, as "
                "in \"x y z vx vy vz m\"",
                fields_.size());
        Columns plane;
        plane.quantity = {4, 0, 1, kNoColumn, 2, 3, kNoColumn};
        plane.count = fields_.size();
        if (picture) plane.name = 5;
        columns_ = std::move(plane);
        remarks_below_ = true;
        said_.length_unit = "m", said_.mass_unit = "kg";
        said_.days_per_time = 1 / 86400.0;
        if (!said_.constant) said_.constant = kGravitySi;
        note(
            fmt::format("is read as number, radius and rows of x y vx vy mass: bodies in a plane, in metres, kilograms "
                        "and seconds, with G = {}",
                        *said_.constant));
    }

    void note(const std::string& what) { notes_.push_back(path_.filename().string() + ": " + what); }

    void row(std::string_view line) {
        csv_text::split(line, separator_, fields_);
        if (fields_.size() == columns_->count + 1 && fields_.back().empty())
            fields_.pop_back();  // a separator at the end
        if (std::exchange(may_have_index_, false) && has_index()) columns_ = csv_text::behind_index(*columns_);
        if (fields_.size() != columns_->count) refuse("expected {} columns, found {}", columns_->count, fields_.size());
        if (std::exchange(may_be_units_, false) && units()) {
            may_have_index_ = true;
            return;
        }
        if (columns_->index) check_index();
        if (columns_->time != kNoColumn && !is_of_first_time(fields_[columns_->time])) return;
        if (expected_ > 0 && bodies_.size() == expected_)
            refuse("expected {} bodies, as the first number says, found more", expected_);
        body();
    }

    void body() {
        std::array<double, 7> q{};
        for (std::size_t k = 0; k < q.size(); ++k) {
            if (columns_->quantity[k] == kNoColumn) continue;  // bodies in a plane
            const std::string_view text = fields_[columns_->quantity[k]];
            const auto found = value(text);
            if (!found) refuse("expected a number as {}, found \"{}\"", kTitles[k], csv_text::shown(text));
            if (!std::isfinite(*found) || (k == 0 && !(*found >= 0)))
                refuse("expected a {} number as {}, found \"{}\"", k == 0 ? "non-negative finite" : "finite",
                       kTitles[k], csv_text::shown(text));
            note_point(text);
            q[k] = *found;
        }
        bodies_.add({q[1], q[2], q[3]}, {q[4], q[5], q[6]}, q[0]);
        if (columns_->name != kNoColumn) body_name(fields_[columns_->name]);
        if (columns_->id != kNoColumn) id(fields_[columns_->id]);
        if (columns_->species != kNoColumn) species(fields_[columns_->species]);
        if (columns_->charge != kNoColumn) charge(fields_[columns_->charge]);
        if (wanted_) field_of_body();
    }

    /// In a file that contains both 0,5 and 0.25, one of the two separates thousands.
    void note_point(std::string_view text) {
        if (separator_ != ';' && separator_ != '\t') return;
        decimals_.commas |= text.find(',') != std::string_view::npos;
        decimals_.points |= text.find('.') != std::string_view::npos;
        if (decimals_.commas && decimals_.points)
            refuse("found \"{}\" in a file with both decimal commas and decimal points; expected one of them",
                   csv_text::shown(text));
    }

    /// In the course format the name is that of the picture: "earth.gif".
    void body_name(std::string_view text) {
        std::string name = csv_text::unquoted(text);
        if (remarks_below_) name = std::filesystem::path{name}.stem().string();
        bodies_.names.push_back(std::move(name));
    }

    /// True if the first column is untitled and numbers the rows, as printed data frames do.
    bool has_index() const {
        const std::string_view first = fields_.front();
        if (fields_.size() != columns_->count + 1 ||
            (separator_ != ' ' && separator_ != '\t' && !first.starts_with('"')))
            return false;
        const auto number = csv_text::whole(csv_text::unquoted(first));
        return number && *number <= 1;
    }

    void check_index() {
        const auto number = csv_text::whole(csv_text::unquoted(fields_.front()));
        if (!number || (index_ && *number != *index_ + 1))
            refuse("expected {} in the first column, which has no title and numbers the rows, found \"{}\"",
                   index_ ? fmt::format("{}", *index_ + 1) : "a whole number", csv_text::shown(fields_.front()));
        index_ = *number;
    }

    /// Not that of an almanac, a number of steps and the like.
    bool is_clock() const { return columns_->time_title == "time" || columns_->time_title == "t"; }

    bool is_of_first_time(std::string_view field) {
        const std::string text = csv_text::unquoted(field);
        const auto time = value(text);
        if (bodies_.size() == 0 && times_.left_out == 0) {
            times_.first = text;
            const std::string& title = columns_->time_title;
            if (!is_clock()) return true;
            if (!time || !std::isfinite(*time))
                refuse("expected a finite number as {}, found \"{}\"", title, csv_text::shown(text));
            said_.time = *time;
            return true;
        }
        const auto first = value(times_.first);
        if (first && time ? *first == *time : times_.first == text) return true;
        times_.last = text;
        ++times_.left_out;
        return false;
    }

    /// Takes a whole number; or a name, if the first id is not a number and there is no name column.
    void id(std::string_view text) {
        const auto number = csv_text::whole(csv_text::unquoted(text));
        if (number && bodies_.ids.size() + 1 == bodies_.size()) {
            bodies_.ids.push_back(*number);
        } else if (bodies_.ids.empty() && (bodies_.size() == 1 || ids_are_names_)) {
            if (!ids_are_names_ && csv_text::number(text)) note_id(text);
            ids_are_names_ = true;
            if (columns_->name == kNoColumn) bodies_.names.push_back(csv_text::unquoted(text));
        } else {
            refuse("expected a whole number as id, found \"{}\"", csv_text::shown(text));
        }
    }

    void note_id(std::string_view text) {
        note(fmt::format("line {}: id {} is not a whole number from 0 to 2⁶⁴ − 1; all ids are read as names",
                         lines_.number(), csv_text::shown(text)));
    }

    void species(std::string_view text) {
        const std::string word = lower_case(csv_text::unquoted(text));
        const auto number = csv_text::whole(word);
        for (std::size_t k = 0; k < kSpeciesCount; ++k)
            if (word == name(static_cast<Species>(k)) || number == k) {
                bodies_.species.push_back(static_cast<Species>(k));
                return;
            }
        refuse("expected gas, halo, disk, bulge, stars or boundary, or their numbers from 0, as species, found \"{}\"",
               csv_text::shown(text));
    }

    void charge(std::string_view text) {
        const auto found = value(text);
        if (!found || !std::isfinite(*found))
            refuse("expected a finite number as charge, found \"{}\"", csv_text::shown(text));
        bodies_.charge.push_back(*found);
    }

    /// True if the row contains the units of the columns: it has no numbers.
    bool units() {
        for (const std::size_t column : columns_->quantity)
            if (fields_[column].empty() || value(fields_[column])) return false;
        const auto letters = [](std::string_view unit) { return unit.find_first_of("0123456789.") > 0; };
        for (const std::size_t column : columns_->quantity)
            if (!letters(csv_text::unquoted(fields_[column]))) return false;
        if (fields_[columns_->quantity[1]] != fields_[columns_->quantity[2]] ||
            fields_[columns_->quantity[1]] != fields_[columns_->quantity[3]])
            return false;
        for (std::size_t k = 0; k < kTitles.size(); ++k)
            take_unit(k, csv_text::unquoted(fields_[columns_->quantity[k]]));
        return true;
    }

    void take_unit(std::size_t column, std::string unit) {
        if (unit.empty()) return;
        if (column == 0)
            said_.mass_unit = std::move(unit);
        else if (column <= 3)
            said_.length_unit = std::move(unit);
        else
            velocity_unit_ = std::move(unit);
    }

    void comment(std::string_view text) {
        const std::string wrong = csv_text::take_comment(text, said_);
        if (!wrong.empty()) refuse("{}", wrong);
        if (!columns_ && !text.empty() && comments_.size() < kMostComments) comments_.emplace_back(text);
    }

    /// Orrery's files state how many bodies they hold and end with a line end, so that truncation is detected.
    void check_whole(bool ends_with_line_end) const {
        if (bodies_.size() == 0) usage_error(fmt::format("{}: holds no bodies", path_.string()));
        if (bodies_.size() < expected_)
            usage_error(fmt::format("{}: expected {} bodies, as the first number says, found {}", path_.string(),
                                    expected_, bodies_.size()));
        if (!said_.bodies) return;
        if (*said_.bodies != bodies_.size())
            usage_error(fmt::format("{}: expected {} bodies, as its comment says, found {}", path_.string(),
                                    *said_.bodies, bodies_.size()));
        if (!ends_with_line_end) refuse("truncated: expected a line end");
    }

    Scene scene() {
        Scene scene;
        scene.id = scene.label = path_.filename().string();
        scene.bodies = std::move(bodies_);
        scene.gravity.constant = said_.constant.value_or(1);
        scene.gravity.law = said_.law;
        scene.gravity.sigma = said_.sigma.value_or(0), scene.gravity.cut_off = said_.cut_off.value_or(0);
        scene.gravity.softening = said_.softening              ? *said_.softening
                                  : attracts_masses(said_.law) ? suggested_softening(scene.bodies)
                                                               : 0;
        scene.dt = said_.dt ? *said_.dt : suggested_dt(scene.bodies, scene.gravity);
        scene.time = said_.time.value_or(0);
        scene.scale_factor = said_.scale_factor.value_or(0), scene.box = said_.box.value_or(0);
        scene.days_per_time = said_.days_per_time.value_or(0);
        if (scene.days_per_time == kGaussianDays && scene.gravity.constant == 1)
            scene.length_unit = "AU", scene.mass_unit = "M☉";  // only these units give that unit of time
        if (!said_.length_unit.empty()) scene.length_unit = said_.length_unit;
        if (!said_.mass_unit.empty()) scene.mass_unit = said_.mass_unit;
        simplify_species(scene.bodies);
        if (!velocity_unit_.empty() && !said_.constant)
            scene.notes.push_back(
                fmt::format("{}: states units ({}, {}, {}) but not G; G = 1 is assumed, and nothing is converted",
                            scene.id, scene.mass_unit, scene.length_unit, velocity_unit_));
        if (times_.left_out > 0)
            note(fmt::format(
                "its column {} has several times: the {} bodies of the first, {}, are read; {} rows of other "
                "times, the last {}, are left out; the window, record and serve play all times",
                columns_->time_title, scene.bodies.size(), times_.first, times_.left_out, times_.last));
        scene.notes.insert(scene.notes.end(), notes_.begin(), notes_.end());
        note_duplicate_ids(scene);
        scene.steps_per_frame = static_cast<int>(said_.steps_per_frame.value_or(1));
        return scene;
    }

    std::filesystem::path path_;
    Lines lines_;
    std::vector<std::string> comments_;  // above the table
    std::vector<double> preamble_;       // single numbers on separate lines, above the table
    std::size_t expected_ = 0;           // rows, as stated by the first of them; 0: not stated
    std::optional<std::uint64_t> index_;
    Times times_;
    bool may_be_units_ = false, may_have_index_ = false, ids_are_names_ = false, remarks_below_ = false;
    Decimals decimals_;
    std::string velocity_unit_;
    std::vector<std::string> notes_;
    char separator_ = ',';
    std::optional<Columns> columns_;
    Fields fields_;
    Said said_;
    Bodies bodies_;
    std::optional<Wanted> wanted_;
};

constexpr std::size_t kMostTimes = 100'000;
constexpr std::size_t kMostHeld = std::size_t{64} << 20;  // bytes of rows in memory

/// Behind the first row. In the first column a name may begin with such a mark, a time does not.
bool is_comment(std::string_view row, std::size_t column) {
    const bool marked = row.starts_with('%') || row.starts_with('!') || row.starts_with("//");
    return row.starts_with('#') || (marked && column == 0);
}

/// The rows of one time.
struct Rows {
    std::string text;  ///< the time, as the table has it
    std::optional<double> time;
    std::string held;  ///< that are not written yet
    std::filesystem::path folder;
};

class Splitter {
public:
    Splitter(CsvTimes times, const std::filesystem::path& path, const std::filesystem::path& folder)
        : times_{std::move(times)}, name_{path.filename()}, folder_{folder} {}

    /// False: there are too many times.
    bool add(std::string_view line) {
        csv_text::split(line, times_.separator, fields_);
        // A row too short to state a time stays with the preceding one, whose reader refuses it.
        if (times_.column < fields_.size()) at_ = place_of(fields_[times_.column]);
        if (all_.size() > kMostTimes) return false;
        (all_[at_].held += line) += '\n';
        held_ += line.size() + 1;
        if (held_ > kMostHeld) write_all();
        return true;
    }

    std::vector<std::filesystem::path> finish() {
        if (all_.size() < 2) return {};
        const bool numbers =
            std::ranges::all_of(all_, [](const Rows& rows) { return rows.time && std::isfinite(*rows.time); });
        if (!numbers) std::ranges::for_each(all_, [](Rows& rows) { rows.time.reset(); });
        const auto earlier = [&](const Rows& a, const Rows& b) {
            return numbers ? *a.time < *b.time : a.text < b.text;
        };
        std::ranges::stable_sort(all_, earlier);
        std::vector<std::filesystem::path> tables;
        for (std::size_t i = 0; i < all_.size(); ++i) {
            if (!numbers || !times_.states_time)
                all_[i].held += fmt::format("# orrery: time={}\n", numbers ? *all_[i].time : static_cast<double>(i));
            write(all_[i]);
            const std::filesystem::path last = folder_ / fmt::format("{:06}", i);
            std::filesystem::rename(all_[i].folder, last);
            tables.push_back(last / name_);
        }
        return tables;
    }

private:
    std::size_t place_of(std::string_view field) {
        std::string text = csv_text::unquoted(field);
        const auto [known, is_new] = places_.try_emplace(text, all_.size());
        if (!is_new) return known->second;
        auto time = csv_text::number(text);
        if (!time && (times_.separator == ';' || times_.separator == '\t')) time = csv_text::number_with_comma(text);
        // 0.5 and 0.50 are the same one.
        if (time)
            if (const auto [same, other] = by_number_.try_emplace(*time, all_.size()); !other)
                return known->second = same->second;
        all_.push_back({std::move(text), time, {}, {}});
        return known->second;
    }

    void write_all() {
        for (Rows& rows : all_) write(rows);
        held_ = 0;
    }

    void write(Rows& rows) {
        if (rows.held.empty()) return;
        const bool begins = rows.folder.empty();
        if (begins) {
            rows.folder = folder_ / fmt::format("part{}", ++begun_);
            std::filesystem::create_directory(rows.folder);
        }
        std::ofstream file{rows.folder / name_, std::ios::binary | std::ios::app};
        if (begins) file << times_.above;
        file << rows.held;
        file.close();
        if (!file)
            environment_error(fmt::format("{}: cannot be written: {}", rows.folder.string(), std::strerror(errno)));
        rows.held = {};
    }

    CsvTimes times_;
    std::filesystem::path name_, folder_;
    std::vector<Rows> all_;
    std::unordered_map<std::string, std::size_t> places_;  // in all_, by the text of the time
    std::unordered_map<double, std::size_t> by_number_;    // the same
    csv_text::Fields fields_;
    std::size_t at_ = 0, held_ = 0, begun_ = 0;
};

constexpr std::uint64_t kRowBytes = 140;  ///< about

void check(const BodyStretches& bodies, const std::string& path) {
    validate(bodies, path);
    const auto& names = bodies.others().names;
    if (!names.empty() && names.size() != bodies.size())
        usage_error(fmt::format("{}: {} bodies but {} names", path, bodies.size(), names.size()));
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i].find_first_of("\r\n") != std::string::npos)
            usage_error(fmt::format("{}: body {}: a name with a line break cannot be written", path, i));
}

void write_csv(const Scene& scene, const BodyStretches& bodies, const std::filesystem::path& path) {
    check(bodies, path.string());
    const char separator = path.extension() == ".tsv" ? '\t' : ',';
    const Bodies& others = bodies.others();
    const bool named = !others.names.empty();
    // fmt writes the fewest digits, at most 17, that are read back to the same bits
    std::string text =
        fmt::format("# orrery: bodies={} G={} softening={} dt={} time={} days_per_time={} steps_per_frame={}\n",
                    bodies.size(), scene.gravity.constant, scene.gravity.softening, scene.dt, scene.time,
                    scene.days_per_time, scene.steps_per_frame);
    text.pop_back();
    if (const Gravity& gravity = scene.gravity; gravity.law != PairLaw::kGravity)
        text += fmt::format(" law={} sigma={} cut_off={}", pair_law(gravity.law).id, gravity.sigma, gravity.cut_off);
    if (scene.scale_factor > 0) text += fmt::format(" scale_factor={}", scene.scale_factor);
    if (scene.box > 0) text += fmt::format(" box={}", scene.box);
    for (const auto& [key, unit] : {std::pair{"length_unit", scene.length_unit}, {"mass_unit", scene.mass_unit}})
        if (!unit.empty() && unit.find_first_of(" \t\r\n") == std::string::npos)
            text += fmt::format(" {}={}", key, unit);
    text += '\n';
    const bool with_ids = bodies.with_ids(), with_species = bodies.with_species();
    if (named) text += std::string{"name"} + separator;
    if (with_ids) text += std::string{"id"} + separator;
    if (with_species) text += std::string{"species"} + separator;
    const bool charged = !others.charge.empty();
    if (charged) text += std::string{"charge"} + separator;
    text += 'm';
    for (const char* title : {"x", "y", "z", "vx", "vy", "vz"}) text += fmt::format("{}{}", separator, title);
    for (const BodyField& field : others.fields)
        text += separator + csv_text::quoted(field.name + (field.unit.empty() ? "" : fmt::format(" [{}]", field.unit)));
    text += '\n';
    OutputFile file{path, Durable::kYes};
    FileProgress progress{"writing", bodies.size(), kRowBytes};
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec4d& p = bodies.position_mass(i);
        const Vec3d& v = bodies.velocity(i);
        if (named) text += csv_text::quoted(others.names[i]) + separator;
        if (with_ids) text += fmt::format("{}{}", bodies.id(i), separator);
        if (with_species) text += fmt::format("{}{}", name(bodies.species_of(i)), separator);
        if (charged) text += fmt::format("{}{}", others.charge[i], separator);
        fmt::format_to(std::back_inserter(text), "{1}{0}{2}{0}{3}{0}{4}{0}{5}{0}{6}{0}{7}", separator, p.w, p.x, p.y,
                       p.z, v.x, v.y, v.z);
        for (const BodyField& field : others.fields) text += fmt::format("{}{}", separator, (*field.values)[i]);
        text += '\n';
        if (text.size() < kBlock) continue;
        file.write(text);
        text.clear();
        progress.reach(i);
    }
    file.write(text);
    file.commit();
}

Scene read_csv(const std::filesystem::path& path) { return Reader{path}.read(); }

constexpr FieldReaders kCsvFields{[](const std::filesystem::path& path) { return Reader{path}.fields(); },
                                  [](const std::filesystem::path& path, const FieldInfo& field,
                                     const TakeNumbers& take) { take(Reader{path}.field(field.name)); }};

/// True for text: no control characters except tabs and line ends. Bytes from 128 up are UTF-8 in names and comments.
bool is_text(std::span<const std::byte> head, std::uintmax_t, const std::filesystem::path&) {
    const auto text = [](std::byte b) {
        const auto c = static_cast<unsigned char>(b);
        return (c >= ' ' && c != 127) || c == '\t' || c == '\r' || c == '\n';
    };
    return !head.empty() && std::ranges::all_of(head, text);
}

constexpr std::array<std::string_view, 4> kCsvExtensions{".csv", ".tsv", ".txt", ".dat"};

}  // namespace

std::optional<CsvTimes> times_in_csv(const std::filesystem::path& path) { return Reader{path}.times(); }

std::vector<std::filesystem::path> split_csv(const std::filesystem::path& path, const std::filesystem::path& folder) {
    auto times = times_in_csv(path);
    if (!times) return {};
    const std::size_t above = times->lines, column = times->column;
    Splitter splitter{std::move(*times), path, folder};
    Lines lines{path};
    FileProgress progress{"reading", lines.size()};
    while (const auto line = lines.next()) {
        const std::string_view row = csv_text::trimmed(*line);
        if (lines.number() <= above || row.empty() || is_comment(row, column)) continue;
        if (!splitter.add(row)) return {};
        if (lines.number() % 4096 == 0) progress.reach(lines.position());
    }
    return splitter.finish();
}

const FormatEntry& csv() {
    static const FormatEntry entry{
        .id = "csv",
        .label = "CSV",
        .doc =
            "one body per line: m, x, y, z, vx, vy, vz, name, id, species, charge, in any order if "
            "the first line names them; other columns are fields; double precision",
        .extensions = kCsvExtensions,
        .holds = kHoldsEverything,
        .recognises = is_text,
        .read = read_csv,
        .write = write_csv,
        .fields = &kCsvFields};
    return entry;
}

}  // namespace orrery
