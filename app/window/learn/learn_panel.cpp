// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/ui/words.hpp"
#include "app/window/command_table.hpp"
#include "app/window/features.hpp"
#include "app/window/kernel/kernel_page.hpp"
#include "app/window/learn/learn_page.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "app/window/window_core.hpp"
#include "core/base/background_job.hpp"
#include "core/base/files.hpp"

namespace orrery {
namespace {

/// The page Learn: reads the lessons, writes their starts, and marks the text of the page Kernel on a thread.
class LearnControl final : public Feature {
public:
    /// `elsewhere`: the user is at another machine, whose text is not run here and who writes no files here.
    LearnControl(WindowCore& core, bool elsewhere);

    void update() override;
    void apply(const UiRequests& requests) override;
    bool has_news() const override { return work_.busy(); }

private:
    /// A kernel to be marked.
    struct Attempt {
        Lesson lesson;
        std::string text, name;
    };
    struct News {
        LearnMarks marks;
        KernelFile file;        ///< the parsed text
        LessonVerdict verdict;  ///< complete if `marks.done` and there was no failure
    };
    using Work = BackgroundJob<Attempt, News>;

    LearnPage& page() { return core_.state.own.of<LearnPage>(); }
    void begin_lesson();
    void check();
    static void mark(const Work::Task& task);

    WindowCore& core_;
    bool elsewhere_;
    bool failed_ = false;  // the lessons cannot be read
    Work work_;
};

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

constexpr const char* kLessonWindow = "lesson";  // ImGui name
constexpr float kLessonTextWidth = 780;          // pixels at scale 1
constexpr std::string_view kNoFiles = "Viewers in a browser write no files here";

void change_learn(UiRequests& requests, auto set) {
    requests.change([set](UiState& now) { set(now.own.of<LearnPage>()); });
}

std::string numbered_title(const LearnPage& page, std::size_t lesson) {
    return verbatim(fmt::format("{}. {}", lesson + 1, (*page.lessons)[lesson].title));
}

std::string state_of_lesson(const LessonRecord* record) {
    if (!record) return std::string{tr("not tried")};
    if (!record->passed) return count_phrase(static_cast<std::uint64_t>(record->attempts), "attempt");
    return record->share > 0 ? phrase("passed, {:.2f} × {}", record->share, verbatim(record->house))
                             : std::string{tr("passed")};
}

void choose_lesson(Widgets& ui, const LearnPage& page, UiRequests& requests) {
    if (ui.begin_combo("Lesson", numbered_title(page, page.lesson), "Eight lessons, and those of your teacher")) {
        for (std::size_t i = 0; i < page.lessons->size(); ++i)
            if (ui.choice(numbered_title(page, i), i == page.lesson,
                          state_of_lesson(page.progress.find((*page.lessons)[i].id))))
                change_learn(requests, [i](LearnPage& now) { now.lesson = i, now.language = now.hints = 0; });
        ui.end_combo();
    }
    const Lesson& lesson = *page.chosen();
    const auto language = [&](std::size_t i) { return verbatim(std::string{name(lesson.starts[i].file.language)}); };
    if (ui.begin_combo("Language", language(page.language), "Language of the kernel with the hole")) {
        for (std::size_t i = 0; i < lesson.starts.size(); ++i)
            if (ui.choice(language(i), i == page.language, "Begin writes the kernel with the hole in this language"))
                change_learn(requests, [i](LearnPage& now) { now.language = i; });
        ui.end_combo();
    }
    ui.value("Progress", state_of_lesson(page.progress.find(lesson.id)), "Kept for all sessions on this machine");
}

void lesson_buttons(Widgets& ui, const UiState& state, const LearnPage& page, UiRequests& requests) {
    const float width = column_width(2);
    if (ui.button("Read", {.role = ButtonRole::kPrimary}, "Shows the text of the lesson", width))
        change_learn(requests, [](LearnPage& now) { now.reading = true; });
    ImGui::SameLine();
    if (ui.button("Begin", "Opens the kernel with the hole on the page Kernel; what you wrote before is kept", width,
                  page.elsewhere ? kNoFiles : ""))
        change_learn(requests, [](LearnPage& now) { now.wish.begin = true; });
    const bool has_text = !state.own.of<KernelPage>().text.empty();
    if (ui.button("Check", "Marks the text of the page Kernel: tests one by one, then its speed", width,
                  page.elsewhere ? kNoFiles
                  : has_text     ? ""
                                 : "Begin first"))
        change_learn(requests, [](LearnPage& now) { now.wish.check = true; });
    ImGui::SameLine();
    if (ui.button("Hint", "Shows the next of three hints", width,
                  page.hints == kLessonHints ? "All hints are shown" : ""))
        change_learn(requests, [](LearnPage& now) { ++now.hints; });
}

void write_wrong(std::string_view text) {
    ImGui::PushStyleColor(ImGuiCol_Text, record_mark());
    write_wrapped(text);
    ImGui::PopStyleColor();
}

void show_marks(Widgets& ui, const LearnPage& page) {
    const LearnMarks& marks = page.marks;
    if (marks.lesson != page.chosen()->id) return;
    const auto passed = std::ranges::count(marks.findings, std::string{}, &LessonFinding::fault);
    const bool whole = marks.done && marks.speed && marks.speed->pass();
    ui.heading(page.checking ? "Being checked" : whole ? "Passed" : "Not passed");
    ui.value("Tests", phrase("{} of {} passed", passed, page.chosen()->tests.size() + 1),
             "The trial in a separate process, and the tests of the lesson");
    if (!marks.failure.empty()) write_wrong(verbatim(marks.failure));
    for (const LessonFinding& each : marks.findings)
        if (!each.fault.empty()) write_wrong(verbatim(fmt::format("{}: {}", each.test, each.fault)));
    if (!marks.speed) return;
    const LessonSpeed& speed = *marks.speed;
    ui.value("Speed", phrase("{:.2f} × {}", speed.share(), verbatim(speed.house)),
             "Against the engine of the program, on the same device and bodies");
    if (speed.target) ui.value("Target", verbatim(fmt::format("{:g} ×", *speed.target)), "The share that passes");
}

void learn_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    const auto& page = state.own.of<LearnPage>();
    if (!page.chosen()) return ui.note("The lessons cannot be read.");
    choose_lesson(ui, page, requests);
    lesson_buttons(ui, state, page, requests);
    show_marks(ui, page);
    if (page.hints == 0) return;
    ui.heading("Hints");
    for (std::size_t i = 0; i < page.hints; ++i) write_wrapped(verbatim(page.chosen()->hints[i]));
}

/// Writes Markdown: indented lines as they are, in letters of equal width; others joined to paragraphs.
void write_lesson(std::string_view text, float width) {
    std::string paragraph;
    bool drawing = false;
    const auto end_drawing = [&] {
        if (std::exchange(drawing, false)) ImGui::Spacing();
    };
    const auto end_paragraph = [&] {
        if (paragraph.empty()) return;
        std::string plain;
        for (std::size_t i = 0; i < paragraph.size(); ++i)
            if (paragraph[i] != '`' && paragraph[i] != '*') plain += paragraph[i];
        write_wrapped(verbatim(plain), width);
        ImGui::Spacing();
        paragraph.clear();
    };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        at = end + 1;
        if (line.starts_with("    ")) {
            end_paragraph();
            drawing = true;
            ImGui::PushFont(mono_font());
            ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
            write_text(verbatim(std::string{line}));
            ImGui::PopStyleVar();
            ImGui::PopFont();
        } else if (line.empty() || line.starts_with("- ")) {
            end_paragraph(), end_drawing();
            paragraph = line;
        } else {
            if (!paragraph.empty()) paragraph += ' ';
            paragraph += line.substr(std::min(line.find_first_not_of(' '), line.size()));
        }
    }
    end_paragraph();
}

/// The text of the lesson over the window.
void draw_lesson(Window&, DrawnFrame& frame) {
    const auto& page = frame.state.own.of<LearnPage>();
    if (!page.reading || !page.chosen()) return;
    Widgets& ui = frame.ui;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = kOverlayGap * ui.scale(), width = std::min(kLessonTextWidth * ui.scale(), screen.x - 4 * gap);
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSizeConstraints({width + 2 * gap, 0}, {width + 2 * gap, screen.y - 2 * gap});
    keep_in_front(kLessonWindow);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
    if (ImGui::Begin(kLessonWindow, nullptr, kDialogWindow)) {
        ui.heading(numbered_title(page, page.lesson));
        write_lesson(page.chosen()->text, width - gap);
        if (ui.button("Close lesson", "Key Esc", width - gap))
            change_learn(frame.requests, [](LearnPage& now) { now.reading = false; });
    }
    ImGui::End();
    ImGui::PopStyleColor();
}

constexpr auto kLearnPanels = std::to_array<PanelEntry>({
    {"learn", PanelGroup::kScene, "Learn", learn_panel, "Lessons in writing kernels, marked by tests and speed"},
});

constexpr auto kLearnOverlays = std::to_array<Overlay>({
    {Layer::kPalette, draw_lesson, [](const UiState& state) { return state.own.of<LearnPage>().reading; }},
});

void describe_learn(nlohmann::json& map, const UiState& state) {
    const auto& page = state.own.of<LearnPage>();
    const LessonRecord* const record = page.chosen() ? page.progress.find(page.chosen()->id) : nullptr;
    map["learn"] = {{"lesson", page.chosen() ? page.chosen()->id : ""},
                    {"reading", page.reading},
                    {"hints", page.hints},
                    {"checking", page.checking},
                    {"tests", page.marks.findings.size()},
                    {"wrong", std::ranges::count_if(page.marks.findings,
                                                    [](const LessonFinding& each) { return !each.fault.empty(); })},
                    {"done", page.marks.done},
                    {"passed", record && record->passed}};
}

std::unique_ptr<Feature> make_learn_page(Window& w) {
    return std::make_unique<LearnControl>(w.core, w.window.elsewhere());
}

}  // namespace

FeatureEntry learn_feature() {
    return {.panels = kLearnPanels, .overlays = kLearnOverlays, .describe = describe_learn, .make = make_learn_page};
}

}  // namespace orrery
