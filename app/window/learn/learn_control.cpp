// SPDX-License-Identifier: MIT
#include "app/window/learn/learn_control.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

#include "app/window/kernel/kernel_page.hpp"
#include "core/base/files.hpp"

namespace orrery {

LearnControl::LearnControl(WindowCore& core, bool elsewhere)
    : core_{core}, elsewhere_{elsewhere}, work_{mark, [](News& news, const std::string& failure) {
                                                    news.marks.failure = failure;
                                                    news.marks.done = true;
                                                }} {}

void LearnControl::mark(const Work::Task& task) {
    const KernelFile file = parse_kernel(task.job().text, task.job().name);
    const LessonVerdict verdict = judge_lesson(task.job().lesson, file, [&](const LessonFinding& found) {
        task.publish([&](News& news) { news.marks.findings.push_back(found); });
    });
    task.publish([&](News& news) { news.file = file, news.verdict = verdict, news.marks.speed = verdict.speed; });
}

/// Writes the start, unless the learner has begun before, and opens it on the page Kernel.
void LearnControl::begin_lesson() {
    const Lesson* const lesson = page().chosen();
    if (!lesson || elsewhere_) return;
    core_.messages.attempt([&] {
        const KernelFile& start = lesson->starts.at(page().language).file;
        const std::filesystem::path folder = attempts_folder(),
                                    path = folder / lesson_file_name(*lesson, start.language);
        std::error_code error;
        std::filesystem::create_directories(folder, error);
        if (!std::filesystem::exists(path)) {
            OutputFile file{path};
            file.write(start.text);
            file.commit();
        }
        open_as_kernel(core_.state, path);
    });
}

void LearnControl::check() {
    const Lesson* const lesson = page().chosen();
    const auto& kernel = core_.state.own.of<KernelPage>();
    if (!lesson || elsewhere_) return;
    work_.start({*lesson, kernel.text, kernel.name},
                [&](News& news) { news = {.marks = {.lesson = lesson->id}, .file = {}, .verdict = {}}; });
}

void LearnControl::update() {
    LearnPage& shown = page();
    shown.elsewhere = elsewhere_;
    if (!shown.lessons && !failed_ && core_.state.layout.panel == "learn") {
        failed_ = true;
        core_.messages.attempt([&] {
            shown.lessons = std::make_shared<const std::vector<Lesson>>(all_lessons({}));
            shown.progress = read_progress();
            failed_ = false;
        });
    }
    shown.checking = work_.busy();
    const auto news = work_.take([](News& all, bool changed) { return changed ? std::optional{all} : std::nullopt; });
    if (!news || news->marks.lesson.empty()) return;
    shown.marks = news->marks;
    if (!shown.marks.done || !shown.marks.failure.empty()) return;
    for (const Lesson& lesson : *shown.lessons)
        if (lesson.id == shown.marks.lesson) shown.progress.add(lesson, news->file, news->verdict);
    core_.messages.attempt([&] { write_progress(shown.progress); });
}

void LearnControl::apply(const UiRequests&) {
    const LearnWish wish = std::exchange(page().wish, {});
    if (wish.begin) begin_lesson();
    if (wish.check) check();
}

}  // namespace orrery
