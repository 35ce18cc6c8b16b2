// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "app/commands/frame_renderer.hpp"
#include "app/record/background_recorder.hpp"
#include "app/scene/session.hpp"

namespace orrery {

struct RecordingPlan {
    std::uint64_t pictures, steps_per_frame, steps_before = 0;
    Exposing exposing{};
    double rate_after = 0;                   ///< of a series after steps_before; 0: unchanged
    std::filesystem::path path{}, ui_map{};  ///< of the video, and of its state file if requested
    const Session* replayed = nullptr;       ///< the session to replay, if any
};

/// Replays the user's actions during a recording of the window.
class SessionPlayer {
public:
    explicit SessionPlayer(const Session& session) : session_{session} {}

    /// Draws this frame with its camera and settings, then repeats the actions after it.
    void draw(std::uint64_t number, ComparedRun& run, FrameRenderer& renderer);

private:
    const Session& session_;
    std::size_t next_ = 0;  // next event
    CameraPose pose_;
};

/// Records a video without a window; steps, drawing, copying and encoding of different frames overlap. The GL context
/// of `renderer` must be current in every member function.
class OfflineRecorder {
public:
    OfflineRecorder(const RecordingPlan& plan, ComparedRun& run, FrameRenderer& renderer, BackgroundRecorder& recorder);

    /// Records frame by frame, each followed by its steps, and completes the file. Returns the number of frames, which
    /// is smaller than planned after an interruption. Error messages name the partial video, `unfinished`, as given by
    /// the recorder.
    std::uint64_t make(const std::filesystem::path& unfinished);

    /// Means over all frames; `frame` excludes the first.
    StageTimes times() const;

private:
    using Clock = std::chrono::steady_clock;
    std::uint64_t make_all();
    void draw();
    void expose();
    void hand_over(bool wait);
    void complete();
    void keep() noexcept;

    const RecordingPlan& plan_;
    ComparedRun& run_;
    FrameRenderer& renderer_;
    BackgroundRecorder& recorder_;
    std::optional<SessionPlayer> player_;
    StageTimes times_;
    std::uint64_t drawn_ = 0;
    Clock::time_point after_first_, end_;
};

}  // namespace orrery
