// SPDX-License-Identifier: MIT
#include "app/commands/filming.hpp"

#include <chrono>
#include <cmath>
#include <numbers>

#include "app/window/ui_map.hpp"

namespace orrery {

Filming::Filming(const GlInfo& gl, const ViewOptions& view, int width, int height, int fps)
    : options_{view}, settings_{view.checked()}, fps_{fps}, renderer_{gl}, target_{width, height} {
    renderer_.resize(width, height);
}

const Image& Filming::next(Simulation& simulation) {
    if (settings_.octree.on) {
        while (!simulation.evaluate(std::chrono::hours{1})) {  // the first picture has its tree too
        }
        renderer_.show_cells(
            std::make_shared<const std::vector<TreeCell>>(simulation.system().engine_cells(kMostCells)));
    }
    simulation.fill(frame_);
    follow(frame_.extent);
    bodies_.upload(frame_);
    CameraPose pose = pose_;
    pose.yaw += static_cast<double>(pictures_) / fps_ * options_.turn * std::numbers::pi / 180;
    renderer_.draw(bodies_, seen_, OrbitCamera{pose}, settings_, target_.framebuffer());
    target_.read(image_);
    ++pictures_;
    return image_;
}

/// The camera stays where the first picture put it. Exposure and colours follow the bodies in about half a second:
/// the extent comes from a sample, whose small jumps would flicker.
void Filming::follow(const FrameExtent& extent) {
    if (pictures_ == 0) {
        seen_ = extent;
        pose_ = options_.camera(extent, static_cast<double>(target_.width()) / target_.height()).pose();
        return;
    }
    const double part = 1 - std::exp(-2.0 / fps_);
    const auto near = [part](double& value, double goal) { value += part * (goal - value); };
    near(seen_.centre.x, extent.centre.x), near(seen_.centre.y, extent.centre.y), near(seen_.centre.z, extent.centre.z);
    near(seen_.radius, extent.radius);
    near(seen_.scalar_low, extent.scalar_low), near(seen_.scalar_high, extent.scalar_high);
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
