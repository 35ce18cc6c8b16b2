// SPDX-License-Identifier: MIT
#include "app/window/window.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/cli/options.hpp"
#include "app/cli/scene_option.hpp"
#include "app/commands/commands.hpp"
#include "core/presets/presets.hpp"

namespace orrery {

Work declare_window(CLI::App& app) {
    struct Options {
        SceneOptions scene{.asked = {.source = std::string{kDefaultPreset}}};
        EngineOptions engine;
        WindowConfig window;
    };
    const auto options = std::make_shared<Options>();
    add_source(app, options->scene, Source::kOptional);
    add_more_sources(app, options->scene);
    add_scene(app, options->scene);
    add_integrator(app, options->scene);
    add_engine(app, options->engine);
    app.add_option("--width", options->window.width, "Width of the window (default: as last time, initially 1280)")
        ->check(CLI::Range(64, 16384));
    app.add_option("--height", options->window.height, "Height of the window (default: as last time, initially 720)")
        ->check(CLI::Range(64, 16384));
    app.add_flag("--fullscreen", options->window.fullscreen, "Open in full screen");
    app.add_flag("--fresh", options->window.fresh,
                 "Neither read nor write the settings file of the window: size, open panel, view");
    app.add_flag("--attract", options->window.attract,
                 "Start in attract mode: one scene after another, until there is input");
    app.add_option("--max-fps", options->window.max_fps, "Maximum number of frames per second of the window")
        ->check(CLI::Range(1.0, 1000.0))
        ->capture_default_str();
    app.add_option("--ui-map", options->window.ui_map,
                   "Rewrite this file with every frame: positions of the widgets and the state, as JSON");
    app.add_option_function<std::string>(
           "--clock",
           [options](const std::string& id) {
               options->window.clock = id == "steps" ? ClockKind::kSteps : ClockKind::kWall;
           },
           "Time of the window's animations: wall time, or steps of 1/60 s per frame, for tests")
        ->check(CLI::IsMember({"wall", "steps"}))
        ->default_str("wall");
    app.footer(
        "Without a command, a window opens. Examples:\n  orrery                              two galaxies collide\n  "
        "orrery plummer --bodies 20000       a star cluster\n  orrery snapshot.tipsy --dt 0.01     your own bodies\n  "
        "orrery record collision -o out.mp4  a video, without a display\norrery COMMAND --help describes a "
        "command.\nExit codes: 0 done, 1 a check failed, 2 invalid request, 3 the machine cannot do it.");
    return [options, &app] {
        const std::string named = options->scene.asked.source;
        auto file = adopt_scene(options->scene, &options->engine);
        if (file) apply_typed(app);
        WindowConfig config = options->window;
        if (file) config.look = std::move(*file), config.scene_source = named;
        config.scene = options->scene.request();
        config.engine = options->engine.config();
        config.engine_chosen = options->engine.chosen();
        config.engine_of_scene = options->engine.of_scene();
        return run_window(config);
    };
}

}  // namespace orrery
