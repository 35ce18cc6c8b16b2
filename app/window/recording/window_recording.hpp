// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "app/record/background_recorder.hpp"
#include "app/record/picture_maker.hpp"
#include "app/scene/session.hpp"
#include "app/window/ui_state.hpp"
#include "app/window/window.hpp"

namespace orrery {

/// The window's link to the recorders: draws at the requested size, encodes on another thread, and logs the session.
/// The window's GL context must be current in every member, including the destructor.
class WindowRecording {
public:
    explicit WindowRecording(const WindowClock& clock) : clock_{clock} {}
    /// Throws like make_recorder(), and if the disk has too little space; nothing is started then. Sizes of the window
    /// in pixels; videos of odd size lose a row or column.
    void start(const RecordSettings& settings, const GlInfo& gl, int width, int height);
    /// Logs actions next to the video from now on.
    void note_session(const SceneFile& start);

    /// True if a frame can be added without waiting.
    bool room() const;
    /// Adds the next frame. Throws if the recorder has failed, which ends the recording. `other`: the bodies of a
    /// comparison.
    void add(const SharedBuffer& bodies, const Frame& frame, const CameraPose& pose, const ViewSettings& view,
             const OtherBodies* other = nullptr);
    /// Draws these haloes over the next frames, where PictureMaker can; not in a session, which does not contain them.
    void show_halos(const ShownHalos& halos, bool compared);
    void add_window(const Frame& frame, GLuint screen);  ///< the screen, with panels
    /// True if the next frame is due, for a video recorded in real time.
    bool behind() const { return active() && clock_.now() >= due_; }
    /// While the bodies are paused: whether the next frame of a moved camera is due, at the pace of the video. Reserves
    /// it.
    bool still_due();
    /// Adds the time that the simulation took for steps, while the recording waited.
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

    bool active() const { return encoder_ && !ending_; }  ///< accepts frames
    bool ending() const { return encoder_ && ending_; }   ///< is encoding the remaining frames
    bool complete() const { return state_.planned > 0 && state_.frames >= state_.planned; }
    bool with_ui() const { return with_ui_; }
    bool has_session() const { return session_ != nullptr; }
    const RecordingState& state() const { return state_; }  ///< of the current recording, otherwise of the last one

private:
    std::filesystem::path free_name(const std::filesystem::path& wanted, bool session) const;
    void added(const Frame& frame);
    std::filesystem::path partial_file() const;
    void measure_file();
    void hand_over();  ///< passes frames that were read back to the encoder, while it has room
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
    std::set<std::filesystem::path> own_;  // files written by this window, which it may replace
};

/// "orrery-20240131-235959" with this suffix; never the name of an existing file.
std::string name_by_time(std::string_view suffix);

}  // namespace orrery
