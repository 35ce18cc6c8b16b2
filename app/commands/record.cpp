// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/interrupt.hpp"
#include "app/cli/options.hpp"
#include "app/cli/scene_option.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/filming.hpp"
#include "app/commands/session_player.hpp"
#include "app/platform/machine.hpp"
#include "app/platform/offscreen_context.hpp"
#include "app/record/background_recorder.hpp"
#include "app/record/disk_space.hpp"
#include "app/record/recorders.hpp"
#include "app/record/stage_times.hpp"
#include "app/render/looks.hpp"
#include "core/base/error.hpp"
#include "core/base/progress.hpp"
#include "core/base/version.hpp"
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
    bool json = false;
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

/// A recording that is under way: steps, drawing, copying and encoding of different pictures overlap.
class Film {
public:
    Film(const RecordOptions& options, const Plan& plan, ComparedRun& run, Filming& filming,
         BackgroundRecorder& recorder)
        : options_{options}, plan_{plan}, run_{run}, filming_{filming}, recorder_{recorder} {
        if (options.replayed) player_.emplace(*options.replayed);
    }

    /// Picture after picture, each followed by its steps. Returns how many there are: fewer than planned after an
    /// interruption.
    std::uint64_t make() {
        const InterruptGuard interrupt;
        filming_.begin(run_);
        advance(run_, plan_.steps_before, filming_, interrupt);
        Progress progress{"recording", plan_.pictures};
        const auto start = Clock::now();
        while (drawn_ < plan_.pictures && !interrupt.interrupted()) {
            draw();
            hand_over(filming_.maker().full());
            recorder_.rethrow();
            const double rate = static_cast<double>(drawn_) / seconds_since(start);
            progress.update(drawn_, fmt::format("picture {} of {}, {:.1f} per second", drawn_, plan_.pictures, rate));
            if (!options_.ui_map.empty())
                write_recording_state(options_.ui_map, run_.simulation, options_.path, drawn_, rate);
            if (drawn_ == 1) after_first_ = Clock::now();  // before it drivers compile and encoders open
            if (drawn_ < plan_.pictures) step();
        }
        if (drawn_ == 0) environment_error(fmt::format("{}: interrupted before the first picture", options_.path));
        complete();
        return drawn_;
    }

    /// After an error: what was drawn before it is in the film, as far as that is possible.
    void keep() noexcept {
        try {
            hand_over(true);
            while (!filming_.maker().empty()) hand_over(true);
        } catch (const std::exception&) {  // the device is lost, and with it what was on its way
        }
        recorder_.drain();
    }

    /// Each picture's, of those after the first.
    StageTimes times() const {
        StageTimes all = times_;
        all.copy = filming_.maker().readback().copy_seconds();
        if (filming_.maker().readback().way() == ReadbackWay::kTexture) all.draw -= all.copy;  // which waits
        all.encode = recorder_.encode_seconds();
        StageTimes each = all.over(drawn_);
        each.frame = std::chrono::duration<double>(end_ - after_first_).count() /
                     static_cast<double>(std::max<std::uint64_t>(1, drawn_ - 1));
        return each;
    }

private:
    using Clock = std::chrono::steady_clock;

    void draw() {
        const StageClock clock{times_.draw};
        player_ ? player_->draw(drawn_, run_, filming_) : filming_.draw(run_);
        ++drawn_;
    }

    /// The oldest picture if `wait`, and all others that have come.
    void hand_over(bool wait) {
        const StageClock clock{times_.wait};
        PictureMaker& maker = filming_.maker();
        for (; !maker.empty() && (wait || maker.ready()); wait = false) recorder_.add(maker.take());
    }

    void step() {
        const StageClock clock{times_.step};
        run_.take_steps(plan_.steps_per_frame);
    }

    void complete() {
        while (!filming_.maker().empty()) hand_over(true);
        recorder_.finish();
        {
            const StageClock clock{times_.wait};
            recorder_.wait();
        }
        end_ = Clock::now();
        recorder_.rethrow();
    }

    const RecordOptions& options_;
    const Plan& plan_;
    ComparedRun& run_;
    Filming& filming_;
    BackgroundRecorder& recorder_;
    std::optional<SessionPlayer> player_;
    StageTimes times_;
    std::uint64_t drawn_ = 0;
    Clock::time_point after_first_, end_;
};

/// Makes the film. An error in the middle of it says where the film so far is.
std::uint64_t make(Film& film, const BackgroundRecorder& recorder, const std::filesystem::path& unfinished) {
    try {
        return film.make();
    } catch (const Error& error) {
        if (recorder.done()) throw;  // the recorder's own error, which says that already
        film.keep();
        if (unfinished.empty() || recorder.written() == 0 || recorder.done()) throw;
        throw Error{error.blame(), fmt::format("{}; the first {} pictures are kept in {}", error.what(),
                                               recorder.written(), unfinished.string())};
    }
}

/// Bytes of a film; none for pictures, which are many files.
std::string size_of(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return {};
    return fmt::format("{:.1f} MB, ", static_cast<double>(std::filesystem::file_size(path, error)) / 1e6);
}

/// What was made.
struct Made {
    std::string description;  // of the recorder
    std::uint64_t pictures = 0;
    StageTimes times;    // of each picture
    double seconds = 0;  // of it all
};

std::string text_of(const Made& made, const RecordOptions& options, const Simulation& simulation,
                    const OffscreenContext& context) {
    const RecorderConfig& config = options.recorder;
    const std::string length = made.pictures == 1
                                   ? "1 picture"
                                   : fmt::format("{} pictures ({:.1f} s at {} per second)", made.pictures,
                                                 static_cast<double>(made.pictures) / config.fps, config.fps);
    const EngineConfig& engine = simulation.engine_config();
    std::string text = fmt::format("{}: {} of {} × {}, {}{}\n", options.path, length, config.width, config.height,
                                   size_of(options.path), made.description);
    text += fmt::format("{} bodies, {} steps of {:g} by {} on {}, drawn by {} ({}), in {:.1f} s\n",
                        simulation.system().count(), simulation.steps(), simulation.dt(), engine.engine,
                        name(engine.backend), context.gl_info().renderer, context.description(), made.seconds);
    const StageTimes& each = made.times;
    if (made.pictures > 1)
        text += fmt::format(
            "{:.2f} ms a picture: stepping {:.2f}, drawing {:.2f}, waiting {:.2f}; copying {:.2f} and "
            "encoding {:.2f} beside them\n",
            1e3 * each.frame, 1e3 * each.step, 1e3 * each.draw, 1e3 * each.wait, 1e3 * each.copy, 1e3 * each.encode);
    if (const std::string choice = simulation.system().engine_choice(); !choice.empty())
        text += fmt::format("{}: {}\n", engine.engine, choice);
    return text;
}

std::string json_of(const Made& made, const RecordOptions& options, const Simulation& simulation, Filming& filming,
                    const OffscreenContext& context) {
    using Json = nlohmann::ordered_json;
    const EngineConfig& engine = simulation.engine_config();
    const Readback& readback = filming.maker().readback();
    const StageTimes& each = made.times;
    const Json json{{"path", options.path},
                    {"scene", simulation.scene().id},
                    {"bodies", simulation.system().count()},
                    {"engine", engine.engine},
                    {"backend", name(engine.backend)},
                    {"precision", name(engine.precision)},
                    {"choice", simulation.system().engine_choice()},
                    {"pictures", made.pictures},
                    {"steps", simulation.steps()},
                    {"width", options.recorder.width},
                    {"height", options.recorder.height},
                    {"supersampling", options.supersampling},
                    {"fps", options.recorder.fps},
                    {"recorder", made.description},
                    {"seconds", made.seconds},
                    {"ms_per_picture",
                     {{"frame", 1e3 * each.frame},
                      {"step", 1e3 * each.step},
                      {"draw", 1e3 * each.draw},
                      {"copy", 1e3 * each.copy},
                      {"encode", 1e3 * each.encode},
                      {"wait", 1e3 * each.wait},
                      {"gl", filming.maker().gl_ms()}}},
                    {"readback", name_of(readback.way())},
                    {"why_not_cuda", readback.why_not_cuda()},
                    {"renderer", context.gl_info().renderer},
                    {"context", context.description()},
                    {"device", device_name(engine.backend)},
                    {"cpu", cpu_model()},
                    {"driver", driver_version()},
                    {"version", version()},
                    {"commit", commit()}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
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
    Made result{.description = made->description()};
    const std::filesystem::path unfinished = made->unfinished();
    BackgroundRecorder recorder{std::move(made), encoding_limits(config)};
    Film film{options, planned, run, filming, recorder};
    result.pictures = make(film, recorder, unfinished);
    result.times = film.times();
    result.seconds = seconds_since(start);
    if (result.pictures < planned.pictures)
        fmt::print(stderr, "orrery: interrupted after picture {} of {}\n", result.pictures, planned.pictures);
    fmt::print("{}", options.json ? json_of(result, options, simulation, filming, context) + '\n'
                                  : text_of(result, options, simulation, context));
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
    app.add_option("--encoder", options.recorder.encoder,
                   "Of a video, as `orrery info` names it: libx264, h264_nvenc. Without it the first that opens, a "
                   "GPU's own where there is one");
    add_json(app, options.json);
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
