// SPDX-License-Identifier: MIT
#include "app/window/window.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/options.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/window_options.hpp"

namespace orrery {

Work declare_window(CLI::App& app) {
    const auto options = std::make_shared<WindowOptions>();
    add_window(app, *options);
    const HelpGroup window{app, "Window"};
    app.add_option("--width", options->window.width, "Width of the window (default: as last time, initially 1280)")
        ->check(CLI::Range(64, 16384));
    app.add_option("--height", options->window.height, "Height of the window (default: as last time, initially 720)")
        ->check(CLI::Range(64, 16384));
    app.add_flag("--fullscreen", options->window.fullscreen, "Open in full screen");
    app.footer(
        "Without a command, a window opens. Examples:\n  orrery                              two galaxies collide\n  "
        "orrery plummer --bodies 20000       a star cluster\n  orrery snapshot.tipsy --dt 0.01     your own bodies\n  "
        "orrery record collision -o out.mp4  a video, without a display\norrery COMMAND --help describes a "
        "command.\nExit codes: 0 done, 1 a check failed, 2 invalid request, 3 the machine cannot do it, 130 ended by "
        "Ctrl + C.");
    return [options, &app] { return run_window(window_config(app, *options)); };
}

}  // namespace orrery
