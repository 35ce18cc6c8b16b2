// SPDX-License-Identifier: MIT
#include "app/window/leave/leave_control.hpp"
#include "app/window/command_table.hpp"
#include "app/window/features.hpp"
#include "app/window/learn/learn_page.hpp"
#include "app/window/overlays.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

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
    say(stake.lab, "The laboratory is measuring. Closing the window drops what it has measured.");
    say(stake.edits, "Bodies were changed by hand and are not saved.");
    say(run, "This run is more than an hour old. Closing the window drops it.");
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

void draw_question(Window&, DrawnFrame& frame) { leave_dialog(frame.ui, frame.state, frame.requests); }

constexpr auto kLeaveOverlays = std::to_array<Overlay>({
    {Layer::kQuestion, draw_question, [](const UiState& state) { return state.leave.asked(); }},
});

void describe_leave(nlohmann::json& map, const UiState& state) { map["leave"] = state.leave.text; }

}  // namespace

FeatureEntry leave_feature() {
    return {.commands = kLeaveCommands, .overlays = kLeaveOverlays, .describe = describe_leave};
}

}  // namespace orrery
