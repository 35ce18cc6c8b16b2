// SPDX-License-Identifier: MIT
#include "app/window/leave_control.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace orrery {

LeaveQuestion leave_question(bool recording, double run_seconds, std::int64_t steps) {
    constexpr double kLongRun = 3600;  // seconds
    if (recording)
        return {"A recording is under way. Closing the window ends it; the video so far is kept.",
                "End the recording and close"};
    if (run_seconds > kLongRun && steps != 0)
        return {"This run is more than an hour old. Closing the window drops it.", "Close and drop the run", true};
    return {};
}

void LeaveControl::ask() {
    const bool ready = core_.simulation.ready();
    const Status& status = core_.simulation.status();
    LeaveQuestion question = leave_question(recording_.active(), ready ? core_.clock.seconds() - scenes_.began() : 0,
                                            ready && !status.series.on ? status.step : 0);
    if (!question.asked()) return window_.close();
    core_.state.leave = std::move(question);
}

void LeaveControl::answer(LeaveAnswer answer) {
    core_.state.leave = {};
    if (answer == LeaveAnswer::kLeave) window_.close();
    if (answer != LeaveAnswer::kSaveAndLeave) return;
    const Status& status = core_.simulation.status();
    saved_before_ = status.saved_serial, refused_before_ = status.message_serial;
    scenes_.save_state();
}

void LeaveControl::key(int key) {
    if (key == GLFW_KEY_ESCAPE) answer(LeaveAnswer::kStay);
    if (key == GLFW_KEY_ENTER || key == GLFW_KEY_KP_ENTER) answer(LeaveAnswer::kLeave);
}

void LeaveControl::update() {
    if (!saved_before_) return;
    const Status& status = core_.simulation.status();
    if (status.saved_serial != *saved_before_) window_.close();
    if (status.saved_serial != *saved_before_ || status.message_serial != *refused_before_) saved_before_.reset();
}

}  // namespace orrery
