// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/interrupt.hpp"
#include "app/cli/options.hpp"
#include "app/cli/setting_options.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/frame_survey.hpp"
#include "app/render/settings_of_view.hpp"
#include "core/base/standard_streams.hpp"

namespace orrery {

Work declare_frames(CLI::App& app) {
    struct Options {
        SceneOptions scene{.given = {.source = "plummer"}};
        EngineOptions engine;
        FrameEffort effort;
        bool json = false;
    };
    const auto options = std::make_shared<Options>();
    add_source(app, options->scene, Source::kOptional);
    add_scene(app, options->scene);
    add_engine(app, options->engine);
    app.add_option("--seconds", options->effort.seconds, "Measuring time in seconds")
        ->check(CLI::Range(0.1, 3600.0))
        ->capture_default_str();
    app.add_option("--width", options->effort.width, "In pixels")->check(CLI::Range(16, 16384))->capture_default_str();
    app.add_option("--height", options->effort.height, "In pixels")
        ->check(CLI::Range(16, 16384))
        ->capture_default_str();
    app.add_option("--max-fps", options->effort.max_fps, "Maximum number of frames per second; 0: no limit")
        ->check(CLI::Range(0.0, 1e4))
        ->capture_default_str();
    app.add_flag("--still", options->effort.still,
                 "Take no steps: measure how fast one state is passed to OpenGL and drawn");
    app.add_flag("--scrub", options->effort.scrub,
                 "Scrub a series of snapshots back and forth, once in four seconds, instead of playing it");
    SettingOptions{app}.add(setting(view_settings(), "mode"), options->effort.view);
    add_json(app, options->json);
    app.footer(
        "Does what the window does, without a display: the newest state of the bodies is drawn repeatedly while\nthe "
        "camera turns, and the simulation steps as fast as it can. Examples:\n  orrery frames --bodies 1048576 "
        "--engine half --json\n  orrery frames --bodies 16777216 --engine tree --max-fps 60\n  orrery frames collision "
        "--backend cpu --seconds 10\n  orrery frames snap_*.h5 --scrub");
    return [options, &app] {
        if (adopt_scene(options->scene, &options->engine)) apply_typed(app);
        const FrameSurvey survey = survey_frames(options->scene.request(), options->engine.config(), options->effort);
        if (survey.interrupted)
            to_stderr("orrery: interrupted after {:.1f} s of {:g} s\n", survey.seconds, options->effort.seconds);
        to_stdout("{}", options->json ? json_of(survey) + '\n' : text_of(survey));
        return interrupt_code();
    };
}

}  // namespace orrery
