// SPDX-License-Identifier: MIT
#include "app/commands/frame_renderer.hpp"

#include <fmt/format.h>

#include <numbers>

#include "app/render/color_modes.hpp"
#include "app/render/view_region.hpp"
#include "app/window/ui_map.hpp"
#include "core/base/error.hpp"
#include "core/bodies/body_metadata.hpp"
#include "core/bodies/sampling.hpp"

namespace orrery {

FrameRenderer::FrameRenderer(const GlInfo& gl, const ViewOptions& view, const PictureSize& size, int fps)
    : options_{view}, settings_{view.settings}, fps_{fps}, software_{gl.software}, maker_{gl, size, fps, view.legend} {}

void FrameRenderer::begin(ComparedRun& run) const {
    run.simulation.set_color_by(color_mode(settings_.color_mode).by);
    run.settle();
}

void FrameRenderer::add_to_trails(ComparedRun& run) {
    if (!settings_.trails.on || run.cloud) return;
    run.simulation.fill(frame_);
    bodies_.upload(frame_);
    maker_.record_trails(bodies_, settings_);
}

void FrameRenderer::take(ComparedRun& run) {
    Simulation& simulation = run.simulation;
    frame_.cells = nullptr;
    run.apply(SetColorBy{color_mode(settings_.color_mode).by});
    run.complete(settings_.octree.on);
    if (settings_.octree.on)
        frame_.cells = std::make_shared<const std::vector<TreeCell>>(simulation.system().engine_cells(kMostCells));
    simulation.fill(frame_);
    run.apply(SetDifferences{run.view.mode == CompareMode::kDifference});
    run.comparison.fill(simulation, frame_);
    if (run.cloud) run.cloud->fill(frame_);
    bodies_.upload(frame_);
    if (frame_.other) other_bodies_.upload(*frame_.other);
}

void FrameRenderer::draw(ComparedRun& run) {
    take(run);
    const CameraPose pose = pose_now();
    if (run.cloud) request_region(*run.cloud, pose);
    align(run, pose);
    require_color();
    require_species(run);
    draw_captured(run.view, pose);
}

void FrameRenderer::draw(ComparedRun& run, const CameraPose& pose) {
    take(run);
    if (run.cloud) request_region(*run.cloud, pose);
    align(run, pose);
    draw_captured(run.view, pose);
}

void FrameRenderer::require_color() const {
    if (!frame_.no_color.empty()) usage_error(fmt::format("--color-by {}: {}", settings_.color_mode, frame_.no_color));
}

void FrameRenderer::require_species(const ComparedRun& run) const {
    if (settings_.species == ShownSpecies{}) return;
    if (run.cloud) usage_error("--show-species: species of a cloud are not hidden: all its bodies are drawn");
    if (!frame_.words || frame_.words->species.none()) usage_error(fmt::format("--show-species: {}", kNoSpecies));
}

/// Waits until all cells that the frame needs are read, however long that takes.
void FrameRenderer::request_region(CloudStream& cloud, const CameraPose& pose) {
    const PictureSize& size = maker_.size();
    const int times = size.supersampling;
    cloud.look(
        view_region(OrbitCamera{pose}, settings_, size.width * times, size.height * times, size.lens, software_));
    cloud.wait();
    cloud.fill(frame_);
    bodies_.upload(frame_);
}

/// The camera may depend on the positions of bodies, so sight-line colours are set after it.
void FrameRenderer::align(ComparedRun& run, const CameraPose& pose) {
    if (run.simulation.forces().color().by != ColorBy::kSightLine || run.cloud) return;
    run.apply(SetSightLine{sight_line_of(OrbitCamera{pose})});
    run.simulation.fill(frame_);
    run.comparison.fill(run.simulation, frame_);
    bodies_.upload(frame_);
    if (frame_.other) other_bodies_.upload(*frame_.other);
}

void FrameRenderer::draw_captured(const CompareView& view, const CameraPose& pose) {
    const OtherBodies other{other_bodies_, view, {}, {}};
    maker_.draw(bodies_, frame_, pose, settings_, frame_.other ? &other : nullptr);
}

/// The pose on the camera path, if there is one; otherwise that of the first frame, with turning and following applied.
CameraPose FrameRenderer::pose_now() {
    const double seconds = static_cast<double>(maker_.pictures()) / fps_;
    if (!options_.scene.path.empty()) return options_.scene.path.evaluate(seconds);
    const Vec3d& centre = frame_.extent.centre;
    if (!first_centre_) {
        first_centre_ = centre;
        const PictureSize& size = maker_.size();
        first_pose_ = options_.camera(frame_.extent, static_cast<double>(size.width) / size.height).pose();
    }
    CameraPose pose = first_pose_;
    pose.yaw += seconds * options_.scene.turn * std::numbers::pi / 180;
    const Vec3d moved = centre - *first_centre_;
    if (options_.scene.follow) pose.target += glm::dvec3{moved.x, moved.y, moved.z};
    return pose;
}

void write_recording_state(const std::filesystem::path& path, Simulation& simulation,
                           const std::filesystem::path& video, std::uint64_t pictures, double pictures_per_second) {
    UiState state;
    Status& status = state.status;
    status.scene_id = simulation.scene().id;
    status.bodies = simulation.system().count();
    status.engine = state.requested.engine = simulation.engine_config();
    status.gravity = simulation.scene().gravity;
    status.dt = simulation.scene().dt, status.time = simulation.now().time, status.step = simulation.now().steps;
    if (const double force = simulation.forces().last_seconds(); force > 0) status.force = {force, force, force, 1};
    state.scene.ready = true;
    state.performance.ui_fps = pictures_per_second;
    if (pictures > 0)
        status.steps_per_second =
            static_cast<double>(status.step) / static_cast<double>(pictures) * pictures_per_second;
    state.recording.now = {.active = true, .path = video.string(), .frames = pictures};
    write_ui_map(path, ui_map_text({}, state, {.frames = pictures}));
}

}  // namespace orrery
