// SPDX-License-Identifier: MIT
#pragma once
#include "app/window/recording_control.hpp"
#include "app/window/scene_control.hpp"

namespace orrery {

/// What is asked before the window closes. `run_seconds`: for how long the scene has been shown, of which `steps` were
/// computed.
LeaveQuestion leave_question(bool recording, double run_seconds, std::int64_t steps);

/// Asks before a recording or a long run ends by a key, and does what is answered.
class LeaveControl {
public:
    LeaveControl(WindowCore& core, Surface& window, const RecordingControl& recording, SceneControl& scenes)
        : core_{core}, window_{window}, recording_{recording}, scenes_{scenes} {}

    void ask();  ///< closes the window where there is nothing to ask
    void answer(LeaveAnswer answer);
    /// While it asks it has the keyboard.
    bool asks() const { return core_.state.leave.asked(); }
    void key(int key);
    void update();  ///< once per frame: closes when what was to be saved is

private:
    WindowCore& core_;
    Surface& window_;
    const RecordingControl& recording_;
    SceneControl& scenes_;
    std::optional<std::uint64_t> saved_before_, refused_before_;  // serials, while the bodies are being saved
};

}  // namespace orrery
