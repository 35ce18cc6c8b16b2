// SPDX-License-Identifier: MIT
#pragma once
#include "app/cli/options.hpp"
#include "app/window/window.hpp"
#include "core/presets/presets.hpp"

namespace orrery {

/// Options of a window, whether on a display or served.
struct WindowOptions {
    SceneOptions scene{.given = {.source = std::string{kDefaultPreset}}};
    EngineOptions engine;
    WindowConfig window;
};

void add_window(CLI::App& app, WindowOptions& options);
/// The configuration given by the parsed options.
WindowConfig window_config(CLI::App& app, WindowOptions& options);

}  // namespace orrery
