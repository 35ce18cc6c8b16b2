// SPDX-License-Identifier: MIT
#include "app/learn/progress.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "app/cli/terminal.hpp"
#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/version.hpp"
#include "core/plot/plot.hpp"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kResultFormat = "orrery-learn-1";

/// orrery/learn.json in $XDG_STATE_HOME or ~/.local/state; empty without them.
std::filesystem::path progress_path() {
    const std::filesystem::path folder = user_folder("XDG_STATE_HOME", ".local/state");
    return folder.empty() ? folder : folder / "learn.json";
}

}  // namespace

const LessonRecord* LearnResult::find(std::string_view id) const {
    const auto found = std::ranges::find(lessons, id, &LessonRecord::id);
    return found == lessons.end() ? nullptr : &*found;
}

void LearnResult::add(const Lesson& lesson, const KernelFile& file, const LessonVerdict& verdict) {
    auto record = std::ranges::find(lessons, lesson.id, &LessonRecord::id);
    if (record == lessons.end()) record = lessons.insert(lessons.end(), LessonRecord{.id = lesson.id});
    record->title = lesson.title;
    ++record->attempts;
    record->date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
    if (!verdict.speed) return;
    const double share = verdict.speed->share();
    if (record->passed && (!verdict.pass() || share <= record->share)) return;
    record->passed = verdict.pass();
    record->language = name(file.language), record->device = verdict.device, record->house = verdict.speed->house;
    record->share = share, record->target = verdict.speed->target.value_or(0);
}

std::string LearnResult::json() const {
    Json all = Json::array();
    for (const LessonRecord& each : lessons)
        all.push_back({{"id", each.id},
                       {"title", each.title},
                       {"attempts", each.attempts},
                       {"passed", each.passed},
                       {"language", each.language},
                       {"device", each.device},
                       {"compared_with", each.house},
                       {"share", each.share},
                       {"target", each.target},
                       {"date", each.date}});
    return Json{{"format", kResultFormat}, {"version", version()}, {"learner", learner}, {"lessons", all}}.dump(2) +
           '\n';
}

LearnResult parse_result(std::string_view text, const std::string& name) {
    LearnResult result;
    try {
        const Json json = Json::parse(text);
        if (json.at("format") != kResultFormat)
            usage_error(
                fmt::format("{}: expected the format {}, found {}", name, kResultFormat, json.at("format").dump()));
        result.learner = json.at("learner");
        for (const Json& each : json.at("lessons"))
            result.lessons.push_back({.id = each.at("id"),
                                      .title = each.at("title"),
                                      .attempts = each.at("attempts"),
                                      .passed = each.at("passed"),
                                      .language = each.at("language"),
                                      .device = each.at("device"),
                                      .house = each.at("compared_with"),
                                      .share = each.at("share"),
                                      .target = each.at("target"),
                                      .date = each.at("date")});
    } catch (const Json::exception& error) {
        usage_error(fmt::format("{}: not a file of `orrery learn --result`: {}", name, error.what()));
    }
    return result;
}

LearnResult read_progress() {
    const std::filesystem::path path = progress_path();
    std::ifstream file{path, std::ios::binary};
    if (path.empty() || !file) return {};
    return parse_result(std::string{std::istreambuf_iterator<char>{file}, {}}, path.string());
}

void write_progress(const LearnResult& result) {
    const std::filesystem::path path = progress_path();
    if (path.empty()) environment_error("no place for the progress: set HOME or XDG_STATE_HOME to an absolute path");
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error)
        environment_error(fmt::format("{}: cannot be created: {}", path.parent_path().string(), error.message()));
    OutputFile file{path};
    file.write(result.json());
    file.commit();
}

namespace {

// In pixels of the figure.
constexpr double kNameWidth = 330, kLessonWidth = 130, kRowHeight = 46, kTableHead = 96, kTableFoot = 44, kEdge = 16;
constexpr double kBarWidth = 110, kBarHeight = 18;
constexpr double kTargetAt = 0.5;  ///< the target's place in a bar, which ends at twice the target

/// Ids and titles of the lessons that any result has, in the order of the results.
std::vector<LessonRecord> lessons_of(const std::vector<LearnResult>& results) {
    std::vector<LessonRecord> all;
    for (const LearnResult& result : results)
        for (const LessonRecord& each : result.lessons)
            if (std::ranges::find(all, each.id, &LessonRecord::id) == all.end()) all.push_back(each);
    return all;
}

std::string rectangle(double x, double y, double width, double height, std::string_view color) {
    return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", x, y,
                       width, height, color);
}

/// The devices of a learner, each once.
std::string devices_of(const LearnResult& result) {
    std::set<std::string> seen;
    std::string all;
    for (const LessonRecord& each : result.lessons)
        if (!each.device.empty() && seen.insert(each.device).second) all += (all.empty() ? "" : "; ") + each.device;
    constexpr std::size_t kMostLetters = 52;
    if (all.size() > kMostLetters) all = all.substr(0, kMostLetters - 1) + "…";
    return all.empty() ? "no speed measured" : all;
}

std::string cell_of(const LessonRecord& record, double x, double y) {
    std::string svg = rectangle(x, y, kBarWidth, kBarHeight, "#eeeeee");
    const double scale = record.target > 0 ? record.target / kTargetAt : std::max(1.0, record.share);
    svg += rectangle(x, y, kBarWidth * std::min(1.0, record.share / scale), kBarHeight,
                     record.passed ? okabe_ito::kGreen : okabe_ito::kOrange);
    if (record.target > 0) svg += rectangle(x + kBarWidth * kTargetAt - 1, y - 3, 2, kBarHeight + 6, "#000000");
    const std::string words = record.share > 0
                                  ? fmt::format("{:.2g}{}", record.share, record.passed ? " passed" : "")
                                  : fmt::format("{} attempt{}", record.attempts, record.attempts == 1 ? "" : "s");
    return svg + svg::text(x, y + kBarHeight + 14, "start", words, 11);
}

}  // namespace

std::vector<LearnResult> read_class(const std::filesystem::path& folder) {
    std::error_code error;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator{folder, error})
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    if (error) usage_error(fmt::format("{}: cannot be read: {}", folder.string(), error.message()));
    if (files.empty())
        usage_error(fmt::format("{}: contains no .json file written by `orrery learn --result`", folder.string()));
    std::ranges::sort(files);
    std::vector<LearnResult> results;
    for (const std::filesystem::path& path : files) {
        std::ifstream file{path, std::ios::binary};
        results.push_back(parse_result(std::string{std::istreambuf_iterator<char>{file}, {}}, path.string()));
        if (results.back().learner.empty()) results.back().learner = path.stem().string();
    }
    std::ranges::stable_sort(results, {}, &LearnResult::learner);
    return results;
}

std::string class_svg(const std::vector<LearnResult>& results) {
    const std::vector<LessonRecord> lessons = lessons_of(results);
    const double width = kEdge + kNameWidth + kLessonWidth * static_cast<double>(lessons.size()) + kEdge,
                 height = kTableHead + kRowHeight * static_cast<double>(results.size()) + kTableFoot;
    std::string svg = svg::begin(width, height);
    svg += svg::text(kEdge, 26, "start", "Lessons in kernels", 18, " font-weight=\"bold\"");
    for (std::size_t column = 0; column < lessons.size(); ++column) {
        const double x = kEdge + kNameWidth + kLessonWidth * static_cast<double>(column);
        const auto passed = std::ranges::count_if(results, [&](const LearnResult& each) {
            const LessonRecord* const record = each.find(lessons[column].id);
            return record && record->passed;
        });
        svg += svg::text(x, 58, "start", lessons[column].id, 13, " font-weight=\"bold\"");
        svg += svg::text(x, 76, "start", fmt::format("{} of {} passed", passed, results.size()), 11);
    }
    for (std::size_t row = 0; row < results.size(); ++row) {
        const double y = kTableHead + kRowHeight * static_cast<double>(row);
        svg += svg::text(kEdge, y + 14, "start", results[row].learner, 14);
        svg += svg::text(kEdge, y + 31, "start", devices_of(results[row]), 10, " fill=\"#555555\"");
        for (std::size_t column = 0; column < lessons.size(); ++column)
            if (const LessonRecord* const record = results[row].find(lessons[column].id))
                svg += cell_of(*record, kEdge + kNameWidth + kLessonWidth * static_cast<double>(column), y);
    }
    svg += svg::text(
        kEdge, height - 16, "start",
        "Bars: share of the speed of the program's engine, or of the start, on the same device. Line: the target.", 11);
    return svg + "</svg>\n";
}

std::string class_csv(const std::vector<LearnResult>& results) {
    std::string csv = "learner,lesson,passed,attempts,language,share,target,compared_with,device,date\n";
    for (const LearnResult& result : results)
        for (const LessonRecord& each : result.lessons)
            csv += fmt::format("{},{},{},{},{},{:.4g},{:g},{},{},{}\n", csv_cell(result.learner), csv_cell(each.id),
                               each.passed ? 1 : 0, each.attempts, each.language, each.share, each.target,
                               csv_cell(each.house), csv_cell(each.device), each.date);
    return csv;
}

}  // namespace orrery
