// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <optional>

#include "app/scene/scene_file.hpp"
#include "app/window/window_clock.hpp"
#include "core/engines/engine.hpp"
#include "core/scene_request.hpp"

namespace orrery {

/// What the command line says of the window. A value.
struct WindowConfig {
    SceneRequest scene;
    EngineConfig engine;
    std::optional<SceneFile> look;  ///< the scene file that was named: its view, camera and so on
    std::string scene_source;       ///< its name as typed
    bool engine_chosen = false;     ///< the person named an engine, a backend or a precision: the report says who chose
    bool engine_of_scene = false;   ///< it is the scene's own, and goes with it
    std::filesystem::path ui_map;   ///< rewritten every frame for scripts; empty: none
    std::optional<int> width, height;  ///< in screen coordinates; empty: as the last time
    bool fresh = false;                ///< nothing is remembered from the last time, nor for the next
    bool attract = false;              ///< begins with scene after scene
    bool fullscreen = false;
    ClockKind clock = ClockKind::kWall;
    double max_fps = 60;  ///< of the window; the swap interval does not throttle under a virtual display
};

/// Opens the window and runs it until it is closed. Returns 0; throws Error when there is no display or no GL 4.5, and
/// what the simulation throws for the scene and the engine asked for.
int run_window(const WindowConfig& config);

}  // namespace orrery
