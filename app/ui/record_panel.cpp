// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/record/recorders.hpp"
#include "app/ui/format.hpp"
#include "app/ui/panels.hpp"

namespace orrery {
namespace {

/// "NAME.mp4, NAME.webm": how paths are written for what works here.
std::string names_that_work() {
    std::string names;
    for (const RecorderEntry& entry : recorders())
        if (entry.why_not().empty()) names += (names.empty() ? "" : ", ") + std::string{entry.names};
    return names;
}

void settings(Widgets& ui, const UiState& state, Wishes& wishes) {
    RecordSettings record = state.record;
    bool edited = ui.text("Path", record.path, "named by the time", "File to write: " + names_that_work());
    edited |= ui.whole_number("Frame rate", record.fps, 10, 120, 60, "Frames per second of the video");
    int steps = record.steps_per_frame > 0 ? record.steps_per_frame : state.status.steps_per_frame;
    if (ui.whole_number("Steps / frame", steps, 1, 100, state.status.steps_per_frame,
                        "Steps of dt between two frames. No frame is dropped, however slow the engine"))
        record.steps_per_frame = steps, edited = true;
    if (edited) wishes.record = record;
    ui.value("Resolution", fmt::format("{} × {}", state.width, state.height), "That of the window");
}

}  // namespace

void record_panel(Widgets& ui, const UiState& state, Wishes& wishes) {
    const RecordingState& now = state.recording;
    if (!now.active) {
        settings(ui, state, wishes);
        if (ui.button("Start recording", "The bodies without panels, every frame. Key R", -1))
            wishes.ask(Command::kRecord);
    } else {
        ui.value("To", now.path);
        ui.value("As", fmt::format("{}, {} × {}", now.description, now.width, now.height));
        ui.value("Frames", grouped(now.frames), "Written so far");
        if (ui.button("Stop recording", "Completes the file. Key R", -1)) wishes.ask(Command::kRecord);
    }
    if (!now.active && now.frames > 0) ui.note(fmt::format("{}: {} frames", now.path, grouped(now.frames)));
    ImGui::Spacing();
    if (ui.button("Screenshot", "A PNG of the bodies without panels. Key S", -1)) wishes.ask(Command::kScreenshot);
}

}  // namespace orrery
