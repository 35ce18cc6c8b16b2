// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "app/camera/orbit_camera.hpp"
#include "app/render/body_light.hpp"
#include "app/render/gl/objects.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/screen_pass.hpp"
#include "app/render/shared_buffer.hpp"

namespace orrery {

/// Motion vectors: the way of the nearest body of each pixel until the next picture, that of the camera included.
class MotionPass {
public:
    MotionPass() : draw_{"motion.vert", "motion.frag"} {}

    /// The next picture, of the same bodies in the same order.
    struct Next {
        const SharedBuffer& bodies;
        OrbitCamera camera;
    };
    /// Size of the map, and what determines the size of a body on it.
    struct Shape {
        int width, height;
        double shrink;             ///< pixels of the view per pixel of the map
        bool sprites;              ///< DrawMode::kPoints
        GLuint widths;             ///< of smoothed bodies, as BodyWidths::distances; 0: none
        double pixels_per_length;  ///< of the view, at distance 1 from the eye
        int copies;                ///< Periodic::copies()
    };
    /// Returns two numbers per pixel, to the right and up, in pixels of the map; rows from top to bottom. Zero where no
    /// body is. Needs the uniform blocks bound. Waits.
    std::vector<float> read(const SharedBuffer& bodies, const OrbitCamera& camera, const Next& next,
                            const Shape& shape);

private:
    struct DepthKind {
        static void destroy(GLuint name) { glDeleteRenderbuffers(1, &name); }
    };
    void resize(int width, int height);

    GlProgram draw_;
    GlVertexArray bodies_;
    Canvas map_;
    GlName<DepthKind> depth_;
};

}  // namespace orrery
