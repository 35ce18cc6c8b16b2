// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "app/commands/filming.hpp"
#include "app/commands/session_player.hpp"
#include "app/record/background_recorder.hpp"
#include "app/record/stage_times.hpp"

namespace orrery {

struct FilmPlan {
    std::uint64_t pictures, steps_per_frame, steps_before = 0;
    std::filesystem::path path{}, ui_map{};  ///< of the video, and of its state, if requested
    const Session* replayed = nullptr;       ///< the session to repeat, if any
};

/// A recording without a window: steps, drawing, copying and encoding of different pictures overlap. The GL context of
/// `filming` must be current in every member.
class Film {
public:
    Film(const FilmPlan& plan, ComparedRun& run, Filming& filming, BackgroundRecorder& recorder);

    /// Records frame by frame, each followed by its steps, and completes the file. Returns the number of frames: fewer
    /// than planned after an interruption. An error message gives the path of the partial video: `unfinished`, as
    /// stated by the recorder.
    std::uint64_t make(const std::filesystem::path& unfinished);

    /// Mean over all frames; `frame` excludes the first.
    StageTimes times() const;

private:
    using Clock = std::chrono::steady_clock;
    std::uint64_t make_all();
    void draw();
    void hand_over(bool wait);
    void complete();
    void keep() noexcept;

    const FilmPlan& plan_;
    ComparedRun& run_;
    Filming& filming_;
    BackgroundRecorder& recorder_;
    std::optional<SessionPlayer> player_;
    StageTimes times_;
    std::uint64_t drawn_ = 0;
    Clock::time_point after_first_, end_;
};

}  // namespace orrery
