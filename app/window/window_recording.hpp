// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "app/record/background_recorder.hpp"
#include "app/record/picture_maker.hpp"
#include "app/record/stage_times.hpp"
#include "app/scene/session.hpp"
#include "app/ui/ui_state.hpp"
#include "app/window/window_clock.hpp"

namespace orrery {

/// The window's link to the recorders: draws at the requested size, encodes on another thread, and logs the session.
/// The window's GL context must be current in every member, including the destructor.
class WindowRecording {
public:
    explicit WindowRecording(const WindowClock& clock) : clock_{clock} {}
    /// Throws as make_recorder() does, and if the disk has too little space; then nothing is started. Sizes of the
    /// window in pixels; videos of odd size lose a row or column.
    void start(const RecordSettings& settings, const GlInfo& gl, int width, int height);
    /// From now on actions are logged next to the video.
    void note_session(const SceneFile& start);

    /// Whether a frame can be added without waiting.
    bool room() const;
    /// Adds the next frame. Throws if the recorder has failed; the recording is then over. With `other`, the frame's
    /// comparison.
    void add(const SharedBuffer& bodies, const Frame& frame, const CameraPose& pose, const ViewSettings& view,
             const OtherBodies* other = nullptr);
    void add_window(const Frame& frame, GLuint screen);  ///< with panels: as shown on the screen
    /// The next frame is due, if the video is to be recorded in real time.
    bool behind() const { return active() && clock_.now() >= due_; }
    /// While the bodies rest: the next frame of a moved camera is due at the video's own pace. Reserves it.
    bool still_due();
    /// Adds simulation time, while the recording waits for steps.
    void took_step(double seconds) { times_.step += seconds; }
    /// Logs an action after the last added frame.
    void note(const ComputedAction& action);

    /// Completes the file on other threads; poll() reports the end.
    void stop();
    /// Stops at once and removes what was written, except frames of a sequence.
    void cancel();
    /// Stops at once; the video so far is kept, playable, as NAME.partial.
    void abandon();
    /// Waits for the completion started by stop().
    void wait();
    /// Updates the state. Returns true once when a recording has ended; throws if it has failed.
    bool poll();

    bool active() const { return encoder_ && !ending_; }  ///< takes frames
    bool ending() const { return encoder_ && ending_; }   ///< encodes the remaining frames
    bool complete() const { return state_.planned > 0 && state_.frames >= state_.planned; }
    bool with_ui() const { return with_ui_; }
    bool has_session() const { return session_ != nullptr; }
    const RecordingState& state() const { return state_; }  ///< of the current one, or else of the last

private:
    std::filesystem::path free_name(const std::filesystem::path& wanted, bool session) const;
    void added(const Frame& frame);
    void hand_over();  ///< adds frames read back, as far as there is room
    Readback* readback();
    const Readback* readback() const;

    std::unique_ptr<BackgroundRecorder> encoder_;
    std::unique_ptr<PictureMaker> maker_;
    std::unique_ptr<Readback> window_pictures_;  // with the panels
    std::optional<RenderTarget> window_copy_;
    StageTimes times_;
    std::unique_ptr<SessionWriter> session_;
    std::optional<CameraPose> noted_pose_;
    std::optional<ViewSettings> noted_view_;
    std::optional<CompareView> noted_seen_;
    std::int64_t last_step_ = 0;
    bool ending_ = false, with_ui_ = false;
    const WindowClock& clock_;
    std::chrono::steady_clock::time_point start_;
    WindowClock::TimePoint due_, still_due_;
    WindowClock::Clock::duration period_{};
    RecordingState state_;
    std::set<std::filesystem::path> own_;  // what this window has written, which it may replace
};

/// "orrery-20240131-235959" with this in between; never the name of something that exists.
std::string name_by_time(std::string_view suffix);

}  // namespace orrery
