// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/lower_case.hpp"
#include "core/base/menu.hpp"
#include "core/formats/csv.hpp"
#include "core/formats/csv_text.hpp"
#include "core/formats/file_progress.hpp"
#include "core/formats/limits.hpp"
#include "core/formats/lines.hpp"
#include "core/formats/suggest.hpp"
#include "core/physics/pair_law.hpp"
#include "core/physics/pair_laws.hpp"
#include "core/physics/units.hpp"

namespace orrery {
namespace {

using csv_text::Fields;

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kShortestRow = 13;  ///< seven digits and six separators
constexpr std::array<std::string_view, 7> kColumns{"m", "x", "y", "z", "vx", "vy", "vz"};

/// Where in a line the quantities stand.
struct Columns {
    std::array<std::size_t, 7> quantity{0, 1, 2, 3, 4, 5, 6};
    std::size_t name = kNone, id = kNone, species = kNone, charge = kNone, count = 7;
};

/// What the comments say.
struct Said {
    std::optional<double> constant, softening, sigma, cut_off, dt, time, days_per_time;
    PairLaw law = PairLaw::kGravity;
    std::optional<std::size_t> bodies, steps_per_frame;
    std::string length_unit, mass_unit;
};

class Reader {
public:
    explicit Reader(const std::filesystem::path& path) : path_{path}, lines_{path} {}

    Scene read() {
        FileProgress progress{"reading", lines_.size()};
        const std::size_t most = lines_.count(kShortestRow);  // a second reading costs less than memory twice
        require_memory_for(path_, most);
        bodies_.position_mass.reserve(most);
        bodies_.velocity.reserve(most);
        while (auto line = lines_.next()) {
            if (lines_.number() == 1 && line->starts_with("\xEF\xBB\xBF"))
                line->remove_prefix(3);  // the byte order mark of UTF-8
            take(csv_text::trimmed(*line));
            if (lines_.number() % 4096 == 0) progress.reach(lines_.position());
        }
        check_whole(lines_.ended());
        return scene();
    }

private:
    template <class... Args>
    [[noreturn]] void refuse(fmt::format_string<Args...> what, Args&&... args) const {
        usage_error(fmt::format("{}: line {}: {}", path_.string(), lines_.number(),
                                fmt::format(what, std::forward<Args>(args)...)));
    }

    void take(std::string_view line) {
        if (line.empty()) return;
        if (line.front() == '#')
            comment(csv_text::trimmed(line.substr(1)));
        else if (columns_)
            row(line);
        else
            begin(line);
    }

    /// The first line that holds something: names of columns, or, when there is a number in it, a body.
    void begin(std::string_view line) {
        separator_ = csv_text::separator_of(line);
        csv_text::split(line, separator_, fields_);
        if (std::ranges::none_of(fields_, [](std::string_view f) { return csv_text::number(f).has_value(); })) {
            columns_ = from_header(line);
            may_be_units_ = true;
            return;
        }
        columns_ = Columns{};
        if (fields_.size() == 1)
            refuse(
                "holds one number alone, as text files of NEMO and TREECODE begin (number of bodies, dimensions, "
                "time), "
                "which are not read; convert it with NEMO's atos");
        if (fields_.back().empty()) fields_.pop_back();  // a separator at the end
        if (fields_.size() != columns_->count)
            refuse("expected a line of column names, or 7 numbers m, x, y, z, vx, vy, vz; found {} columns",
                   fields_.size());
        row(line);
    }

    Columns from_header(std::string_view line) {
        Columns columns;
        columns.quantity.fill(kNone);
        columns.count = fields_.size();
        for (std::size_t i = 0; i < fields_.size(); ++i) {
            std::string title = lower_case(csv_text::unquoted(fields_[i]));
            const std::string unit = csv_text::unit_behind(title);
            if (title == "mass") title = "m";
            const auto found = std::ranges::find(kColumns, title);
            std::size_t* place = title == "name"      ? &columns.name
                                 : title == "id"      ? &columns.id
                                 : title == "species" ? &columns.species
                                 : title == "charge"  ? &columns.charge
                                                      : nullptr;
            if (found != kColumns.end()) {
                const auto k = static_cast<std::size_t>(found - kColumns.begin());
                place = &columns.quantity[k];
                take_unit(k, unit);
            }
            if (!place) continue;
            if (*place != kNone) refuse("column {} occurs twice", title);
            *place = i;
        }
        for (std::size_t k = 0; k < kColumns.size(); ++k)
            if (columns.quantity[k] == kNone)
                refuse("expected columns m, x, y, z, vx, vy, vz; {} is missing in \"{}\"", kColumns[k],
                       csv_text::shown(line));
        return columns;
    }

    void row(std::string_view line) {
        csv_text::split(line, separator_, fields_);
        if (fields_.size() == columns_->count + 1 && fields_.back().empty())
            fields_.pop_back();  // a separator at the end
        if (fields_.size() != columns_->count) refuse("expected {} columns, found {}", columns_->count, fields_.size());
        if (std::exchange(may_be_units_, false) && units()) return;
        std::array<double, 7> q;
        for (std::size_t k = 0; k < q.size(); ++k) {
            const std::string_view text = fields_[columns_->quantity[k]];
            const auto value = csv_text::number(text);
            if (!value) refuse("expected a number as {}, found \"{}\"", kColumns[k], csv_text::shown(text));
            if (!std::isfinite(*value) || (k == 0 && !(*value >= 0)))
                refuse("expected a {} number as {}, found \"{}\"", k == 0 ? "non-negative finite" : "finite",
                       kColumns[k], csv_text::shown(text));
            q[k] = *value;
        }
        bodies_.add({q[1], q[2], q[3]}, {q[4], q[5], q[6]}, q[0]);
        if (columns_->name != kNone) bodies_.names.push_back(csv_text::unquoted(fields_[columns_->name]));
        if (columns_->id != kNone) id(fields_[columns_->id]);
        if (columns_->species != kNone) species(fields_[columns_->species]);
        if (columns_->charge != kNone) charge(fields_[columns_->charge]);
    }

    /// A whole number; or, when the first one is none and there is no other column of names, a name.
    void id(std::string_view text) {
        const auto number = csv_text::whole(text);
        if (number && bodies_.ids.size() + 1 == bodies_.size()) {
            bodies_.ids.push_back(*number);
        } else if (bodies_.ids.empty() && (bodies_.size() == 1 || ids_are_names_)) {
            if (!ids_are_names_ && csv_text::number(text)) note_id(text);
            ids_are_names_ = true;
            if (columns_->name == kNone) bodies_.names.push_back(csv_text::unquoted(text));
        } else {
            refuse("expected a whole number as id, found \"{}\"", csv_text::shown(text));
        }
    }

    void note_id(std::string_view text) {
        id_note_ = fmt::format("{}: line {}: id {} is not a whole number from 0 to 2⁶⁴ − 1; all ids are read as names",
                               path_.filename().string(), lines_.number(), csv_text::shown(text));
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
        const auto value = csv_text::number(text);
        if (!value || !std::isfinite(*value))
            refuse("expected a finite number as charge, found \"{}\"", csv_text::shown(text));
        bodies_.charge.push_back(*value);
    }

    /// Whether the row tells the units of the columns: there is no number in it.
    bool units() {
        for (const std::size_t column : columns_->quantity)
            if (fields_[column].empty() || csv_text::number(fields_[column])) return false;
        const auto letters = [](std::string_view unit) { return unit.find_first_of("0123456789.") > 0; };
        for (const std::size_t column : columns_->quantity)
            if (!letters(csv_text::unquoted(fields_[column]))) return false;
        if (fields_[columns_->quantity[1]] != fields_[columns_->quantity[2]] ||
            fields_[columns_->quantity[1]] != fields_[columns_->quantity[3]])
            return false;
        for (std::size_t k = 0; k < kColumns.size(); ++k)
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
        constexpr std::string_view kOurs = "orrery:";
        if (text.starts_with(kOurs)) {
            Fields words;
            csv_text::split(text.substr(kOurs.size()), ' ', words);
            for (const std::string_view word : words) setting(word);
            return;
        }
        const std::string plain = lower_case(csv_text::without_blanks(text));
        if (plain.find("yr/2pi") == std::string::npos && plain.find("yr/(2pi)") == std::string::npos) return;
        said_.days_per_time = kGaussianDays;  // such files have G = 1, which makes it the Gaussian year
    }

    void setting(std::string_view word) {
        const std::size_t equals = word.find('=');
        const std::string_view key = word.substr(0, equals);
        if (key == "length_unit" || key == "mass_unit") {
            if (equals == std::string_view::npos || equals + 1 == word.size()) refuse("expected {}=WORD", key);
            (key == "length_unit" ? said_.length_unit : said_.mass_unit) = word.substr(equals + 1);
            return;
        }
        if (key == "law") {
            const auto law =
                std::ranges::find(pair_laws(), word.substr(std::min(equals, word.size() - 1) + 1), &PairLawEntry::id);
            if (law == pair_laws().end())
                refuse("expected law={}, found \"{}\"", ids(pair_laws()), csv_text::shown(word));
            said_.law = law->value;
            return;
        }
        const auto found = equals == std::string_view::npos ? std::nullopt : csv_text::number(word.substr(equals + 1));
        const double value = found.value_or(std::numeric_limits<double>::quiet_NaN());  // in no range asked for below
        const auto set = [&](auto& to, bool good, const char* expected) {
            if (!good) refuse("expected {} {}, found \"{}\"", key, expected, csv_text::shown(word));
            to = static_cast<typename std::remove_reference_t<decltype(to)>::value_type>(value);
        };
        const bool finite = std::isfinite(value);
        const auto counts = [&](double most) {
            return finite && value >= 1 && value <= most && value == std::floor(value);
        };
        if (key == "bodies")
            set(said_.bodies, counts(1e15), "to be a count");
        else if (key == "steps_per_frame")
            set(said_.steps_per_frame, counts(1e6), "to be a count up to 1000000");
        else if (key == "G")
            set(said_.constant, finite && value > 0, "to be positive");
        else if (key == "softening")
            set(said_.softening, finite && value >= 0, "not to be negative");
        else if (key == "sigma" || key == "cut_off")
            set(key == "sigma" ? said_.sigma : said_.cut_off, finite && value >= 0, "not to be negative");
        else if (key == "dt")
            set(said_.dt, finite && value > 0, "to be positive");
        else if (key == "time")
            set(said_.time, finite, "to be finite");
        else if (key == "days_per_time")
            set(said_.days_per_time, finite && value >= 0, "not to be negative");
        else
            refuse(
                "expected bodies, G, softening, law, sigma, cut_off, dt, time, days_per_time, length_unit, mass_unit "
                "or steps_per_frame, found \"{}\"",
                csv_text::shown(word));
    }

    /// A file of ours says how many bodies it holds and ends with a line end, so that a cut one is found out.
    void check_whole(bool ends_with_line_end) const {
        if (bodies_.size() == 0) usage_error(fmt::format("{}: holds no bodies", path_.string()));
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
        scene.days_per_time = said_.days_per_time.value_or(0);
        if (scene.days_per_time == kGaussianDays && scene.gravity.constant == 1)
            scene.length_unit = "AU", scene.mass_unit = "M☉";  // no others make such a unit of time
        if (!said_.length_unit.empty()) scene.length_unit = said_.length_unit;
        if (!said_.mass_unit.empty()) scene.mass_unit = said_.mass_unit;
        simplify_species(scene.bodies);
        if (!velocity_unit_.empty() && !said_.constant)
            scene.notes.push_back(
                fmt::format("{}: states units ({}, {}, {}) but not G; G = 1 is assumed, and nothing is converted",
                            scene.id, scene.mass_unit, scene.length_unit, velocity_unit_));
        if (!id_note_.empty()) scene.notes.push_back(id_note_);
        note_duplicate_ids(scene);
        scene.steps_per_frame = static_cast<int>(said_.steps_per_frame.value_or(1));
        return scene;
    }

    std::filesystem::path path_;
    Lines lines_;
    bool may_be_units_ = false, ids_are_names_ = false;
    std::string velocity_unit_, id_note_;
    char separator_ = ',';
    std::optional<Columns> columns_;
    Fields fields_;
    Said said_;
    Bodies bodies_;
};

}  // namespace

Scene read_csv(const std::filesystem::path& path) { return Reader{path}.read(); }

}  // namespace orrery
