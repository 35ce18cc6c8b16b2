// SPDX-License-Identifier: MIT
#include "app/commands/offline_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <numbers>
#include <utility>
#include <variant>

#include "app/cli/terminal.hpp"
#include "app/render/color_modes.hpp"
#include "app/render/optics_buffers.hpp"
#include "app/render/view_region.hpp"
#include "app/window/ui_map.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/bodies/body_metadata.hpp"
#include "core/bodies/sampling.hpp"
#include "core/ranks/process_ranks.hpp"

namespace orrery {

FrameRenderer::FrameRenderer(const GlInfo& gl, const ViewOptions& view, const PictureSize& size, int fps)
    : options_{view}, settings_{view.settings}, fps_{fps}, software_{gl.software}, maker_{gl, size, fps, view.legend} {}

void FrameRenderer::begin(ComparedRun& run) const {
    run.simulation.set_color_by(color_mode(settings_.color_mode).by, {}, settings_.color_field);
    run.settle();
}

void FrameRenderer::add_to_trails(ComparedRun& run) {
    if (!settings_.trails.on || run.motion.cloud()) return;
    run.simulation.fill(frame_);
    bodies_.upload(frame_);
    maker_.record_trails(bodies_, settings_);
}

/// Evaluates everything that the settings of the view require, and fills the frame.
void FrameRenderer::take(ComparedRun& run) {
    const ColorBy by = color_mode(settings_.color_mode).by;
    run.apply(SetColorBy{by, by == ColorBy::kField ? settings_.color_field : std::string{}});
    if (std::string list = fields_drawn(settings_); list != fields_)
        run.apply(LoadFields{list}), fields_ = std::move(list);
    run.complete(settings_.octree.on);
    frame_.cells = nullptr;
    if (settings_.octree.on)
        frame_.cells = std::make_shared<const std::vector<TreeCell>>(run.simulation.system().engine_cells(kMostCells));
    run.apply(SetDifferences{run.view.mode == CompareMode::kDifference});
    fill(run);
}

/// Fills and uploads the frame of the current state and, in a comparison, that of the second simulation.
void FrameRenderer::fill(ComparedRun& run) {
    run.fill(frame_);
    bodies_.upload(frame_);
    if (frame_.other) other_bodies_.upload(*frame_.other);
}

void FrameRenderer::draw(ComparedRun& run) {
    take(run);
    const CameraPose pose = pose_now();
    aim(run, pose);
    require_color();
    require_species(run);
    draw_captured(run.view, pose);
}

void FrameRenderer::draw(ComparedRun& run, const CameraPose& pose) {
    take(run);
    aim(run, pose);
    draw_captured(run.view, pose);
}

void FrameRenderer::open(ComparedRun& run, const Exposing& exposing, std::uint64_t steps) {
    take(run);
    if (frame_.other) usage_error("--shutter, --motion-vectors: not with a comparison");
    open_.exposing = exposing, open_.steps = steps, open_.taken = 0, open_.added = 0;
    open_.pose = pose_now();
    aim(run, open_.pose);
    require_color();
    require_species(run);
    open_.centre = frame_.extent.centre;
    if (exposing.shutter > 0) maker_.open_shutter(frame_, exposing.instants);
}

void FrameRenderer::pass(ComparedRun& run) {
    const SharedBuffer& before = open_.taken == 0 ? bodies_ : open_.states[open_.taken % 2];
    const std::uint64_t step = open_.taken++;
    SharedBuffer& after = open_.states[open_.taken % 2];
    const bool last = open_.taken == open_.steps;
    const double closes = open_.exposing.shutter * static_cast<double>(open_.steps);
    if (run.motion.cloud()) return last ? add_instants(bodies_, bodies_, open_.centre) : void();
    if (!(static_cast<double>(step) < closes) && !(last && open_.exposing.vectors)) return;
    run.complete(false);
    run.fill(open_.passed);
    after.upload(open_.passed);
    if (after.count() != bodies_.count())
        usage_error("--shutter, --motion-vectors: the number of bodies changes within a frame");
    const Vec3d centre = open_.passed.extent.centre;
    add_instants(before, after, centre);
    open_.centre = centre;
}

/// Adds the instants up to the state after the last step.
void FrameRenderer::add_instants(const SharedBuffer& from, const SharedBuffer& to, Vec3d to_centre) {
    const auto steps = static_cast<double>(open_.steps), now = static_cast<double>(open_.taken);
    if (!(open_.exposing.shutter > 0)) return;
    for (; open_.added < open_.exposing.instants; ++open_.added) {
        const double at = (open_.added + 0.5) / open_.exposing.instants * open_.exposing.shutter;  // in frames
        if (at * steps >= now && open_.taken < open_.steps) return;
        const double share = std::clamp(at * steps - (now - 1), 0.0, 1.0);
        maker_.add_instant(open_.between.at(from, to, static_cast<float>(share)),
                           pose_now(at, open_.centre + share * (to_centre - open_.centre)), settings_);
    }
}

void FrameRenderer::close(ComparedRun& run) {
    if (open_.exposing.vectors) {
        const bool rests = run.motion.cloud() != nullptr;
        maker_.move_to(rests ? bodies_ : open_.states[open_.taken % 2], pose_now(1, open_.centre));
    }
    draw_captured(run.view, open_.pose);
}

void FrameRenderer::require_color() const {
    if (!frame_.no_color.empty()) usage_error(fmt::format("--color-by {}: {}", settings_.color_mode, frame_.no_color));
    if (!(settings_.dust > 0)) return;
    if (!OpticsBuffers::shown(bodies_, settings_) || settings_.mode != DrawMode::kSmoothed)
        usage_error("--dust absorbs the light of stars: it needs --color-by starlight and --mode smoothed");
    if (!frame_.words->optics.dust) usage_error("--dust: no dust is loaded; a series loads it by --fields dust");
}

void FrameRenderer::require_species(const ComparedRun& run) const {
    if (settings_.species == ShownSpecies{}) return;
    if (run.motion.cloud()) usage_error("--show-species: species of a cloud are not hidden: all its bodies are drawn");
    if (!frame_.words || frame_.words->species.none()) usage_error(fmt::format("--show-species: {}", kNoSpecies));
}

/// Fills the frame again if it depends on the camera, which may depend on the positions of bodies. Waits until all
/// cells of a cloud that the frame needs are read, however long that takes.
void FrameRenderer::aim(ComparedRun& run, const CameraPose& pose) {
    const OrbitCamera camera{pose};
    if (CloudStream* const cloud = run.motion.cloud()) {
        const PictureSize& size = maker_.size();
        const int times = size.supersampling;
        cloud->look(view_region(camera, settings_, size.width * times, size.height * times, size.lens, software_));
        cloud->wait();
    } else if (run.simulation.forces().color().by == ColorBy::kSightLine) {
        run.apply(SetSightLine{sight_line_of(camera)});
    } else {
        return;
    }
    fill(run);
}

void FrameRenderer::draw_captured(const CompareView& view, const CameraPose& pose) {
    const OtherBodies other{other_bodies_, view, {}, {}};
    maker_.draw(bodies_, frame_, pose, settings_, frame_.other ? &other : nullptr);
}

/// The pose on the camera path, if there is one; otherwise that of the first frame, with turning and following applied.
CameraPose FrameRenderer::pose_now(double share, std::optional<Vec3d> of) {
    const double seconds = (static_cast<double>(maker_.pictures()) + share) / fps_;
    if (!options_.scene.path.empty()) return options_.scene.path.evaluate(seconds);
    const Periodic space = periodic_of(settings_, frame_.words ? frame_.words->box : 0);
    const FrameExtent extent = space.extent(frame_.extent);
    const Vec3d centre = space.on() ? extent.centre : of.value_or(extent.centre);
    if (!first_centre_) {
        first_centre_ = centre;
        const PictureSize& size = maker_.size();
        first_pose_ = options_.camera(extent, static_cast<double>(size.width) / size.height).pose();
    }
    CameraPose pose = first_pose_;
    pose.yaw += seconds * options_.scene.turn * std::numbers::pi / 180;
    const Vec3d moved = centre - *first_centre_;
    if (options_.scene.follow) pose.target += glm::dvec3{moved.x, moved.y, moved.z};
    return pose;
}

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Returns true if the run was interrupted; with ranks that take the same steps, rank 0 decides.
bool interrupted(const InterruptGuard& interrupt, ComparedRun& run) {
    return run.simulation.system().part() ? agreed(interrupt.interrupted()) : interrupt.interrupted();
}

void advance(ComparedRun& run, std::uint64_t steps, FrameRenderer& renderer, const InterruptGuard& interrupt) {
    Progress progress{"stepping", steps};
    for (std::uint64_t i = 0; i < steps && !interrupted(interrupt, run); ++i) {
        progress.update(i);
        renderer.add_to_trails(run);
        run.take_steps(1);
    }
}

/// Rewrites `path` with the state of a recording, in the format of the window's UI map, without widgets.
void write_recording_state(const std::filesystem::path& path, Simulation& simulation,
                           const std::filesystem::path& video, std::uint64_t pictures, double pictures_per_second) {
    write_ui_map(path, recording_map_text({.scene_id = simulation.scene().id,
                                           .bodies = simulation.system().count(),
                                           .engine = simulation.engine_config(),
                                           .gravity = simulation.scene().gravity,
                                           .dt = simulation.scene().dt,
                                           .time = simulation.now().time,
                                           .step = simulation.now().steps,
                                           .force_seconds = simulation.forces().last_seconds(),
                                           .video = video.string(),
                                           .frames = pictures,
                                           .frames_per_second = pictures_per_second}));
}

}  // namespace

OfflineRecorder::OfflineRecorder(const RecordingPlan& plan, ComparedRun& run, FrameRenderer& renderer,
                                 BackgroundRecorder& recorder)
    : plan_{plan}, run_{run}, renderer_{renderer}, recorder_{recorder} {
    if (plan.replayed) player_.emplace(*plan.replayed);
}

std::uint64_t OfflineRecorder::make(const std::filesystem::path& unfinished) {
    try {
        return make_all();
    } catch (const Error& error) {
        if (recorder_.done()) throw;  // the recorder's own error already names the partial file
        keep();
        if (unfinished.empty() || recorder_.written() == 0 || recorder_.done()) throw;
        throw Error{error.blame(), fmt::format("{}; the first {} frames are kept in {}", error.what(),
                                               recorder_.written(), unfinished.string())};
    }
}

std::uint64_t OfflineRecorder::make_all() {
    const InterruptGuard interrupt;
    renderer_.begin(run_);
    advance(run_, plan_.steps_before, renderer_, interrupt);
    if (plan_.rate_after > 0) run_.motion.player()->set_rate(plan_.rate_after);
    Progress progress{"recording", plan_.pictures};
    const auto start = Clock::now();
    while (drawn_ < plan_.pictures && !interrupted(interrupt, run_)) {
        draw();
        hand_over(renderer_.maker().full());
        recorder_.rethrow();
        const double rate = static_cast<double>(drawn_) / seconds_since(start);
        progress.update(drawn_, fmt::format("frame {} of {}, {:.1f} per second", drawn_, plan_.pictures, rate));
        if (!plan_.ui_map.empty() && is_first_process())
            write_recording_state(plan_.ui_map, run_.simulation, plan_.path, drawn_, rate);
        if (drawn_ == 1) after_first_ = Clock::now();  // excludes compiling shaders and opening the encoder
        if (drawn_ == plan_.pictures) break;
        if (plan_.exposing.on()) continue;  // the steps were taken while the frame was exposed
        const StageClock clock{times_.step};
        run_.take_steps(plan_.steps_per_frame);
    }
    if (drawn_ == 0) environment_error(fmt::format("{}: interrupted before the first frame", plan_.path.string()));
    complete();
    return drawn_;
}

/// Takes the steps up to the next frame while the shutter is open.
void OfflineRecorder::expose() {
    {
        const StageClock clock{times_.draw};
        renderer_.open(run_, plan_.exposing, plan_.steps_per_frame);
    }
    for (std::uint64_t step = 0; step < plan_.steps_per_frame; ++step) {
        {
            const StageClock clock{times_.step};
            run_.take_steps(1);
        }
        const StageClock clock{times_.draw};
        renderer_.pass(run_);
    }
    const StageClock clock{times_.draw};
    renderer_.close(run_);
    ++drawn_;
}

void OfflineRecorder::draw() {
    if (plan_.exposing.on()) return expose();
    const StageClock clock{times_.draw};
    player_ ? player_->draw(drawn_, run_, renderer_) : renderer_.draw(run_);
    ++drawn_;
}

/// Passes finished frames to the recorder: the oldest in any case if `wait`, and all others that are ready.
void OfflineRecorder::hand_over(bool wait) {
    const StageClock clock{times_.wait};
    PictureMaker& maker = renderer_.maker();
    for (; !maker.empty() && (wait || maker.ready()); wait = false) recorder_.add(maker.take());
}

void OfflineRecorder::complete() {
    while (!renderer_.maker().empty()) hand_over(true);
    recorder_.finish();
    {
        const StageClock clock{times_.wait};
        recorder_.wait();
    }
    end_ = Clock::now();
    recorder_.rethrow();
}

/// After an error: saves the frames drawn before it, as far as possible.
void OfflineRecorder::keep() noexcept {
    try {
        while (!renderer_.maker().empty()) hand_over(true);
    } catch (const std::exception&) {  // the device is lost, and with it the frames in flight
    }
    recorder_.drain();
}

StageTimes OfflineRecorder::times() const {
    const Readback& readback = renderer_.maker().readback();
    StageTimes all = times_;
    all.copy = readback.copy_seconds();
    if (readback.way() == ReadbackWay::kTexture) all.draw -= all.copy;  // this copy waits, within draw()
    all.encode = recorder_.encode_seconds();
    StageTimes each = all.over(drawn_);
    each.frame = std::chrono::duration<double>(end_ - after_first_).count() /
                 static_cast<double>(std::max<std::uint64_t>(1, drawn_ - 1));
    return each;
}

void SessionPlayer::draw(std::uint64_t number, ComparedRun& run, FrameRenderer& renderer) {
    const auto& events = session_.events;
    std::size_t end = next_;
    while (end < events.size() && events[end].picture == number && !events[end].end) ++end;
    for (std::size_t i = next_; i < end; ++i) {
        if (events[i].pose) pose_ = *events[i].pose;
        if (events[i].view) renderer.set_view(*events[i].view);
        if (events[i].seen) run.view = *events[i].seen;
    }
    renderer.draw(run, pose_);
    for (; next_ < end; ++next_) {
        try {
            for (const ComputedAction& action : events[next_].actions)
                std::visit([&](const auto& wish) { run.apply(wish); }, action);
        } catch (const Error& refused) {
            const auto loads = [](const ComputedAction& action) { return std::holds_alternative<LoadScene>(action); };
            if (std::ranges::any_of(events[next_].actions, loads))
                throw Error{refused.blame(), fmt::format("frame {}: {}", number, refused.what())};
            // As in the window, which continued.
            to_stderr("orrery: frame {}: {}\n", number, refused.what());
        }
    }
}

}  // namespace orrery
