// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/options.hpp"
#include "app/commands/commands.hpp"
#include "app/serve/serve.hpp"
#include "app/ui/words.hpp"
#include "app/window/engine/engine_choice.hpp"
#include "app/window/kernel/kernel_trials.hpp"
#include "app/window/window.hpp"
#include "core/base/error.hpp"
#include "core/kernels/prepared_kernel.hpp"
#include "core/presets/presets.hpp"

namespace orrery {
namespace {

/// Options of a window, whether on a display or served.
struct WindowOptions {
    SceneOptions scene{.given = {.source = std::string{kDefaultPreset}}};
    EngineOptions engine;
    WindowConfig window;
};

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
    app.add_option("--halos", options.window.halos, "Halo catalogue of the snapshot, for the page Haloes");
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

/// True for a thread map that is wrong. The engine would refuse it; the page Kernel shows where.
bool is_wrong_map(const std::string& kernel) {
    if (kernel.empty()) return false;
    const KernelFile file = parse_kernel(kernel);
    if (file.kind != KernelKind::kMap) return false;
    return judge_map(kernel_map(file), kJudgedRows).first_wrong.has_value();
}

/// The configuration given by the parsed options.
WindowConfig window_config(CLI::App& app, WindowOptions& options) {
    const std::string named = options.scene.given.source;
    auto file = adopt_scene(options.scene, &options.engine);
    if (file) apply_typed(app);
    WindowConfig config = options.window;
    if (file) config.look = std::move(*file), config.scene_source = named;
    config.scene = options.scene.request();
    config.engine = options.engine.config();
    config.kernel_path = options.engine.kernel.path;
    config.engine_chosen = options.engine.chosen() || !options.engine.knobs.typed.empty();
    if (!config.kernel_path.empty() && is_wrong_map(config.engine.kernel)) config.engine_chosen = false;
    if (!config.engine_chosen) {
        config.engine = first_engine(config.scene);
        config.engine.threads = options.engine.threads;
    }
    config.engine_of_scene = options.engine.of_scene();
    config.gallery = app.get_option("--scene")->count() == 0 && !config.fresh && !config.attract;
    return config;
}

}  // namespace

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

Work declare_serve(CLI::App& app) {
    struct Options {
        WindowOptions window;
        ServeConfig serve;
    };
    const auto options = std::make_shared<Options>();
    ServeConfig& serve = options->serve;
    add_window(app, options->window);
    app.add_option("--port", serve.port, "TCP port; 0: any that is free")
        ->check(CLI::Range(0, 65535))
        ->capture_default_str();
    app.add_option("--bind", serve.address,
                   "Address to listen on; 0.0.0.0: all IPv4 addresses of this machine, ::: all addresses, for access "
                   "from other machines")
        ->capture_default_str();
    CLI::Option* certificate =
        app.add_option("--tls-certificate", serve.certificate, "Encrypt, with this certificate (PEM)");
    CLI::Option* key = app.add_option("--tls-key", serve.key, "Private key of the certificate (PEM)");
    certificate->needs(key), key->needs(certificate);
    app.add_flag("--in-frames", serve.framed,
                 "Let pages of the same host show the window in a frame, as a notebook does");
    app.add_option("--base-url", serve.base_url,
                   "Address of the page behind a proxy, as https://hub.example/user/me/proxy/8080/");
    app.add_option("--token-file", serve.token_file,
                   "A token for any number of browsers, from this file; written with a new token if it does not exist");
    app.add_flag("--open", serve.open, "Open the link in a browser of this desktop");
    app.add_option_function<std::string>(
           "--codec",
           [&serve](const std::string& id) {
               serve.codec = id == "h264" ? ServeCodec::kH264 : id == "jpeg" ? ServeCodec::kJpeg : ServeCodec::kAuto;
           },
           "Codec of the frames; auto: H.264 for browsers that decode it, else JPEG")
        ->check(CLI::IsMember({"auto", "h264", "jpeg"}))
        ->default_str("auto");
    app.add_option(
           "--bandwidth", serve.bandwidth,
           "Maximum Mbit/s to each viewer; 0: as much as arrives in time. Limits quality, size and rate of frames")
        ->check(CLI::Range(0.0, 10000.0))
        ->capture_default_str();
    app.add_option("--width", serve.width, "Maximum width of the window, which follows the controller's browser")
        ->check(CLI::Range(64, 8192))
        ->capture_default_str();
    app.add_option("--height", serve.height, "Maximum height of the window")
        ->check(CLI::Range(64, 8192))
        ->capture_default_str();
    app.add_option("--viewers", serve.viewers, "Maximum number of viewers; one of them controls")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    app.add_option("--upload-limit", serve.upload_limit, "Maximum MiB of all files sent by viewers")
        ->check(CLI::Range(0.0, 1048576.0))
        ->capture_default_str();
    app.add_option("--times", serve.times, "Write the time and size of each frame, as CSV");
    app.footer(
        "The window in a browser. Open the link that is printed; on another machine through\n  ssh -L "
        "8080:localhost:8080 HOST orrery serve\nCtrl + C ends the program.");
    return [options, &app] {
        if (const std::string why = why_no_serve(); !why.empty()) environment_error("serve: " + why);
        ServeConfig config = options->serve;
        config.window = window_config(app, options->window);
        return run_serve(config);
    };
}

}  // namespace orrery
