// SPDX-License-Identifier: MIT
#pragma once
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

namespace orrery {

/// The uniform block `View` of shaders/view.glsl, member by member, std140.
struct ViewUniforms {
    glm::mat4 clip_from_world;
    glm::vec2 resolution;
    float scalar_low, scalar_scale;
    float light, point_diameter, fixed_scale, stretch;
    float response, glow;
    int tone_map, vertices;
    float white, light_unit;
    int scalar_scale_kind, hues;
    int trails;
    float mass_power, mass_share;
    int stars;
    float glow_unit;
    int lens;
    float contours, local_contrast;
    glm::mat4 eye_from_world;
    float finest;
    float slice_half;
    int hdr;
    float unused;
    glm::vec4 slice;
};
static_assert(sizeof(ViewUniforms) == 64 + 6 * 16 + 64 + 2 * 16);

}  // namespace orrery
