// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>

#include "app/cli/interrupt.hpp"
#include "app/cli/options.hpp"
#include "app/cli/scene_option.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/filming.hpp"
#include "app/commands/session_player.hpp"
#include "app/platform/offscreen_context.hpp"
#include "app/record/background_recorder.hpp"
#include "app/record/disk_space.hpp"
#include "app/record/recorders.hpp"
#include "app/render/looks.hpp"
#include "core/base/error.hpp"
#include "core/base/progress.hpp"
#include "core/cuda/info.hpp"

namespace orrery {
namespace {

constexpr double kDefaultSeconds = 5;

struct RecordOptions {
    SceneOptions scene;
    EngineOptions engine;
    RunLength length;
    ViewOptions view;
    RecorderConfig recorder;
    std::string path, ui_map;
    std::uint64_t frames = 0, steps_per_frame = 0;  // 0: not asked for
    double duration = 0, default_seconds = kDefaultSeconds;
    int supersampling = 1;
    std::string session;              // path
    std::optional<Session> replayed;  // what is in it
    std::optional<CompareScene> compare;
};

struct Plan {
    std::uint64_t pictures, steps_per_frame, steps_before = 0;
};

/// A single picture shows the end of the time asked for, a film all of it.
Plan plan_picture(const RecordOptions& options, const Scene& scene) {
    if (options.frames > 1 || options.duration > 0)
        usage_error(fmt::format("{}: holds one picture; for more give a folder or NAME_%05d.png", options.path));
    return {1, 1, options.length.count(scene).value_or(0)};
}

Plan plan(const RecordOptions& options, const Scene& scene) {
    if (recorder_for(options.path).id == "png") return plan_picture(options, scene);
    Plan result{options.frames, options.steps_per_frame};
    if (result.steps_per_frame == 0)
        result.steps_per_frame = static_cast<std::uint64_t>(std::max(1, scene.steps_per_frame));
    if (result.pictures > 0) return result;
    if (const auto steps = options.length.count(scene)) {
        result.pictures = *steps / result.steps_per_frame + 1;  // the first shows the beginning
        return result;
    }
    const double seconds = options.duration > 0 ? options.duration : options.default_seconds;
    result.pictures = static_cast<std::uint64_t>(std::max(1.0, std::round(seconds * options.recorder.fps)));
    return result;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void advance(ComparedRun& run, std::uint64_t steps, Filming& filming, const InterruptGuard& interrupt) {
    Progress progress{"stepping", steps};
    for (std::uint64_t i = 0; i < steps && !interrupt.interrupted(); ++i) {
        progress.update(i);
        filming.between(run);
        run.step();
    }
}

/// One picture, then its steps. Returns how many pictures there are: fewer than planned after an interruption.
std::uint64_t film(const RecordOptions& options, const Plan& plan, ComparedRun& run, Filming& filming,
                   BackgroundRecorder& recorder) {
    std::optional<SessionPlayer> player;
    if (options.replayed) player.emplace(*options.replayed);
    const InterruptGuard interrupt;
    filming.begin(run);
    advance(run, plan.steps_before, filming, interrupt);
    Progress progress{"recording", plan.pictures};
    const auto start = std::chrono::steady_clock::now();
    std::uint64_t done = 0;
    while (done < plan.pictures && !interrupt.interrupted()) {
        recorder.add(player ? player->picture(done, run, filming) : filming.next(run));
        recorder.rethrow();
        ++done;
        const double rate = static_cast<double>(done) / seconds_since(start);
        progress.update(done, fmt::format("picture {} of {}, {:.1f} per second", done, plan.pictures, rate));
        if (!options.ui_map.empty()) write_recording_state(options.ui_map, run.simulation, options.path, done, rate);
        for (std::uint64_t i = 0; done < plan.pictures && i < plan.steps_per_frame; ++i) run.step();
    }
    if (done == 0) environment_error(fmt::format("{}: interrupted before the first picture", options.path));
    recorder.finish();
    recorder.wait();
    recorder.rethrow();
    return done;
}

/// Bytes of a film; none for pictures, which are many files.
std::string size_of(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return {};
    return fmt::format("{:.1f} MB, ", static_cast<double>(std::filesystem::file_size(path, error)) / 1e6);
}

/// What a scene file says of recordings, in place of the defaults.
void adopt_record(RecordOptions& options, const RecordSettings& settings) {
    if (settings.width > 0) options.recorder.width = settings.width;
    if (settings.height > 0) options.recorder.height = settings.height;
    options.recorder.fps = settings.fps;
    options.recorder.quality = settings.quality;
    options.steps_per_frame = static_cast<std::uint64_t>(settings.steps_per_frame);
    options.supersampling = settings.supersampling;
    options.default_seconds = settings.duration > 0 ? settings.duration : kDefaultSeconds;
}

/// What the scene file or session that was named says, in place of the defaults.
void adopt_file(RecordOptions& options, CLI::App& app) {
    if (!options.session.empty()) {
        if (!options.scene.source.empty()) usage_error("a scene and --session: name one of the two");
        options.replayed = read_session(options.session);
        adopt_scene(options.replayed->start, options.scene, &options.engine);
        options.view.adopt(options.replayed->start);
        adopt_record(options, options.replayed->start.record);
        options.compare = options.replayed->start.compare;
        apply_typed(app);
        if (options.frames == 0) options.frames = options.replayed->pictures();
        return;
    }
    if (options.scene.source.empty()) usage_error("record needs a scene, or --session FILE.toml; see --help");
    if (const auto file = adopt_scene(options.scene, &options.engine)) {
        options.view.adopt(*file);
        adopt_record(options, file->record);
        options.compare = file->compare;
        if (file->record.ui)
            fmt::print(stderr, "orrery: record.ui of the scene file: panels are the window's; this film has none\n");
    } else {
        const Look look = look_of(options.scene.source);
        options.view.adopt({.view = look.view, .camera = {.yaw = look.yaw, .pitch = look.pitch, .zoom = look.zoom}});
    }
    apply_typed(app);
}

int record(RecordOptions& options, CLI::App& app) {
    adopt_file(options, app);
    const auto start = std::chrono::steady_clock::now();
    RecorderConfig config = options.recorder;
    config.path = options.path;
    recorder_for(config.path);
    options.view.legend |= app.count("--clock") > 0 && options.view.settings.guides.time_stamp;
    options.view.checked();
    EngineConfig engine = options.engine.config();
    engine.deterministic = true;  // where an engine has such a mode: the same bytes every time
    const EngineEntry& entry = orrery::engine(engine.engine, engine.backend);
    if (options.view.settings.octree.on && !entry.tree && engine.engine != "auto")
        usage_error(fmt::format("--octree: engine '{}' on {} has no tree", entry.id, name(entry.backend)));
    Scene scene = options.scene.open();
    const Plan planned = plan(options, scene);
    require_space(config, planned.pictures);
    ComparedRun run{Simulation{std::move(scene), engine}};
    Simulation& simulation = run.simulation;
    if (options.compare) {
        CompareSettings b = options.compare->settings(simulation.gravity().softening);
        b.engine.deterministic = true;
        run.comparison.set(b);
        run.view = options.compare->view;
    }
    // The device that computes draws too, where it can: its frames then need not leave it.
    const OffscreenContext context{cuda_info().available ? 0 : -1};
    Filming filming{context.gl_info(), options.view, {config.width, config.height, options.supersampling}, config.fps};
    auto made = make_recorder(config);
    const std::string description = made->description();
    BackgroundRecorder recorder{std::move(made)};
    const std::uint64_t pictures = film(options, planned, run, filming, recorder);
    if (pictures < planned.pictures)
        fmt::print(stderr, "orrery: interrupted after picture {} of {}\n", pictures, planned.pictures);
    const std::string length = planned.pictures == 1
                                   ? "1 picture"
                                   : fmt::format("{} pictures ({:.1f} s at {} per second)", pictures,
                                                 static_cast<double>(pictures) / config.fps, config.fps);
    fmt::print("{}: {} of {} × {}, {}{}\n", options.path, length, config.width, config.height, size_of(config.path),
               description);
    fmt::print("{} bodies, {} steps of {:g} by {} on {}, drawn by {} ({}), in {:.1f} s\n", simulation.system().count(),
               simulation.steps(), simulation.dt(), engine.engine, name(engine.backend), context.gl_info().renderer,
               context.description(), seconds_since(start));
    if (const std::string choice = simulation.system().engine_choice(); !choice.empty())
        fmt::print("{}: {}\n", engine.engine, choice);
    return 0;
}

void add_recorder(CLI::App& app, RecordOptions& options) {
    app.add_option("-o,--output", options.path,
                   "What to write: out.mp4, out.webm, out.gif, out.apng, a folder/ for pictures, frame_%05d.png, or "
                   "one picture.png")
        ->required();
    auto* frames = app.add_option("--frames", options.frames, "Number of pictures")->check(positive());
    auto* duration = app.add_option("--duration", options.duration, "Length of the film in seconds; without it, 5")
                         ->check(positive())
                         ->excludes(frames);
    add_length(app, options.length);
    for (const char* end : {"--steps", "--until"}) app.get_option(end)->excludes(frames)->excludes(duration);
    app.add_option("--steps-per-frame", options.steps_per_frame,
                   "Steps from one picture to the next; without it, as the scene recommends")
        ->check(positive());
    app.add_option("--fps", options.recorder.fps, "Pictures per second")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_option("--width", options.recorder.width, "In pixels")->check(CLI::Range(16, 16384))->capture_default_str();
    app.add_option("--height", options.recorder.height, "In pixels")
        ->check(CLI::Range(16, 16384))
        ->capture_default_str();
    app.add_option("--supersampling", options.supersampling,
                   "Draws pictures so many times wider and higher, and averages: smoother, slower")
        ->check(CLI::Range(1, 3))
        ->capture_default_str();
    app.add_option("--session", options.session,
                   "Repeats a recording of the window, picture by picture, from the session file beside it");
    app.add_option("--quality", options.recorder.quality, "Of a film, 1 to 100")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
}

}  // namespace

Work declare_record(CLI::App& app) {
    const auto options = std::make_shared<RecordOptions>();
    add_source(app, options->scene, Source::kOptional);
    add_recorder(app, *options);
    add_scene(app, options->scene);
    add_engine(app, options->engine);
    add_integrator(app, options->scene);
    add_view(app, options->view);
    app.add_option("--ui-map", options->ui_map, "Rewrite this file with every picture: what the state is, as JSON");
    app.footer(
        "Every picture is a fixed number of steps after the one before; none is dropped, however slow the machine. "
        "The\n"
        "same command gives the same pictures, byte for byte, on the same machine. No display is needed. Examples:\n"
        "  orrery record collision -o collision.mp4 --duration 10\n"
        "  orrery record snapshot.tipsy -o frame_%05d.png --frames 120 --steps-per-frame 2\n"
        "  orrery record collision -o tails.png --steps 300     one picture, of the state after the steps\n"
        "Ctrl+C ends the film after the picture and completes the file.");
    return [options, &app] { return record(*options, app); };
}

}  // namespace orrery
