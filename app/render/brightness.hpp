// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "app/camera/orbit_camera.hpp"
#include "app/render/view_settings.hpp"
#include "core/bodies/frame.hpp"

namespace orrery {

/// Automatic exposure from the number of bodies and the area they cover, not from the frame: for sprites and for
/// ExposureBy::kBodies. Otherwise the initial value of measured exposure. One unit of light is one splatted body.
struct Brightness {
    double light;           ///< of one body, summed over all its pixels
    double white;           ///< light per pixel that gives brightness 1 at exposure 0
    double point_diameter;  ///< pixels; size of a sprite in DrawMode::kPoints
};

inline constexpr float kLoneWhite = 2;  ///< minimum white: a single body with no others around it is clearly visible

/// Scale of lines and sprites relative to a frame of 720 rows: proportional to the frame height, and at least the
/// screen's `content_scale` (1 or more for small pixels).
double picture_scale(int height, double content_scale);

/// `mode` is not kAuto; `height` is the frame's, in pixels; `scale` as returned by picture_scale().
Brightness brightness(std::size_t bodies, const FrameExtent& extent, const OrbitCamera& camera, int height,
                      DrawMode mode, const ViewSettings& settings, double scale = 1);

}  // namespace orrery
