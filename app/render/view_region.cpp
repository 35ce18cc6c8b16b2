// SPDX-License-Identifier: MIT
#include "app/render/cloud_sight.hpp"

#include <algorithm>

#include <glm/gtc/type_ptr.hpp>

#include "app/render/color_modes.hpp"

namespace orrery {

CloudSight cloud_sight(const OrbitCamera& camera, const ViewSettings& settings, int width, int height, Lens lens,
                       bool software) {
    constexpr double kMillion = 1e6, kForSoftware = 0.5, kForHardware = 8;
    CloudSight sight;
    const glm::dmat4 clip = camera.projection(static_cast<double>(width) / height) * camera.view();
    std::copy_n(glm::value_ptr(clip), sight.clip_from_world.size(), sight.clip_from_world.begin());
    const glm::dvec3 eye = camera.eye();
    sight.eye = {eye.x, eye.y, eye.z};
    sight.pixels_per_length = camera.pixels_per_length(1, height);
    sight.everywhere = lens != Lens::kFlat;
    const double millions = settings.cloud_bodies > 0 ? settings.cloud_bodies : software ? kForSoftware : kForHardware;
    sight.bodies = static_cast<std::uint64_t>(millions * kMillion);
    sight.spacing = settings.cloud_spacing;
    sight.color_by = color_mode(settings.color_mode).by;
    sight.mass_power = std::clamp(settings.mass_size, 0.0f, 1.0f);
    return sight;
}

}  // namespace orrery
