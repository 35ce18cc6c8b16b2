// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "app/camera/orbit_camera.hpp"
#include "app/render/gl/buffer.hpp"
#include "app/render/gl/framebuffer.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/gl/texture.hpp"
#include "app/render/gl/vertex_array.hpp"
#include "core/base/vec.hpp"

namespace orrery {

/// A line in the scene, as shaders/cells.vert reads it: two vec4.
struct SceneLine {
    Vec3f from;
    float size;  ///< length that must cover some pixels for the line to be visible
    Vec3f to;
    float look;  ///< packed_look()
};
static_assert(sizeof(SceneLine) == 32);

/// sRGB packed as in ImGui, with a weight of 0 to 1 instead of alpha.
float packed_look(std::uint32_t color, double weight);

/// Lines over a finished frame: their mean colour, blended so that many coincident lines are bright, not white.
class LinesPass {
public:
    LinesPass();
    void load(std::span<const SceneLine> lines);
    /// Needs the uniform block View bound. `scale` is that of the screen. Leaves the target bound and blending
    /// disabled.
    void draw(float opacity, const OrbitCamera& camera, int width, int height, double scale, GLuint target);

private:
    GlProgram add_, finish_;
    GlVertexArray nothing_;
    GlBuffer buffer_;
    std::size_t lines_ = 0;
    GlTexture sum_;
    GlFramebuffer framebuffer_;
};

}  // namespace orrery
