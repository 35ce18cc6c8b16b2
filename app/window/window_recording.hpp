// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <memory>
#include <optional>

#include "app/record/background_recorder.hpp"
#include "app/record/picture_maker.hpp"
#include "app/record/stage_times.hpp"
#include "app/scene/session.hpp"
#include "app/ui/ui_state.hpp"
#include "app/window/window_clock.hpp"

namespace orrery {

/// The record button's end of the recorders: draws at the size asked for, encodes on another thread, and notes the
/// session. Needs the window's GL context current in every member, destructor included.
class WindowRecording {
public:
    explicit WindowRecording(const WindowClock& clock) : clock_{clock} {}
    /// Throws as make_recorder() does, and when the disk holds less than the recording will need; then nothing has
    /// begun. Sizes of the window in pixels; of a film odd ones lose a row or column.
    void start(const RecordSettings& settings, const GlInfo& gl, int width, int height);
    /// From now on what happens is noted beside the film.
    void note_session(const SceneFile& start);

    /// Whether a picture can be added without waiting.
    bool room() const;
    /// The next picture. Throws when the recorder has failed; the recording is then over.
    /// With `other`, the frame's comparison.
    void add(const SharedBuffer& bodies, const Frame& frame, const CameraPose& pose, const ViewSettings& view,
             const OtherBodies* other = nullptr);
    void add_window(const Frame& frame);  ///< with the panels: as it is on the screen
    /// The next picture is due, for the film to be made in as much time as it shows.
    bool behind() const { return active() && clock_.now() >= due_; }
    /// Of the simulation, while the recording waits for its steps.
    void took_step(double seconds) { times_.step += seconds; }
    /// What acts after the picture that was added last.
    void note(const SessionEvent& event);

    /// Completes the file, on other threads: then poll() tells.
    void stop();
    /// Ends at once and removes what was written, but for pictures of a sequence.
    void cancel();
    /// Ends at once; what was written of a film stays, playable, as NAME.partial.
    void abandon();
    /// Waits for what stop() began.
    void wait();
    /// Brings the state up to date. True once, when a recording has come to its end; throws when it has failed.
    bool poll();

    bool active() const { return encoder_ && !ending_; }  ///< takes pictures
    bool ending() const { return encoder_ && ending_; }   ///< encodes what is left
    bool complete() const { return state_.planned > 0 && state_.frames >= state_.planned; }
    bool with_ui() const { return with_ui_; }
    bool has_session() const { return session_ != nullptr; }
    const RecordingState& state() const { return state_; }  ///< of the one under way, else of the last

private:
    void added(const Frame& frame);
    void hand_over();  ///< pictures that have come, as far as there is room
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
    WindowClock::TimePoint due_;
    WindowClock::Clock::duration period_{};
    RecordingState state_;
};

/// "orrery-20240131-235959" with this in between; never the name of something that exists.
std::string name_by_time(std::string_view suffix);

}  // namespace orrery
