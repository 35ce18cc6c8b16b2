// SPDX-License-Identifier: MIT
#include "app/commands/window_options.hpp"

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/words.hpp"
#include "app/window/first_engine.hpp"

namespace orrery {

void add_window(CLI::App& app, WindowOptions& options) {
    add_source(app, options.scene, Source::kOptional);
    add_more_sources(app, options.scene);
    add_scene(app, options.scene);
    add_integrator(app, options.scene);
    add_engine(app, options.engine);
    const HelpGroup window{app, "Window"};
    app.add_flag("--fresh", options.window.fresh,
                 "Neither read nor write the settings file of the window: size, open panel, view");
    app.add_flag("--attract", options.window.attract,
                 "Start in attract mode: one scene after another, until there is input");
    std::vector<std::string> known;
    for (const LanguageEntry& entry : languages()) known.emplace_back(entry.id);
    app.add_option("--language", options.window.language,
                   "Language of the window, for this once; auto: that of the environment. Page Info keeps another one")
        ->check(CLI::IsMember(known));
    app.add_option("--max-fps", options.window.max_fps, "Maximum number of frames per second of the window")
        ->check(CLI::Range(1.0, 1000.0))
        ->capture_default_str();
    app.add_option("--ui-map", options.window.ui_map,
                   "Rewrite this file with every frame: positions of the widgets and the state, as JSON");
    app.add_option_function<std::string>(
           "--clock",
           [&options](const std::string& value) {
               options.window.clock = value == "wall" ? ClockKind::kWall : ClockKind::kSteps;
               options.window.clock_steps = value == "wall" || value == "steps" ? 60 : std::stoi(value);
           },
           "Time of the window's animations: wall time, or steps of 1/60 s per frame, or of 1/N s, for tests")
        ->check(CLI::IsMember({"wall", "steps"}) | CLI::Range(1, 1000))
        ->default_str("wall");
}

WindowConfig window_config(CLI::App& app, WindowOptions& options) {
    const std::string named = options.scene.given.source;
    auto file = adopt_scene(options.scene, &options.engine);
    if (file) apply_typed(app);
    WindowConfig config = options.window;
    if (file) config.look = std::move(*file), config.scene_source = named;
    config.scene = options.scene.request();
    config.engine = options.engine.config();
    config.engine_chosen = options.engine.chosen() || !options.engine.knobs.typed.empty();
    if (!config.engine_chosen) {
        config.engine = first_engine(config.scene);
        config.engine.threads = options.engine.threads;
    }
    config.engine_of_scene = options.engine.of_scene();
    config.gallery = app.get_option("--scene")->count() == 0 && !config.fresh && !config.attract;
    return config;
}

}  // namespace orrery
