// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "app/camera/orbit_camera.hpp"
#include "app/render/view_settings.hpp"
#include "core/bodies/frame.hpp"

namespace orrery {

/// The automatic exposure: from the number of bodies and the area they cover, never from the picture, so that it
/// neither flickers nor reads anything back. One unit of light is what one splatted body gives.
struct Brightness {
    double light;           ///< of one body, added over all its pixels
    double white;           ///< light in one pixel that becomes brightness 1 at exposure 0
    double point_diameter;  ///< pixels; of a sprite in DrawMode::kPoints
};

/// How much larger lines and sprites are than in a picture of 720 rows: as the picture is, and no less than the screen
/// asks for (`content_scale`, 1 or more where pixels are small).
double picture_scale(int height, double content_scale);

/// `mode` is not kAuto; `height` is the picture's, in pixels, `scale` as picture_scale() has it.
Brightness brightness(std::size_t bodies, const FrameExtent& extent, const OrbitCamera& camera, int height,
                      DrawMode mode, const ViewSettings& settings, double scale = 1);

}  // namespace orrery
