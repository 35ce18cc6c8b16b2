// SPDX-License-Identifier: MIT
#pragma once
#include "app/cli/options.hpp"
#include "app/cli/scene_option.hpp"
#include "app/window/window.hpp"
#include "core/presets/presets.hpp"

namespace orrery {

/// What is asked of a window, wherever it is shown.
struct WindowOptions {
    SceneOptions scene{.asked = {.source = std::string{kDefaultPreset}}};
    EngineOptions engine;
    WindowConfig window;
};

void add_window(CLI::App& app, WindowOptions& options);
/// What the options say when they are parsed.
WindowConfig window_config(CLI::App& app, WindowOptions& options);

}  // namespace orrery
