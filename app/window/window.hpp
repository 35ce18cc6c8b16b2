// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <optional>

#include "app/platform/surface.hpp"
#include "app/scene/scene_file.hpp"
#include "app/window/window_clock.hpp"
#include "core/engines/config.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {

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
