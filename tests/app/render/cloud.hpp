// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include "app/camera/orbit_camera.hpp"
#include "app/platform/offscreen_context.hpp"
#include "app/render/render_target.hpp"
#include "app/render/renderer.hpp"
#include "core/bodies/frame.hpp"

namespace orrery::test {

/// A spherical Gaussian cloud at (0.3, -0.2, 0.1); the colour scalar runs from 0 to 1.
Frame cloud(std::size_t bodies, unsigned seed = 1);

/// Everything needed to draw a frame without a display.
struct Studio {
    OffscreenContext context;
    Renderer renderer{context.gl_info()};
    SharedBuffer buffer;
    bool patient = true;  ///< wait for the neighbours of smoothed frames
    Image draw(const Frame& frame, const OrbitCamera& camera, const ViewSettings& settings, int width = 640,
               int height = 360);
};

/// Brightness proportional to light: no logarithm, glow or tone curve.
ViewSettings linear_view(DrawMode mode);

/// The light of a pixel drawn with linear_view(), 0 to 1: its largest component, converted from sRGB.
double light_of(const Image& image, int x, int y);

/// Number of pixels that are not black.
int lit(const Image& image);

}  // namespace orrery::test
