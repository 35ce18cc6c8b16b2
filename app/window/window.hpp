// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <ratio>

#include "app/platform/surface.hpp"
#include "app/scene/scene_file.hpp"
#include "core/engines/config.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {

enum class ClockKind {
    kWall,
    kSteps,  ///< equal steps, one per frame, however long a frame takes
};

/// The time of everything that moves by itself in the window: camera, held keys, messages, attract mode, ImGui. With
/// kSteps, a script finds the same states on a busy machine as on an idle one. Measurements use
/// std::chrono::steady_clock.
class WindowClock {
public:
    using Clock = std::chrono::steady_clock;
    using TimePoint = Clock::time_point;

    /// `steps`: steps per second, for kSteps.
    explicit WindowClock(ClockKind kind = ClockKind::kWall, int steps = 60) : kind_{kind}, steps_{steps} {}

    ClockKind kind() const { return kind_; }
    /// Call it once, when a frame begins.
    void tick() {
        ++frames_;
        const TimePoint before = last_;
        last_ = now();
        if (frames_ > 1) frame_seconds_ = std::chrono::duration<double>(last_ - before).count();
    }
    TimePoint now() const {
        if (kind_ == ClockKind::kWall) return Clock::now();
        return start_ +
               std::chrono::duration_cast<Clock::duration>(std::chrono::nanoseconds{frames_ * std::nano::den / steps_});
    }
    double seconds() const { return std::chrono::duration<double>(now() - start_).count(); }  ///< since construction
    double frame_seconds() const { return frame_seconds_; }  ///< from the previous frame to this one

private:
    ClockKind kind_;
    int steps_;
    TimePoint start_ = Clock::now(), last_ = start_;
    std::int64_t frames_ = 0;
    double frame_seconds_ = 1.0 / steps_;
};

/// Window settings from the command line. A value.
struct WindowConfig {
    SceneRequest scene;
    EngineConfig engine;
    std::optional<SceneFile> look;  ///< the named scene file: its view, camera and so on
    std::string kernel_path;        ///< of --kernel; empty: none
    std::string scene_source;       ///< its name as typed
    bool engine_chosen =
        false;  ///< the user chose an engine, a backend or a precision: the report states the source of the choice
    bool engine_of_scene = false;      ///< the engine came with the scene, and is dropped with it
    std::filesystem::path ui_map;      ///< rewritten every frame for scripts; empty: none
    std::optional<int> width, height;  ///< in screen coordinates; empty: as last time
    bool fresh = false;                ///< settings are neither read nor written
    bool attract = false;              ///< starts in attract mode
    bool gallery = false;              ///< starts with the gallery over the bodies, unless the user has turned that off
    bool fullscreen = false;
    ClockKind clock = ClockKind::kWall;
    int clock_steps = 60;  ///< steps per second, for ClockKind::kSteps
    std::string halos;     ///< catalogue that is opened with the first scene; empty: none
    std::string language;  ///< id of languages(); empty: as in the settings
    double max_fps = 60;   ///< of the window; the swap interval does not throttle under a virtual display
};

/// Shows the window on a surface from `make` and runs it until it is closed. Returns 0. Throws Error if the surface
/// cannot be made, and what the simulation throws for the requested scene and engine.
int run_window(const WindowConfig& config, const MakeSurface& make);

/// Opens a desktop window and runs it until it is closed. Returns 0. Throws Error if there is no display or no OpenGL
/// 4.5, and what the simulation throws for the requested scene and engine.
int run_window(const WindowConfig& config);

}  // namespace orrery
