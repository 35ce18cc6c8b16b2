// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/scene_file.hpp"
#include "app/window/window_core.hpp"
#include "app/window/window_picture.hpp"
#include "app/window/window_recording.hpp"

namespace orrery {

/// As a session records it, or none that it has to repeat. An engine is made one that repeats its bits first.
std::optional<ComputedAction> recorded(Action& action);

/// Recording by hand: paces the simulation, passes its frames on, and for a session holds back what changes bodies
/// until the next picture, so that it can be repeated there. Needs the window's GL context.
class RecordingControl {
public:
    RecordingControl(WindowCore& core, const WindowPicture& picture)
        : core_{core}, picture_{picture}, recording_{core.clock} {}

    /// Sends it to the simulation: at once, or with the next picture of a session.
    void act(Action action);
    /// Starts or ends a recording; `scene` is what is shown, which a session begins with.
    void toggle(const GlInfo& gl, const SceneFile& scene);
    void cancel();
    void finish();  ///< ends a recording under way and waits for its file

    void take_frame(bool newer);  ///< of the simulation, as soon as the encoder has room
    /// While the bodies are paused: what the camera or the picture's settings change is filmed, at the pace of the
    /// video. Not in a session, whose frames are of steps.
    void film_still();
    void take_window();  ///< the same with the panels, when they are drawn
    void watch();        ///< once per frame: the encoder works on its own

    bool active() const { return recording_.active(); }
    bool ending() const { return recording_.ending(); }
    const std::string& last_made() const { return last_made_; }  ///< path of the last film; empty: none yet
    bool has_frame() const { return paced_frame_; }              ///< that waits to be recorded
    bool wants_window() const { return (paced_frame_ || still_window_) && recording_.with_ui(); }
    /// More pictures are due than the window draws.
    bool hurries() const { return recording_.active() && !recording_.with_ui() && recording_.behind(); }

private:
    using Clock = std::chrono::steady_clock;

    void start_session(SceneFile start, int steps_per_frame);
    void pace(int steps_per_frame);  ///< 0: the recording is over
    void release_held();
    void end();
    std::optional<OtherBodies> other_bodies() const;
    template <class Add>
    void take(const Add& add);
    template <class Add>
    void add_one(const Add& add);
    bool seen_change() const;
    void tell_pause();

    WindowCore& core_;
    const WindowPicture& picture_;
    WindowRecording recording_;
    std::string last_made_;
    std::vector<Action> held_;                                        // until the next picture of a session
    CameraPose filmed_pose_;                                          // of the last frame
    ViewSettings filmed_view_;                                        // likewise
    bool still_window_ = false;                                       // a frame at rest, with panels, is due
    bool told_paused_ = false;                                        // that nothing is filmed
    bool paced_frame_ = false;                                        // the simulation waits for it to be recorded
    Clock::time_point acknowledged_;                                  // the one before
    bool made_deterministic_ = false, made_b_deterministic_ = false;  // the engines, for the recording under way
};

}  // namespace orrery
