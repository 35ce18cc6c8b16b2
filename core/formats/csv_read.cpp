// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/progress.hpp"
#include "core/formats/csv.hpp"
#include "core/formats/csv_text.hpp"
#include "core/formats/input_file.hpp"
#include "core/formats/suggest.hpp"
#include "core/formats/units.hpp"

namespace orrery {
namespace {

using csv_text::Fields;

constexpr std::uintmax_t kShowProgress = 64ull << 20;  ///< a file of this size takes long enough for a bar
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
constexpr std::array<std::string_view, 7> kQuantities{"m", "x", "y", "z", "vx", "vy", "vz"};

/// Where in a line the quantities stand.
struct Columns {
    std::array<std::size_t, 7> quantity{0, 1, 2, 3, 4, 5, 6};
    std::size_t name = kNone, count = 7;
};

/// What the comments say.
struct Said {
    std::optional<double> constant, softening, dt, time, days_per_time;
    std::optional<std::size_t> bodies, steps_per_frame;
};

class Reader {
public:
    explicit Reader(const std::filesystem::path& path) : path_{path} {}

    Scene read() {
        const std::string text = whole_file();
        std::optional<Progress> progress;
        if (text.size() >= kShowProgress) progress.emplace("reading", text.size());
        std::string_view rest = text;
        if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);  // the byte order mark of UTF-8
        while (!rest.empty()) {
            const std::size_t end = rest.find('\n');
            ++line_;
            take(csv_text::trimmed(rest.substr(0, end)));
            rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
            if (progress && line_ % 4096 == 0) progress->update(text.size() - rest.size());
        }
        check_whole(text.back() == '\n');
        return scene();
    }

private:
    template <class... Args>
    [[noreturn]] void refuse(fmt::format_string<Args...> what, Args&&... args) const {
        usage_error(
            fmt::format("{}: line {}: {}", path_.string(), line_, fmt::format(what, std::forward<Args>(args)...)));
    }

    std::string whole_file() const {
        InputFile file{path_};
        std::string text(static_cast<std::size_t>(file.size()), '\0');
        file.read(std::as_writable_bytes(std::span{text}));
        return text;
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
            return;
        }
        columns_ = Columns{};
        if (fields_.back().empty()) fields_.pop_back();  // a separator at the end
        if (fields_.size() != columns_->count)
            refuse("expected a line of column names, or 7 numbers m, x, y, z, vx, vy, vz; found {} columns",
                   fields_.size());
        row(line);
    }

    Columns from_header(std::string_view line) const {
        Columns columns;
        columns.quantity.fill(kNone);
        columns.count = fields_.size();
        std::size_t id = kNone;
        for (std::size_t i = 0; i < fields_.size(); ++i) {
            std::string title = csv_text::lower(csv_text::unquoted(fields_[i]));
            if (title == "mass") title = "m";
            const auto found = std::ranges::find(kQuantities, title);
            std::size_t* place = title == "name" ? &columns.name : title == "id" ? &id : nullptr;
            if (found != kQuantities.end())
                place = &columns.quantity[static_cast<std::size_t>(found - kQuantities.begin())];
            if (!place) continue;
            if (*place != kNone) refuse("column {} is there twice", title);
            *place = i;
        }
        if (columns.name == kNone) columns.name = id;
        for (std::size_t k = 0; k < kQuantities.size(); ++k)
            if (columns.quantity[k] == kNone)
                refuse("expected columns m, x, y, z, vx, vy, vz; {} is missing in \"{}\"", kQuantities[k],
                       csv_text::shown(line));
        return columns;
    }

    void row(std::string_view line) {
        csv_text::split(line, separator_, fields_);
        if (fields_.size() == columns_->count + 1 && fields_.back().empty())
            fields_.pop_back();  // a separator at the end
        if (fields_.size() != columns_->count) refuse("expected {} columns, found {}", columns_->count, fields_.size());
        std::array<double, 7> q;
        for (std::size_t k = 0; k < q.size(); ++k) {
            const std::string_view text = fields_[columns_->quantity[k]];
            const auto value = csv_text::number(text);
            if (!value) refuse("expected a number as {}, found \"{}\"", kQuantities[k], csv_text::shown(text));
            if (!std::isfinite(*value) || (k == 0 && !(*value > 0)))
                refuse("expected a {} number as {}, found \"{}\"", k == 0 ? "positive finite" : "finite",
                       kQuantities[k], csv_text::shown(text));
            q[k] = *value;
        }
        bodies_.add({q[1], q[2], q[3]}, {q[4], q[5], q[6]}, q[0]);
        if (columns_->name != kNone) bodies_.names.push_back(csv_text::unquoted(fields_[columns_->name]));
    }

    void comment(std::string_view text) {
        constexpr std::string_view kOurs = "orrery:";
        if (text.starts_with(kOurs)) {
            Fields words;
            csv_text::split(text.substr(kOurs.size()), ' ', words);
            for (const std::string_view word : words) setting(word);
            return;
        }
        const std::string plain = csv_text::lower(csv_text::without_blanks(text));
        if (plain.find("yr/2pi") == std::string::npos && plain.find("yr/(2pi)") == std::string::npos) return;
        said_.days_per_time = kGaussianDays;  // such files have G = 1, which makes it the Gaussian year
    }

    void setting(std::string_view word) {
        const std::size_t equals = word.find('=');
        const std::string_view key = word.substr(0, equals);
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
        else if (key == "dt")
            set(said_.dt, finite && value > 0, "to be positive");
        else if (key == "time")
            set(said_.time, finite, "to be finite");
        else if (key == "days_per_time")
            set(said_.days_per_time, finite && value >= 0, "not to be negative");
        else
            refuse("expected bodies, G, softening, dt, time, days_per_time or steps_per_frame, found \"{}\"",
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
        scene.gravity.softening = said_.softening ? *said_.softening : suggested_softening(scene.bodies);
        scene.dt = said_.dt ? *said_.dt : suggested_dt(scene.bodies, scene.gravity);
        scene.time = said_.time.value_or(0);
        scene.days_per_time = said_.days_per_time.value_or(0);
        if (scene.days_per_time == kGaussianDays && scene.gravity.constant == 1)
            scene.length_unit = "AU", scene.mass_unit = "M☉";  // no others make such a unit of time
        scene.steps_per_frame = static_cast<int>(said_.steps_per_frame.value_or(1));
        return scene;
    }

    std::filesystem::path path_;
    std::size_t line_ = 0;
    char separator_ = ',';
    std::optional<Columns> columns_;
    Fields fields_;
    Said said_;
    Bodies bodies_;
};

}  // namespace

Scene read_csv(const std::filesystem::path& path) { return Reader{path}.read(); }

}  // namespace orrery
