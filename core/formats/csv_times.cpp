// SPDX-License-Identifier: MIT
#include "core/formats/csv_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <unordered_map>
#include <utility>

#include "core/base/error.hpp"
#include "core/formats/csv_text.hpp"
#include "core/formats/file_progress.hpp"
#include "core/formats/lines.hpp"

namespace orrery {
namespace {

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

}  // namespace

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

}  // namespace orrery
