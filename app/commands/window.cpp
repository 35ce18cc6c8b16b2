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
        SceneOptions scene{.source = std::string{kDefaultPreset}};
        EngineOptions engine;
        WindowConfig window;
    };
    const auto options = std::make_shared<Options>();
    add_source(app, options->scene, Source::kOptional);
    add_scene(app, options->scene);
    add_integrator(app, options->scene);
    add_engine(app, options->engine);
    app.add_option("--width", options->window.width, "Width of the window; without it as the last time, at first 1280")
        ->check(CLI::Range(64, 16384));
    app.add_option("--height", options->window.height,
                   "Height of the window; without it as the last time, at first 720")
        ->check(CLI::Range(64, 16384));
    app.add_flag("--fullscreen", options->window.fullscreen, "Fill the screen");
    app.add_flag("--fresh", options->window.fresh,
                 "Neither read nor write what windows remember: size, open panel, view");
    app.add_flag("--attract", options->window.attract, "Begin with scene after scene, until there is input");
    app.add_option("--max-fps", options->window.max_fps, "Pictures per second that the window does not exceed")
        ->check(CLI::Range(1.0, 1000.0))
        ->capture_default_str();
    app.add_option("--ui-map", options->window.ui_map,
                   "Rewrite this file with every picture: where the widgets are and what the state is, as JSON");
    app.add_option_function<std::string>(
           "--clock",
           [options](const std::string& id) {
               options->window.clock = id == "steps" ? ClockKind::kSteps : ClockKind::kWall;
           },
           "What the window's own movements go by: wall time, or steps of 1/60 s per picture, for tests")
        ->check(CLI::IsMember({"wall", "steps"}))
        ->default_str("wall");
    app.footer(
        "Without a command a window opens. Examples:\n"
        "  orrery                              two galaxies collide\n"
        "  orrery plummer --bodies 20000       a star cluster\n"
        "  orrery snapshot.tipsy --dt 0.01     bodies of your own\n"
        "  orrery record collision -o out.mp4  a film, without a display\n"
        "orrery COMMAND --help says more of a command.\n"
        "Exit codes: 0 done, 1 a check failed, 2 what was asked for makes no sense, 3 the machine cannot do it.");
    return [options, &app] {
        const std::string named = options->scene.source;
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
