// SPDX-License-Identifier: MIT
#pragma once
#include "app/window/recording/recording_control.hpp"
#include "app/window/scenes/scene_control.hpp"

namespace orrery {

/// State that would be lost if the window closed.
struct AtStake {
    bool recording = false;  ///< a video or a series of pictures is being recorded
    bool snapshots = false;  ///< a series of snapshots is being written
    bool lab = false;        ///< the laboratory is measuring
    bool edits = false;      ///< bodies were changed by hand since the last save
    double run_seconds = 0;  ///< time for which the scene has been shown
    std::int64_t steps = 0;  ///< steps computed in that time
};
LeaveQuestion leave_question(const AtStake& stake);

/// Asks before something is lost, whatever closes the window: a key, its frame or the desktop. Carries out the answer.
class LeaveControl final : public Feature {
public:
    LeaveControl(WindowCore& core, Surface& window, const RecordingControl& recording, SceneControl& scenes)
        : core_{core}, window_{window}, recording_{recording}, scenes_{scenes} {}

    void ask();  ///< closes the window if there is nothing to ask
    void apply(const UiRequests& requests) override;
    void end_frame() override;  ///< closes the window once the bodies are saved
    /// While it asks, it takes the keyboard.
    bool asks() const { return core_.state.leave.asked(); }
    void key(int key);

private:
    void answer(LeaveAnswer answer);
    AtStake at_stake() const;

    WindowCore& core_;
    Surface& window_;
    const RecordingControl& recording_;
    SceneControl& scenes_;
    std::size_t undos_saved_ = 0;         // edits in the last saved state, or in the scene as opened
    std::optional<double> edited_saved_;  // time of the last of these edits
    std::uint64_t saved_seen_ = 0, scene_seen_ = 0;
    std::optional<std::uint64_t> saved_before_, refused_before_;  // serials, while the bodies are being saved
};

}  // namespace orrery
