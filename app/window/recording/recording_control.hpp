// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/scene_file.hpp"
#include "app/window/features.hpp"
#include "app/window/recording/window_recording.hpp"
#include "app/window/window_core.hpp"
#include "app/window/window_picture.hpp"

namespace orrery {

/// The action as a session records it; none if a session does not repeat it. Makes its engine reproducible to the bit.
std::optional<ComputedAction> recorded(Action& action);

/// Records a series of snapshots of the running simulation, at the user's request.
class SnapshotsControl {
public:
    explicit SnapshotsControl(WindowCore& core) : core_{core} {}
    void toggle();  ///< starts a series with the settings of the page Recording, or ends it
    void watch();   ///< once per frame: reports when a series has ended

private:
    WindowCore& core_;
    bool under_way_ = false;
};

/// Recording from the window: paces the simulation, passes its frames on, and in a session delays changes of the bodies
/// to the next frame, so that they can be repeated there. Needs the window's GL context.
class RecordingControl final : public Feature {
public:
    RecordingControl(WindowCore& core, const WindowPicture& picture)
        : core_{core}, picture_{picture}, recording_{core.clock}, snapshots_{core} {}

    /// Sends it to the simulation: at once, or with the next frame of a session.
    void act(Action action);
    /// Starts or ends a recording; `scene` is the current scene, with which a session begins.
    void toggle(const GlInfo& gl, const SceneFile& scene);
    /// Records the camera path from its first key to its last, one round of a loop, then stops; a mouse move that ends
    /// the path also ends the recording.
    void film_path(const GlInfo& gl, const SceneFile& scene);
    void cancel();
    void finish();  ///< ends a recording in progress and waits for its file

    void take_frame(bool newer);  ///< a frame of the simulation, as soon as the encoder has room
    /// While the bodies are paused, records changes of the camera and the view settings, at the pace of the video. Not
    /// in a session, whose frames belong to steps.
    void film_still();
    void take_window();      ///< the same with the panels, after they are drawn
    void update() override;  ///< the encoder works in the background

    SnapshotsControl& snapshots() { return snapshots_; }
    bool active() const { return recording_.active(); }
    bool ending() const { return recording_.ending(); }
    const std::string& last_made() const { return last_made_; }  ///< path of the last video; empty: none yet
    bool has_frame() const { return paced_frame_; }              ///< a frame waits to be recorded
    bool wants_window() const { return (paced_frame_ || still_window_) && recording_.with_ui(); }
    /// True if more frames are due than the window draws.
    bool hurries() const { return recording_.active() && !recording_.with_ui() && recording_.behind(); }

private:
    using Clock = std::chrono::steady_clock;

    void begin(const RecordSettings& chosen, const GlInfo& gl, const SceneFile& scene);
    bool path_interrupted() const;
    void start_session(SceneFile start, int steps_per_frame);
    void pace(int steps_per_frame);  ///< 0: the recording has ended
    void release_held();
    void end();
    void show_halos(bool compared);
    std::optional<OtherBodies> other_bodies() const;
    template <class Add>
    void take(const Add& add);
    template <class Add>
    void add_one(const Add& add);
    bool seen_change() const;
    void report_pause();

    WindowCore& core_;
    const WindowPicture& picture_;
    WindowRecording recording_;
    SnapshotsControl snapshots_;
    std::string last_made_;
    std::vector<Action> held_;                                        // until the next frame of a session
    CameraPose filmed_pose_;                                          // of the last recorded frame
    ViewSettings filmed_view_;                                        // of the last recorded frame
    bool still_window_ = false;                                       // while paused: a frame with panels is due
    bool pause_reported_ = false;                                     // the user knows that nothing is recorded
    bool films_path_ = false;                                         // ends with the camera path
    bool paced_frame_ = false;                                        // the simulation waits until it is recorded
    Clock::time_point acknowledged_;                                  // time of the last acknowledgement
    bool made_deterministic_ = false, made_b_deterministic_ = false;  // the engines, for the current recording
    /// Before a session, and its own, if that states what measurements had chosen.
    struct OpenEngine {
        EngineConfig asked, used;
    };
    std::optional<OpenEngine> open_engine_;
};

}  // namespace orrery
