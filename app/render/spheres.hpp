// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include <glm/vec4.hpp>

#include "app/camera/orbit_camera.hpp"
#include "core/base/vec.hpp"

namespace orrery {

/// The uniform block `Spheres` of shaders/spheres.glsl, member by member, std140.
struct SphereUniforms {
    static constexpr std::size_t kMost = 16;
    glm::vec4 eye{0}, to_right{0}, to_top{0}, to_middle{0}, to_sun{0};
    glm::vec4 spheres[kMost]{};
};
static_assert(sizeof(SphereUniforms) == 16 * (5 + 16));

/// For at most kMost bodies with their radii in w, in a frame `aspect` times as wide as high. Omits bodies smaller than
/// a pixel of `height` rows, whose light is drawn anyway.
SphereUniforms sphere_uniforms(std::span<const Vec4f> bodies, const OrbitCamera& camera, double aspect, int height);

}  // namespace orrery
