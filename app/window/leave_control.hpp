// SPDX-License-Identifier: MIT
#pragma once
#include "app/window/recording_control.hpp"
#include "app/window/scene_control.hpp"

namespace orrery {

/// What ends when the window closes.
struct AtStake {
    bool recording = false;  ///< of a video or pictures
    bool snapshots = false;  ///< a series of snapshots is being written
    bool lab = false;        ///< the laboratory measures
    bool edits = false;      ///< bodies were changed by hand and not saved since
    double run_seconds = 0;  ///< for how long the scene has been shown,
    std::int64_t steps = 0;  ///< of which so many steps were computed
};
LeaveQuestion leave_question(const AtStake& stake);

/// Asks before something is lost, whatever closes the window: a key, its frame or the desktop; and does what is
/// answered.
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
    AtStake at_stake() const;

    WindowCore& core_;
    Surface& window_;
    const RecordingControl& recording_;
    SceneControl& scenes_;
    std::size_t undos_saved_ = 0;         // edits in the last state that was written, or in the scene as it came
    std::optional<double> edited_saved_;  // time of the last of these edits
    std::uint64_t saved_seen_ = 0, scene_seen_ = 0;
    std::optional<std::uint64_t> saved_before_, refused_before_;  // serials, while the bodies are being saved
};

}  // namespace orrery
