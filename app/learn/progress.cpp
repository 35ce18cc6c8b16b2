// SPDX-License-Identifier: MIT
#include "app/learn/progress.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/version.hpp"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kResultFormat = "orrery-learn-1";

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

std::filesystem::path progress_path() {
    const std::filesystem::path folder = user_folder("XDG_STATE_HOME", ".local/state");
    return folder.empty() ? folder : folder / "learn.json";
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

}  // namespace orrery
