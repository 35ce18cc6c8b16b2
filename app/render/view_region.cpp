// SPDX-License-Identifier: MIT
#include "app/render/view_region.hpp"

#include <algorithm>

#include <glm/gtc/type_ptr.hpp>

#include "app/render/color_modes.hpp"

namespace orrery {

ViewRegion view_region(const OrbitCamera& camera, const ViewSettings& settings, int width, int height, Lens lens,
                       bool software) {
    constexpr double kMillion = 1e6, kForSoftware = 0.5, kForHardware = 8;
    ViewRegion region;
    const glm::dmat4 clip = camera.projection(static_cast<double>(width) / height) * camera.view();
    std::copy_n(glm::value_ptr(clip), region.clip_from_world.size(), region.clip_from_world.begin());
    const glm::dvec3 eye = camera.eye();
    region.eye = {eye.x, eye.y, eye.z};
    region.pixels_per_length = camera.pixels_per_length(1, height);
    region.everywhere = lens != Lens::kFlat || settings.space.asked();
    const double millions = settings.cloud_bodies > 0 ? settings.cloud_bodies : software ? kForSoftware : kForHardware;
    region.bodies = static_cast<std::uint64_t>(millions * kMillion);
    region.spacing = settings.cloud_spacing;
    region.color_by = color_mode(settings.color_mode).by;
    if (region.color_by == ColorBy::kField) region.color_field = settings.color_field;
    region.mass_power = std::clamp(settings.mass_size, 0.0f, 1.0f);
    return region;
}

}  // namespace orrery
