// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <glm/vec2.hpp>

#include "app/camera/orbit_camera.hpp"
#include "app/camera/periodic.hpp"
#include "core/base/vec.hpp"
#include "core/selection/body_set.hpp"

namespace orrery {

/// Inputs for picking bodies in a picture: its camera, and its size in the coordinates of the mouse.
struct PickView {
    const OrbitCamera& camera;
    double width, height;
    Periodic space = {};
};

/// The body that appears nearest to a position, no farther than `reach`; of several at the same distance, the nearest
/// to the eye.
std::optional<std::uint32_t> body_at(std::span<const Vec4f> bodies, const PickView& view, glm::dvec2 place,
                                     double reach);
/// All bodies that appear within a closed line, by the even-odd rule; in a periodic space with any of their images.
BodySet bodies_within(std::span<const Vec4f> bodies, const Projector& project, const Outline& line,
                      const Periodic& space = {});

/// The convex hull of these points, with its corners moved `gap` away from their centre; empty for fewer than three
/// points.
std::vector<glm::dvec2> hull_of(std::vector<glm::dvec2> points, double gap);

}  // namespace orrery
