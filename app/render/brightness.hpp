// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "app/camera/orbit_camera.hpp"
#include "app/render/view_settings.hpp"
#include "core/bodies/frame.hpp"

namespace orrery {

/// The automatic exposure by the number of bodies and the area they cover, not by the picture: of sprites, and of
/// ExposureBy::kBodies. Otherwise where measuring begins. One unit of light is that of one splatted body.
struct Brightness {
    double light;           ///< of one body, summed over all its pixels
    double white;           ///< light in one pixel that becomes brightness 1 at exposure 0
    double point_diameter;  ///< pixels; of a sprite in DrawMode::kPoints
};

inline constexpr float kLoneWhite = 2;  ///< least white: one body in a pixel of an empty neighbourhood shows clearly

/// Scale of lines and sprites relative to a picture of 720 rows: proportional to the picture height, and at least the
/// screen's `content_scale` (1 or more for small pixels).
double picture_scale(int height, double content_scale);

/// `mode` is not kAuto; `height` is the picture's, in pixels, `scale` as picture_scale() has it.
Brightness brightness(std::size_t bodies, const FrameExtent& extent, const OrbitCamera& camera, int height,
                      DrawMode mode, const ViewSettings& settings, double scale = 1);

}  // namespace orrery
