// SPDX-License-Identifier: MIT
#include "app/commands/filming.hpp"

#include <fmt/format.h>

#include <numbers>

#include "app/render/cloud_sight.hpp"
#include "app/render/color_modes.hpp"
#include "app/window/ui_map.hpp"
#include "core/base/error.hpp"
#include "core/bodies/sampling.hpp"
#include "core/bodies/scene_words.hpp"

namespace orrery {

Filming::Filming(const GlInfo& gl, const ViewOptions& view, const PictureSize& size, int fps)
    : options_{view}, settings_{view.settings}, fps_{fps}, software_{gl.software}, maker_{gl, size, fps, view.legend} {}

void Filming::begin(ComparedRun& run) const {
    run.simulation.set_color_by(color_mode(settings_.color_mode).by);
    run.settle();
}

void Filming::between(ComparedRun& run) {
    if (!settings_.trails.on || run.cloud) return;
    run.simulation.fill(frame_);
    bodies_.upload(frame_);
    maker_.record_trails(bodies_, settings_);
}

void Filming::take(ComparedRun& run) {
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

void Filming::draw(ComparedRun& run) {
    take(run);
    const CameraPose pose = pose_now();
    if (run.cloud) look(*run.cloud, pose);
    align(run, pose);
    require_color();
    require_species(run);
    draw_taken(run.view, pose);
}

void Filming::draw(ComparedRun& run, const CameraPose& pose) {
    take(run);
    if (run.cloud) look(*run.cloud, pose);
    align(run, pose);
    draw_taken(run.view, pose);
}

void Filming::require_color() const {
    if (!frame_.no_color.empty()) usage_error(fmt::format("--color-by {}: {}", settings_.color_mode, frame_.no_color));
}

void Filming::require_species(const ComparedRun& run) const {
    if (settings_.species == ShownSpecies{}) return;
    if (run.cloud) usage_error("--show-species: species of a cloud are not hidden: all its bodies are drawn");
    if (!frame_.words || frame_.words->species.none()) usage_error(fmt::format("--show-species: {}", kNoSpecies));
}

/// Each picture has all that it asks for, however long that takes to read.
void Filming::look(CloudStream& cloud, const CameraPose& pose) {
    const PictureSize& size = maker_.size();
    const int times = size.supersampling;
    cloud.look(
        cloud_sight(OrbitCamera{pose}, settings_, size.width * times, size.height * times, size.lens, software_));
    cloud.wait();
    cloud.fill(frame_);
    bodies_.upload(frame_);
}

/// Where the camera is may depend on where the bodies are: so their colours come after it.
void Filming::align(ComparedRun& run, const CameraPose& pose) {
    if (run.simulation.color_by() != ColorBy::kSightLine || run.cloud) return;
    run.apply(SetSightLine{sight_line_of(OrbitCamera{pose})});
    run.simulation.fill(frame_);
    run.comparison.fill(run.simulation, frame_);
    bodies_.upload(frame_);
    if (frame_.other) other_bodies_.upload(*frame_.other);
}

void Filming::draw_taken(const CompareView& view, const CameraPose& pose) {
    const OtherBodies other{other_bodies_, view, {}, {}};
    maker_.draw(bodies_, frame_, pose, settings_, frame_.other ? &other : nullptr);
}

/// On its path, if there is one; else where the first picture put it, but for turning and following.
CameraPose Filming::pose_now() {
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

void write_recording_state(const std::filesystem::path& path, Simulation& simulation, const std::filesystem::path& film,
                           std::uint64_t pictures, double pictures_per_second) {
    UiState state;
    Status& status = state.status;
    status.scene_id = simulation.scene().id;
    status.bodies = simulation.system().count();
    status.engine = state.engine = simulation.engine_config();
    status.gravity = simulation.gravity();
    status.dt = simulation.dt(), status.time = simulation.time(), status.step = simulation.steps();
    if (const double force = simulation.last_force_seconds(); force > 0) status.force = {force, force, force, 1};
    state.ready = true;
    state.ui_fps = pictures_per_second;
    if (pictures > 0)
        status.steps_per_second =
            static_cast<double>(status.step) / static_cast<double>(pictures) * pictures_per_second;
    state.recording = {.active = true, .path = film.string(), .frames = pictures};
    write_ui_map(path, ui_map_text({}, state, {.frames = pictures}));
}

}  // namespace orrery
