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
    std::filesystem::path path{}, ui_map{};  ///< of the film, and of its state, if that is wanted
    const Session* replayed = nullptr;       ///< what is done again meanwhile, if anything
};

/// A recording without a window: steps, drawing, copying and encoding of different pictures overlap. Needs the GL
/// context of `filming` current in every member.
class Film {
public:
    Film(const FilmPlan& plan, ComparedRun& run, Filming& filming, BackgroundRecorder& recorder);

    /// Picture after picture, each followed by its steps, and the end of the file. Returns how many there are: fewer
    /// than planned after an interruption. An error in the middle says where the film so far is: in `unfinished`, as
    /// the recorder says.
    std::uint64_t make(const std::filesystem::path& unfinished);

    /// Each picture's; `frame` is of those after the first.
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
