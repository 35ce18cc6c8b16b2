// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <glm/vec2.hpp>

#include "app/camera/orbit_camera.hpp"
#include "app/ui/widget_map.hpp"
#include "core/base/vec.hpp"

namespace orrery {

/// How bodies are found in a picture: its camera, and its size in the coordinates of the places asked for.
struct PickView {
    const OrbitCamera& camera;
    double width, height;
};

/// The body seen nearest to a place, no further than `reach`; of several at one distance the nearest to the eye.
std::optional<std::uint32_t> body_at(std::span<const Vec4f> bodies, const PickView& view, glm::dvec2 place,
                                     double reach);
/// All that are seen in a rectangle.
std::vector<std::uint32_t> bodies_in(std::span<const Vec4f> bodies, const PickView& view, const Rectangle& box);

}  // namespace orrery
