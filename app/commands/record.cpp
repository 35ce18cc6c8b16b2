// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/cli/halo_options.hpp"
#include "app/cli/options.hpp"
#include "app/cli/terminal.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/gpus.hpp"
#include "app/commands/offline_recorder.hpp"
#include "app/platform/machine.hpp"
#include "app/platform/offscreen_context.hpp"
#include "app/record/background_recorder.hpp"
#include "app/record/record_settings.hpp"
#include "app/record/recorders.hpp"
#include "app/render/preset_views.hpp"
#include "app/scene/camera_csv.hpp"
#include "core/base/error.hpp"
#include "core/base/menu.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/version.hpp"
#include "core/bodies/body_source.hpp"
#include "core/cloud/cloud_stream.hpp"
#include "core/cuda/info.hpp"
#include "core/gl/sharing.hpp"
#include "core/physics/units.hpp"
#include "core/ranks/process_ranks.hpp"
#include "core/simulation/compatibility.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

/// Report of `orrery record`.
struct RecordingReport {
    std::string description;  ///< of the recorder
    std::uint64_t pictures = 0;
    StageTimes times;     ///< per frame
    double seconds = 0;   ///< in total
    bool played = false;  ///< a series was played instead of taking steps
    CloudStatus cloud;    ///< the cloud as shown in the last frame, if there is one
    gl::Traffic traffic;  ///< of the OpenGL engines during all frames
};

/// The size of a video, in words; empty for numbered pictures.
std::string size_of(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return {};
    return fmt::format("{:.1f} MB, ", static_cast<double>(std::filesystem::file_size(path, error)) / 1e6);
}

/// Describes the cloud shown, the part played, or the steps computed.
std::string motion_of(const RecordingReport& report, const Simulation& simulation) {
    if (const CloudStatus& cloud = report.cloud; cloud.on)
        return fmt::format("{} of {} bodies shown, each for {:.4g} or fewer, {:.3g} pixels apart or less", cloud.shown,
                           cloud.bodies, cloud.most, cloud.spacing);
    const EngineConfig& engine = simulation.engine_config();
    return fmt::format("{} bodies, {}", simulation.system().count(),
                       report.played
                           ? "played to " + named_clock_text(simulation.now().time, simulation.scene().days_per_time,
                                                             simulation.scene().scale_factor)
                           : fmt::format("{} step{} of {:g} by {} on {}", simulation.now().steps,
                                         simulation.now().steps == 1 ? "" : "s", simulation.scene().dt, engine.engine,
                                         name(engine.backend)));
}

/// The report as lines of text.
std::string text_of(const RecordingReport& report, const RecorderConfig& config, const Simulation& simulation,
                    const OffscreenContext& context) {
    const std::string length = report.pictures == 1
                                   ? "1 picture"
                                   : fmt::format("{} frames ({:.1f} s at {} per second)", report.pictures,
                                                 static_cast<double>(report.pictures) / config.fps, config.fps);
    const EngineConfig& engine = simulation.engine_config();
    std::string text = fmt::format("{}: {} of {} × {}, {}{}\n", config.path.string(), length, config.width,
                                   config.height, size_of(config.path.string()), report.description);
    text += fmt::format("{}, drawn by {} ({}), in {:.1f} s\n", motion_of(report, simulation),
                        context.gl_info().renderer, context.description(), report.seconds);
    const StageTimes& each = report.times;
    if (report.pictures > 1)
        text += fmt::format(
            "{:.2f} ms per frame: stepping {:.2f}, drawing {:.2f}, waiting {:.2f}; concurrently copying {:.2f}, "
            "encoding {:.2f}\n",
            1e3 * each.frame, 1e3 * each.step, 1e3 * each.draw, 1e3 * each.wait, 1e3 * each.copy, 1e3 * each.encode);
    if (const std::string choice = simulation.engine_choice(); !choice.empty())
        text += fmt::format("{}: {}\n", engine.engine, choice);
    if (const double requested = simulation.system().accuracy_to_keep(); requested > 0)
        text += fmt::format("accuracy: {}\n", accuracy_text(simulation.forces().acceptance(), engine, requested));
    return text;
}

std::string json_of(const RecordingReport& report, const RecorderConfig& config, const Simulation& simulation,
                    FrameRenderer& renderer, const OffscreenContext& context) {
    const EngineConfig& engine = simulation.engine_config();
    const Readback& readback = renderer.maker().readback();
    const StageTimes& each = report.times;
    const CloudStatus& cloud = report.cloud;
    const Json seen = cloud.on ? Json{{"bodies", cloud.bodies},
                                      {"shown", cloud.shown},
                                      {"stands_for", cloud.stands_for},
                                      {"most", cloud.most},
                                      {"spacing", cloud.spacing}}
                               : Json{};
    const Json json{{"path", config.path.string()},
                    {"scene", simulation.scene().id},
                    {"bodies", simulation.system().count()},
                    {"engine", engine.engine},
                    {"backend", name(engine.backend)},
                    {"precision", name(engine.precision)},
                    {"choice", simulation.engine_choice()},
                    {"cloud", seen},
                    {"pictures", report.pictures},
                    {"steps", simulation.now().steps},
                    {"width", config.width},
                    {"height", config.height},
                    {"supersampling", renderer.maker().size().supersampling},
                    {"fps", config.fps},
                    {"recorder", report.description},
                    {"seconds", report.seconds},
                    {"ms_per_picture",
                     {{"frame", 1e3 * each.frame},
                      {"step", 1e3 * each.step},
                      {"draw", 1e3 * each.draw},
                      {"copy", 1e3 * each.copy},
                      {"encode", 1e3 * each.encode},
                      {"wait", 1e3 * each.wait},
                      {"gl", renderer.maker().gl_ms()}}},
                    {"readback", name_of(readback.way())},
                    {"why_not_cuda", readback.why_not_cuda()},
                    {"way", name_of(renderer.bodies().way())},
                    {"why_copied", engine.backend == Backend::kGl ? gl::why_frames_are_copied() : ""},
                    {"gl_bytes_per_picture",
                     {{"read", report.traffic.read / std::max<std::uint64_t>(1, report.pictures)},
                      {"written", report.traffic.written / std::max<std::uint64_t>(1, report.pictures)}}},
                    {"renderer", context.gl_info().renderer},
                    {"context", context.description()},
                    {"device", device_name(engine.backend)},
                    {"cpu", cpu_model()},
                    {"driver", driver_version()},
                    {"version", version()},
                    {"commit", commit()}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

constexpr double kDefaultSeconds = 5, kLongest = 1e6;
constexpr int kMostInstants = 1024;

struct RecordOptions {
    SceneOptions scene;
    EngineOptions engine;
    RunLength length;
    ViewOptions view;
    HaloOptions halos;
    RecorderConfig recorder;
    std::string path, ui_map, camera_path;
    std::uint64_t frames = 0, steps_per_frame = 0;  // 0: not given
    double duration = 0, default_seconds = kDefaultSeconds;
    bool length_of_file = false;  // the scene file sets the length
    int supersampling = 1;
    Exposing exposing;
    Lens lens = Lens::kFlat;
    std::string session;              // path
    std::optional<Session> replayed;  // its content
    std::optional<CompareScene> compare;
    bool json = false;
};

/// A series or cloud is not simulated: --steps 0 draws the first snapshot, or the cloud, as a still picture; --until is
/// a time in the series.
void require_played(const RecordOptions& options, const OpenedScene& opened) {
    const std::string& source = options.scene.given.source;
    const bool steps = options.length.steps.value_or(0) > 0, until = !options.length.until.empty();
    if (opened.series && steps)
        usage_error(
            fmt::format("{}: --steps does not apply to a series; its frames are spread over all of it, or "
                        "up to --until",
                        source));
    if (opened.cloud && (options.compare || steps || until))
        usage_error(fmt::format("{}: {}; only --steps 0, a still picture, is possible, without comparison", source,
                                kCloudIsStill));
}

std::optional<std::uint64_t> steps_asked(const RecordOptions& options, const OpenedScene& opened) {
    return opened.series || opened.cloud ? options.length.steps : options.length.count(opened.scene);
}

std::uint64_t steps_between(const RecordOptions& options, const OpenedScene& opened) {
    if (options.steps_per_frame > 0) return options.steps_per_frame;
    return static_cast<std::uint64_t>(std::max(1, opened.scene.steps_per_frame));
}

/// A single picture shows the state at the requested end, a video all states up to it.
RecordingPlan plan_picture(const RecordOptions& options, const OpenedScene& opened) {
    if (options.frames > 1 || options.duration > 0)
        usage_error(fmt::format("{}: holds one picture; for more give a folder or NAME_%05d.png", options.path));
    const bool in_series = opened.series && !options.length.until.empty();  // in one step, see spread()
    return {1, steps_between(options, opened), in_series ? 1 : steps_asked(options, opened).value_or(0)};
}

RecordingPlan plan(const RecordOptions& options, const OpenedScene& opened) {
    require_played(options, opened);
    if (recorder_for(options.path).single) return plan_picture(options, opened);
    RecordingPlan result{options.frames, steps_between(options, opened)};
    if (result.pictures > 0) return result;
    if (const auto steps = steps_asked(options, opened)) {
        result.pictures = *steps / result.steps_per_frame + 1;  // the first frame shows the initial state
        return result;
    }
    const double seconds = options.duration > 0 ? options.duration : options.default_seconds;
    result.pictures = static_cast<std::uint64_t>(std::max(1.0, std::round(seconds * options.recorder.fps)));
    return result;
}

/// Spreads the frames over the whole series, or up to --until, unless a session sets the rate.
void spread(SeriesPlayer& player, const Scene& scene, RecordingPlan& plan, const RecordOptions& options) {
    SeriesStatus series;
    player.report_to(series);
    const double first = series.times->front(), last = series.times->back();
    const double end = options.length.end(scene).value_or(last);
    if (end > last)
        usage_error(fmt::format("--until '{}': the series ends at {:g}, which is earlier", options.length.until, last));
    if (end == first) plan.steps_before = 0;
    const double usual_rate = player.rate();
    if (plan.exposing.on()) {  // instants are states of the series, without a straight way between two
        const double instants = plan.exposing.instants / std::max(plan.exposing.shutter, 0.5);
        const auto steps =
            plan.exposing.shutter > 0 ? static_cast<std::uint64_t>(std::ceil(2 * instants)) : plan.steps_per_frame;
        player.set_rate(usual_rate * static_cast<double>(plan.steps_per_frame) / static_cast<double>(steps));
        plan.steps_per_frame = steps;
        if (plan.steps_before > 0) plan.rate_after = player.rate();
    }
    if (plan.replayed || end == first) return;
    if (plan.steps_before > 0)
        player.set_rate(end - first);
    else if (plan.pictures > 1)
        player.set_rate((end - first) / static_cast<double>((plan.pictures - 1) * plan.steps_per_frame));
}

/// Replaces the defaults by the recording settings of a scene file.
void adopt_record(RecordOptions& options, const RecordSettings& settings) {
    if (settings.width > 0) options.recorder.width = settings.width;
    if (settings.height > 0) options.recorder.height = settings.height;
    options.recorder.fps = settings.fps;
    options.recorder.quality = settings.quality;
    options.steps_per_frame = static_cast<std::uint64_t>(settings.steps_per_frame);
    options.supersampling = settings.supersampling;
    options.lens = settings.lens;
    options.recorder.bits = settings.bits;
    options.length_of_file = settings.duration > 0;
    options.default_seconds = settings.duration > 0 ? settings.duration : kDefaultSeconds;
}

/// Replaces the defaults by the content of the scene file or session that was given.
void adopt_file(RecordOptions& options, CLI::App& app) {
    if (!options.session.empty()) {
        if (!options.scene.given.source.empty()) usage_error("give either a scene or --session, not both");
        options.replayed = read_session(options.session);
        adopt_scene(options.replayed->start, options.scene, &options.engine);
        options.view.adopt(options.replayed->start);
        adopt_record(options, options.replayed->start.record);
        options.compare = options.replayed->start.compare;
        apply_typed(app);
        if (options.frames == 0) options.frames = options.replayed->pictures();
        return;
    }
    if (options.scene.given.source.empty()) usage_error("record needs a scene, or --session FILE.toml; see --help");
    if (const auto file = adopt_scene(options.scene, &options.engine)) {
        options.view.adopt(*file);
        adopt_record(options, file->record);
        options.compare = file->compare;
        if (file->record.ui)
            to_stderr("orrery: record.ui of the scene file: only the window has panels; this video has none\n");
    } else {
        PresetView look = preset_view(options.scene.given.source);
        color_by_fields(options.scene.given, look.view);
        options.view.adopt({.view = look.view, .camera = {.yaw = look.yaw, .pitch = look.pitch, .zoom = look.zoom}});
    }
    apply_typed(app);
}

void require_exposable(const RecordOptions& options) {
    if (options.exposing.vectors && !recorder_for(options.path).light)
        usage_error(fmt::format("--motion-vectors: {}: only OpenEXR pictures have them", options.path));
    if (options.exposing.on() && (options.replayed || options.compare))
        usage_error("--shutter, --motion-vectors: neither a session nor a comparison is recorded with them");
}

/// Refuses what needs the bodies of all ranks in one place.
void require_by_parts(const RecordOptions& options) {
    const ViewSettings& view = options.view.settings;
    const auto refuse = [](bool asked, std::string_view what) {
        if (asked)
            usage_error(fmt::format("--ranks own draws bodies where they are, without {}; use --ranks all", what));
    };
    refuse(options.replayed || options.compare, "sessions and comparisons");
    refuse(asks_for_series(options.scene.given), "series");
    refuse(view.octree.on || view.trails.on, "octree and trails");
    refuse(options.exposing.on(), "motion blur and motion vectors");
    refuse(view.mode == DrawMode::kSmoothed, "smoothing");
    refuse(view.mass_size > 0, "sizes by mass (--mass-size)");
    refuse(view.spheres || !(view.species == ShownSpecies{}), "spheres and hidden species");
    refuse(!options.scene.given.filter.empty() || !options.halos.path.empty(), "filters and haloes");
}

/// On ranks that write nothing.
class NoRecorder final : public Recorder {
public:
    std::unique_ptr<PreparedPicture> prepare(const Image&) const override {
        return std::make_unique<PreparedPicture>();
    }
    void add(std::unique_ptr<PreparedPicture>) override {}
    void finish() override {}
    std::string description() const override { return "nothing"; }
};

/// The simulation of the scene. If ranks own bodies, this one begins with a part of them.
ComparedRun make_run(OpenedScene opened, const BodySource* bodies, const EngineConfig& engine) {
    Ranks* const ranks = ranks_that_own_bodies();
    if (!ranks) return ComparedRun{std::move(opened), engine, process_ranks()};
    require_by_parts(opened.scene);
    Simulation simulation{std::move(opened.scene), *bodies, engine, {}, ranks};
    simulation.allow_tuning(false);
    return ComparedRun{std::move(simulation)};
}

int record(RecordOptions& options, CLI::App& app) {
    adopt_file(options, app);
    Ranks* const owners = ranks_that_own_bodies();
    if (owners) require_by_parts(options);
    const auto start = std::chrono::steady_clock::now();
    options.recorder.path = options.path;
    const RecorderConfig config = options.recorder = fitted(options.recorder);
    require_exposable(options);
    options.view.legend |= app.count("--clock") > 0 && options.view.settings.guides.time_stamp;
    EngineConfig engine = options.engine.config();
    engine.deterministic = true;  // same bytes every time, if the engine has such a mode
    const EngineEntry& entry = orrery::engine(engine.engine, engine.backend);
    if (options.view.settings.octree.on && !entry.has_tree() && engine.engine != "auto")
        usage_error(fmt::format("--octree: engine '{}' on {} has no tree", entry.id, name(entry.backend)));
    if (!options.camera_path.empty()) {
        options.view.scene.path = read_camera_path(options.camera_path);
        if (const double seconds = options.view.scene.path.duration(); seconds > 0)
            options.default_seconds = seconds, options.length_of_file = false;
    }
    if (const std::string drawn = fields_drawn(options.view.settings); asks_for_series(options.scene.given))
        options.scene.given.fields += (options.scene.given.fields.empty() || drawn.empty() ? "" : ",") + drawn;
    SceneInStretches part;  // if ranks own bodies
    OpenedScene opened;
    if (owners) {
        part = options.scene.open_in_stretches();
        opened.scene = std::move(part.settings);
    } else {
        opened = options.scene.open_with_series();
    }
    ShownHalos halos = options.halos.open(options.scene.given);
    resolve_centre(options.view.settings.space, opened.scene, halos);
    const bool computed = !opened.series && !opened.cloud && !opened.scene.encounters.on();
    if (computed && !options.replayed && !options.engine.chosen() && options.engine.knobs.typed.empty() &&
        !options.compare) {
        const Scene& scene = opened.scene;
        engine.deterministic = false;
        engine = default_engine(engine, owners ? part.all : scene.bodies.size(), scene.gravity.law,
                                integrator(scene.integrator));
        engine.deterministic = true;
    }
    // Without a given length, the video is as long as the camera path.
    const CameraPath& way = options.view.scene.path;
    if (!options.length_of_file && way.duration() > 0) options.default_seconds = way.duration();
    RecordingPlan planned = plan(options, opened);
    planned.path = config.path, planned.ui_map = options.ui_map;
    planned.exposing = options.exposing;
    if (options.replayed) planned.replayed = &*options.replayed;
    require_space(config, planned.pictures);
    ComparedRun run = make_run(std::move(opened), part.bodies.get(), engine);
    Simulation& simulation = run.simulation;
    if (options.replayed) run.allow_tuning(false);
    if (simulation.engine_config().precision != engine.precision)
        to_stderr("orrery: note: {}\n", simulation.scene().notes.back());
    report_sharing(simulation.system(), simulation.engine_config());
    if (SeriesPlayer* const player = run.motion.player()) spread(*player, simulation.scene(), planned, options);
    if (options.compare) {
        CompareSettings b = options.compare->settings(simulation.scene().gravity.softening);
        b.engine.deterministic = true;
        run.comparison.set(b);
        run.view = options.compare->view;
    }
    // Draw on the device that computes, if it can: its frames then need not leave it.
    const OffscreenContext context{cuda_info().available ? 0 : -1};
    FrameRenderer renderer{context.gl_info(),
                           options.view,
                           {config.width, config.height, options.supersampling, options.lens, options.recorder.bits,
                            recorder_for(config.path).light},
                           config.fps};
    renderer.maker().show_halos(std::move(halos));
    auto made = owners && !owners->first() ? std::make_unique<NoRecorder>() : make_recorder(config);
    RecordingReport report{.description = made->description(), .played = run.motion.player() != nullptr};
    const std::filesystem::path unfinished = made->unfinished();
    BackgroundRecorder recorder{std::move(made), encoding_limits(config)};
    OfflineRecorder offline{planned, run, renderer, recorder};
    const gl::Traffic before = gl::traffic();
    report.pictures = offline.make(unfinished);
    const gl::Traffic after = gl::traffic();
    report.traffic = {after.read - before.read, after.written - before.written};
    report.times = offline.times();
    if (const CloudStream* const cloud = run.motion.cloud()) report.cloud = cloud->status();
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (report.pictures < planned.pictures)
        to_stderr("orrery: interrupted after frame {} of {}\n", report.pictures, planned.pictures);
    to_stdout("{}", options.json ? json_of(report, config, simulation, renderer, context) + '\n'
                                 : text_of(report, config, simulation, context));
    return interrupt_code();
}

/// Recording settings that this command has under the same names; 0 leaves the present value.
void add_record_settings(CLI::App& app, RecordOptions& options) {
    SettingOptions typed{app};
    const auto add = [&](std::string_view id, auto& to, const std::string& standard) {
        const SettingInfo& info = setting(record_settings(), id).info;
        typed.add(info, standard, [&to, &info](const std::string& text) {
            const auto value = std::get<std::int64_t>(parse_setting(info, text));
            if (value > 0) to = static_cast<std::remove_reference_t<decltype(to)>>(value);
        });
    };
    add("steps_per_frame", options.steps_per_frame, "");
    for (const auto& [id, to] : {std::pair{"fps", &options.recorder.fps},
                                 {"width", &options.recorder.width},
                                 {"height", &options.recorder.height},
                                 {"supersampling", &options.supersampling},
                                 {"quality", &options.recorder.quality},
                                 {"bits", &options.recorder.bits}})
        add(id, *to, fmt::format("{}", *to));
    const SettingInfo& lens = setting(record_settings(), "lens").info;
    typed.add(lens, "flat", [&options, &lens](const std::string& text) {
        options.lens = find_in_menu(lenses(), "lens", std::get<std::string>(parse_setting(lens, text))).lens;
    });
}

void add_recorder(CLI::App& app, RecordOptions& options) {
    const HelpGroup output{app, "Output"};
    app.add_option("-o,--output", options.path,
                   "Output: out.mp4, out.webm, out.gif, out.apng, a folder/ of frames, frame_%05d.png, or one "
                   "picture.png or .exr")
        ->required();
    auto* frames =
        app.add_option("--frames", options.frames, "Number of frames")->check(positive())->check(countable());
    auto* duration = app.add_option("--duration", options.duration, "Length of the video in seconds (default 5)")
                         ->check(positive())
                         ->check(CLI::Range(0.0, kLongest))
                         ->excludes(frames);
    add_length(app, options.length);
    const HelpGroup more{app, "Output"};
    for (const char* end : {"--steps", "--until"}) app.get_option(end)->excludes(frames)->excludes(duration);
    add_record_settings(app, options);
    app.add_option("--shutter", options.exposing.shutter,
                   "Motion blur: share of the time between two frames for which the shutter is open; 0: none")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    app.add_option("--shutter-samples", options.exposing.instants,
                   "Instants while the shutter is open, averaged as light")
        ->check(CLI::Range(1, kMostInstants))
        ->capture_default_str();
    app.add_flag("--motion-vectors", options.exposing.vectors,
                 "Motion vectors to the next frame in OpenEXR pictures: channels forward.u and forward.v");
    app.add_option("--session", options.session,
                   "Repeats a recording of the window, frame by frame, from the session file beside it");
    app.add_option("--encoder", options.recorder.encoder,
                   "Video encoder as named by `orrery info`, such as libx264 or h264_nvenc (default: the first that "
                   "opens, hardware encoders first)");
    add_json(app, options.json);
}

}  // namespace

Work declare_record(CLI::App& app) {
    const auto options = std::make_shared<RecordOptions>();
    add_source(app, options->scene, Source::kOptional);
    add_more_sources(app, options->scene);
    add_recorder(app, *options);
    add_scene(app, options->scene);
    add_engine(app, options->engine);
    add_integrator(app, options->scene);
    add_view(app, options->view);
    add_halos(app, options->halos);
    const HelpGroup output{app, "Output"};
    app.add_option("--camera-path", options->camera_path,
                   "The camera moves along the keyframes of this CSV file: time, target_x, target_y, target_z, "
                   "distance, yaw, pitch, fov; the video is as long as the path unless its length is given");
    app.add_option("--ui-map", options->ui_map, "Rewrite this file with every frame: the state as JSON");
    app.footer(
        "There is a fixed number of steps between two frames; none is dropped, however slow the machine. The "
        "same\ncommand gives the same frames, byte for byte, on the same machine. No display is needed. Examples:\n  "
        "orrery record collision -o collision.mp4 --duration 10\n  orrery record snapshot.tipsy -o frame_%05d.png "
        "--frames 120 --steps-per-frame 2\n  orrery record collision -o tails.png --steps 300     one picture, of the "
        "state after the steps\n  orrery record 'snap_*.h5' -o one.png --until 2.5     a series at a time\n  orrery "
        "record halo.cloud -o halo.png --steps 0     a cloud\nCtrl+C ends the video after the current frame and "
        "completes the file; the exit code is then 130.");
    return [options, &app] { return record(*options, app); };
}

}  // namespace orrery
