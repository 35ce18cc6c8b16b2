// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include "app/camera/orbit_camera.hpp"
#include "app/render/color_maps.hpp"
#include "app/render/gl/objects.hpp"
#include "core/base/vec.hpp"

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
    float scalar_knee;
    glm::vec4 slice;
    glm::vec4 space;
    int tiles = 1, unused[3];
};
static_assert(sizeof(ViewUniforms) == 64 + 6 * 16 + 64 + 4 * 16);

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

/// The uniform blocks of a frame in GL memory.
class FrameUniforms {
public:
    /// Writes all blocks and binds View at 0, the colours of the map at 1, and Spheres at 2. `missing`: the last colour
    /// is that of bodies without a value.
    void load(const ViewUniforms& view, const ColorMapEntry& map, bool missing, const SphereUniforms& spheres);
    GlBuffer& view() noexcept { return view_; }
    const GlBuffer& view() const noexcept { return view_; }
    bool has_spheres() const noexcept { return has_spheres_; }

private:
    GlBuffer view_{sizeof(ViewUniforms), GL_DYNAMIC_STORAGE_BIT};
    GlBuffer colors_{sizeof(ColorTable), GL_DYNAMIC_STORAGE_BIT};
    GlBuffer spheres_{sizeof(SphereUniforms), GL_DYNAMIC_STORAGE_BIT};
    const ColorMapEntry* colors_of_ = nullptr;
    bool colors_with_missing_ = false, has_spheres_ = false;
};

}  // namespace orrery
