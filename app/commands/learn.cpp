// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/terminal.hpp"
#include "app/commands/commands.hpp"
#include "app/learn/judge.hpp"
#include "app/learn/lesson.hpp"
#include "app/learn/progress.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/standard_streams.hpp"

namespace orrery {
namespace {

struct LearnOptions {
    std::string lesson, check, language, folder, learner, result, collect, output;
    std::string start_path;
    bool start = false, solution = false, verify = false;
    int hint = 0;
};

/// The language that was requested, or the first one of the lesson that runs here.
KernelLanguage language_of(const LearnOptions& options, const Lesson& lesson) {
    if (options.language.empty()) {
        for (const LessonKernel& each : lesson.starts)
            if (can_run(each.file.language)) return each.file.language;
        return lesson.starts.front().file.language;
    }
    for (const KernelLanguage each : {KernelLanguage::kCpp, KernelLanguage::kGlsl, KernelLanguage::kCuda})
        if (name(each) == options.language) return lesson.start(each).file.language;
    usage_error(fmt::format("--language: expected c++, glsl or cuda, found '{}'", options.language));
}

std::string languages_of(const Lesson& lesson) {
    std::vector<std::string_view> all;
    for (const LessonKernel& each : lesson.starts) all.push_back(name(each.file.language));
    return fmt::format("{}", fmt::join(all, ", "));
}

std::string state_of(const LessonRecord* record) {
    if (!record) return "";
    if (!record->passed) return fmt::format("{} attempt{}", record->attempts, record->attempts == 1 ? "" : "s");
    return record->share > 0 ? fmt::format("passed, {:.2f} of the speed of {}", record->share, record->house)
                             : "passed";
}

int list_lessons(const std::vector<Lesson>& lessons) {
    const LearnResult progress = read_progress();
    Table table{.head = {"", "lesson", "title", "languages", "progress"}};
    for (std::size_t i = 0; i < lessons.size(); ++i)
        table.rows.push_back({fmt::to_string(i + 1), lessons[i].id, lessons[i].title, languages_of(lessons[i]),
                              state_of(progress.find(lessons[i].id))});
    to_stdout("{}\nRead a lesson with `orrery learn 1`, begin with `orrery learn 1 --start`.\n", table.text());
    return 0;
}

int show_lesson(const Lesson& lesson, std::size_t number) {
    to_stdout("{}. {}\n\n{}\n\n", number, lesson.title, lesson.text);
    for (const LessonTest& test : lesson.tests) to_stdout("  test    {}\n", test.title);
    for (const auto& [device, share] : lesson.targets)
        to_stdout("  target  {:g} of the speed of {} on {}\n", share,
                  lesson.against_start                                  ? "the start"
                  : lesson.starts.front().file.kind == KernelKind::kMap ? "the built-in map"
                                                                        : "direct",
                  device == "gl"         ? "a GPU with OpenGL"
                  : device == "software" ? "software OpenGL"
                                         : device);
    const std::string file = lesson_file_name(lesson, language_of({}, lesson));
    to_stdout(
        "\nThe kernel with the hole: orrery learn {0} --start; mark it: orrery learn {0} --check {1}; a hint: "
        "orrery learn {0} --hint 1\n",
        number, file);
    return 0;
}

int write_start(const Lesson& lesson, const LearnOptions& options, std::size_t number) {
    const LessonKernel& start = lesson.start(language_of(options, lesson));
    const std::string path =
        options.start_path.empty() ? lesson_file_name(lesson, start.file.language) : options.start_path;
    if (std::filesystem::exists(path)) usage_error(fmt::format("{} exists; name another file", path));
    OutputFile file{path};
    file.write(start.file.text);
    file.commit();
    to_stdout("wrote {}: fill its hole, then orrery learn {} --check {}\n", path, number, path);
    return 0;
}

int check_attempt(const Lesson& lesson, const LearnOptions& options, std::size_t number) {
    const KernelFile file = read_kernel(options.check);
    to_stdout("lesson {}, {}: {}\n", number, lesson.title, options.check);
    const LessonVerdict verdict = judge_lesson(lesson, file, [](const LessonFinding& each) {
        to_stdout("  {}  {}{}{}\n", each.fault.empty() ? "pass " : "WRONG", each.test, each.fault.empty() ? "" : ": ",
                  each.fault);
    });
    if (const auto& speed = verdict.speed)
        to_stdout("  {}  {:.3g} of the speed of {}{}; {} bodies, {:.4g} ms, on {}\n", speed->pass() ? "pass " : "SLOW ",
                  speed->share(), speed->house,
                  speed->target ? fmt::format(", the target is {:g}", *speed->target) : "", speed->times.bodies,
                  1e3 * speed->times.seconds, verdict.device);
    LearnResult progress = read_progress();
    progress.add(lesson, file, verdict);
    write_progress(progress);
    to_stdout("{}\n", verdict.pass() ? "passed" : fmt::format("not passed; a hint: orrery learn {} --hint 1", number));
    return verdict.pass() ? 0 : kCheckFailed;
}

int verify_lessons(const std::vector<Lesson>& lessons) {
    bool sound = true;
    for (const Lesson& lesson : lessons)
        for (const LessonProof& proof : verify_lesson(lesson)) {
            to_stdout("{}  {}, {}{}{}\n", proof.fault.empty() ? "pass " : "WRONG", lesson.id, proof.kernel,
                      proof.fault.empty() ? "" : ": ", proof.fault);
            sound &= proof.fault.empty();
        }
    return sound ? 0 : kCheckFailed;
}

/// The records of all lessons that were tried, in the order of the lessons.
int write_result(const std::vector<Lesson>& lessons, const LearnOptions& options) {
    LearnResult result{.learner = options.learner};
    const LearnResult progress = read_progress();
    for (const Lesson& lesson : lessons)
        if (const LessonRecord* const record = progress.find(lesson.id)) result.lessons.push_back(*record);
    if (result.lessons.empty()) usage_error("no lesson has been tried yet: see orrery learn");
    write_file(options.result, result.json());
    to_stdout("wrote {}: {} lesson{}\n", options.result, result.lessons.size(), result.lessons.size() == 1 ? "" : "s");
    return 0;
}

int collect(const LearnOptions& options) {
    const bool csv = options.output.ends_with(".csv");
    if (!csv && !options.output.ends_with(".svg"))
        usage_error(fmt::format("-o {}: expected a name that ends in .svg or .csv", options.output));
    const std::vector<LearnResult> results = read_class(options.collect);
    write_file(options.output, csv ? class_csv(results) : class_svg(results));
    to_stdout("wrote {}: {} learner{}\n", options.output, results.size(), results.size() == 1 ? "" : "s");
    return 0;
}

int learn(const LearnOptions& options) {
    if (!options.collect.empty()) return collect(options);
    std::vector<Lesson> lessons = all_lessons(options.folder);
    if (!options.result.empty()) return write_result(lessons, options);
    if (options.lesson.empty()) {
        if (options.verify) return verify_lessons(lessons);
        if (options.start || !options.check.empty() || options.hint != 0 || options.solution)
            usage_error("name the lesson: orrery learn 1 --check FILE");
        return list_lessons(lessons);
    }
    const std::size_t at = find_lesson(lessons, options.lesson), number = at + 1;
    const Lesson& lesson = lessons[at];
    if (options.verify) return verify_lessons({lesson});
    if (options.start) return write_start(lesson, options, number);
    if (!options.check.empty()) return check_attempt(lesson, options, number);
    if (options.hint != 0) {
        to_stdout("{}\n", lesson.hints[static_cast<std::size_t>(options.hint) - 1]);
        return 0;
    }
    if (options.solution) {
        to_stdout("{}", lesson.solution(language_of(options, lesson)).file.text);
        return 0;
    }
    return show_lesson(lesson, number);
}

}  // namespace

Work declare_learn(CLI::App& app) {
    const auto options = std::make_shared<LearnOptions>();
    app.add_option("LESSON", options->lesson, "Number or id of a lesson (default: list all)");
    auto* const start = app.add_option("--start", options->start_path,
                                       "Write the kernel with the hole to this file (default: a name by the lesson)");
    start->expected(0, 1);
    auto* const check = app.add_option("--check", options->check, "Mark this kernel: tests, then speed");
    auto* const hint = app.add_option("--hint", options->hint, "Print a hint")->check(CLI::Range{1, 3});
    auto* const solution = app.add_flag("--solution", options->solution, "Print the solution");
    auto* const verify = app.add_flag(
        "--verify", options->verify,
        "For teachers: test the lesson itself (default: all): its start and mistakes fail, its solution passes");
    auto* const result = app.add_option("--result", options->result, "Write the progress to this JSON file");
    auto* const collect =
        app.add_option("--collect", options->collect, "For teachers: draw the results in this folder");
    auto* const output = app.add_option("-o,--output", options->output, "File of --collect, .svg or .csv");
    app.add_option("--language", options->language, "Language of the start or the solution: c++, glsl or cuda");
    app.add_option("--name", options->learner, "Name of the learner in the file of --result")->needs(result);
    app.add_option("--lessons", options->folder, "Folder of further lessons");
    output->needs(collect), collect->needs(output);
    const std::vector<CLI::Option*> actions{start, check, hint, solution, verify, result, collect};
    for (CLI::Option* const each : actions)
        for (CLI::Option* const other : actions)
            if (each != other) each->excludes(other);
    app.footer(
        "A lesson is a text, a kernel with a hole, tests and a speed to reach. The progress is kept in "
        "~/.local/state/orrery/learn.json. Examples:\n  orrery learn 1\n  orrery learn 1 --start\n  orrery learn 1 "
        "--check naive.cpp\n  orrery learn --result anna.json --name Anna\n  orrery learn --collect class -o "
        "class.svg");
    return [options, start] {
        options->start = start->count() > 0;
        return learn(*options);
    };
}

}  // namespace orrery
