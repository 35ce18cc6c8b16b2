// SPDX-License-Identifier: MIT
#include "app/window/leave/leave_control.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/ui/words.hpp"
#include "app/window/command_table.hpp"
#include "app/window/features.hpp"
#include "app/window/learn/learn_page.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"

namespace orrery {

LeaveQuestion leave_question(const AtStake& stake) {
    constexpr double kLongRun = 3600;  // seconds
    const bool run = stake.run_seconds > kLongRun && stake.steps != 0;
    LeaveQuestion question;
    const auto say = [&](bool so, const char* line) {
        if (so) question.text += (question.text.empty() ? "" : "\n") + std::string{line};
    };
    say(stake.recording, "A recording is under way. Closing the window ends it; the video so far is kept.");
    say(stake.snapshots, "A series of snapshots is being written. Closing the window ends it; its files are kept.");
    say(stake.lab, "The laboratory is measuring. Closing the window discards the measurements.");
    say(stake.edits, "Bodies were changed by hand and are not saved.");
    say(run, "This run is more than an hour old. Closing the window discards it.");
    question.may_save = stake.edits || run;
    question.leave = question.may_save ? "Close without saving"
                     : stake.recording ? "End the recording and close"
                                       : "Close the window";
    if (question.may_save)
        question.enter = LeaveAnswer::kSaveAndLeave;
    else if (!stake.lab)
        question.enter = LeaveAnswer::kLeave;
    return question;
}

AtStake LeaveControl::at_stake() const {
    const Status& status = core_.simulation.status();
    AtStake stake{
        .recording = recording_.active(), .snapshots = status.saving.snapshots.on, .lab = core_.state.lab.run.running};
    if (!core_.simulation.ready() || status.source.series.on) return stake;
    // Without memory for undo states, compare the time of the last edit.
    stake.edits =
        status.edits.time && (status.edits.undos != undos_saved_ ||
                              (status.edits.dropped && status.edits.undos == 0 && status.edits.time != edited_saved_));
    stake.run_seconds = core_.clock.seconds() - scenes_.began(), stake.steps = status.step;
    return stake;
}

void LeaveControl::ask() {
    LeaveQuestion question = leave_question(at_stake());
    if (!question.asked()) return window_.close();
    core_.state.palette.on = false;  // its text field would take the keyboard
    core_.state.leave = std::move(question);
    window_.raise();
}

void LeaveControl::answer(LeaveAnswer answer) {
    core_.state.leave = {};
    if (answer == LeaveAnswer::kLeave) window_.close();
    if (answer != LeaveAnswer::kSaveAndLeave) return;
    const Status& status = core_.simulation.status();
    saved_before_ = status.saving.serial, refused_before_ = status.message.serial;
    scenes_.save_state();
}

void LeaveControl::key(int key) {
    if (key == GLFW_KEY_ESCAPE) answer(LeaveAnswer::kStay);
    if (key == GLFW_KEY_ENTER || key == GLFW_KEY_KP_ENTER) answer(core_.state.leave.enter);
}

void LeaveControl::apply(const UiRequests& requests) {
    if (requests.leave) answer(*requests.leave);
}

void LeaveControl::end_frame() {
    const Status& status = core_.simulation.status();
    const bool other = std::exchange(scene_seen_, status.scene.serial) != status.scene.serial;
    const bool saved = std::exchange(saved_seen_, status.saving.serial) != status.saving.serial;
    if (other || saved) undos_saved_ = status.edits.undos, edited_saved_ = status.edits.time;
    if (!saved_before_) return;
    if (status.saving.serial != *saved_before_) window_.close();
    if (status.saving.serial != *saved_before_ || status.message.serial != *refused_before_) saved_before_.reset();
}

namespace {

using namespace command_table;

void quit(Window& w, int) {
    if (w.imgui.close_list()) return;
    if (w.core.state.palette.on)
        w.core.state.palette.on = false;
    else if (w.core.state.layout.keyboard)
        w.layout.set_keyboard(false);
    else if (w.core.state.gallery.on && !w.core.state.layout.help)
        w.gallery.close();
    else if (w.core.state.layout.help)
        w.core.state.layout.help = false;
    else if (w.core.state.own.of<LearnPage>().reading)
        w.core.state.own.of<LearnPage>().reading = false;
    else if (w.core.state.tour.on)
        w.tour.end();
    else if (!w.core.state.plots.large.empty())
        w.core.state.plots.large.clear();
    else if (w.core.state.hand.tool.adds || w.core.state.hand.tool.brushes)
        w.core.state.hand.tool.adds.reset(), w.core.state.hand.tool.brushes.reset();
    else if (w.core.state.hand.picked)
        w.hand.pick(nullptr);
    else
        w.leave.ask();
}

constexpr auto kLeaveCommands = std::to_array<WindowCommand>({
    anywhere(line(Command::kQuit, quit, GLFW_KEY_ESCAPE, "Esc",
                  "close what is open, deselect, then quit; asks before something is lost")),
});

/// The question before the window closes, over everything else.
void draw_question(Window&, DrawnFrame& frame) {
    const LeaveQuestion& question = frame.state.leave;
    Widgets& ui = frame.ui;
    if (!question.asked()) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::min(380 * ui.scale(), screen.x - 60 * ui.scale());
    ImGui::GetBackgroundDrawList()->AddRectFilled({0, 0}, screen, IM_COL32(0, 0, 0, 120));
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    keep_in_front("leave");
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
    if (ImGui::Begin("leave", nullptr, kDialogWindow)) {
        for (std::string_view rest = question.text; !rest.empty();) {
            const std::string_view line = rest.substr(0, rest.find('\n'));
            write_wrapped(tr(line), ImGui::GetCursorPosX() + width);
            ImGui::Dummy({width, 0});
            rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        }
        ImGui::Spacing();
        const auto by_enter = [&](LeaveAnswer answer) { return question.enter == answer; };
        if (question.may_save &&
            ui.primary("Save the bodies and close",
                       "Writes them as a checkpoint, which the gallery opens again. Key Enter", width))
            frame.requests.leave = LeaveAnswer::kSaveAndLeave;
        const ButtonRole role = by_enter(LeaveAnswer::kLeave) ? ButtonRole::kPrimary : ButtonRole::kPlain;
        if (ui.button(question.leave, {.role = role},
                      by_enter(LeaveAnswer::kLeave) ? "Key Enter" : "Everything named above is lost", width))
            frame.requests.leave = LeaveAnswer::kLeave;
        if (ui.button("Stay", by_enter(LeaveAnswer::kStay) ? "Key Enter or Esc" : "Key Esc", width))
            frame.requests.leave = LeaveAnswer::kStay;
    }
    ImGui::End();
    ImGui::PopStyleColor();
}

constexpr auto kLeaveOverlays = std::to_array<Overlay>({
    {Layer::kQuestion, draw_question, [](const UiState& state) { return state.leave.asked(); }},
});

void describe_leave(nlohmann::json& map, const UiState& state) { map["leave"] = state.leave.text; }

}  // namespace

FeatureEntry leave_feature() {
    return {.commands = kLeaveCommands, .overlays = kLeaveOverlays, .describe = describe_leave};
}

}  // namespace orrery
