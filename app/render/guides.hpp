// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "app/camera/orbit_camera.hpp"
#include "app/render/lines_pass.hpp"
#include "app/render/view_settings.hpp"
#include "core/bodies/frame.hpp"

namespace orrery {

/// The largest length of 1, 2 or 5 times a power of ten that is at most `length`; 0 for an invalid length.
double round_length(double length);

/// The side of a grid cell for this camera: a tenth to a quarter of the frame height at its target.
double grid_spacing(const OrbitCamera& camera);

/// Grid and axes of the orbital plane, z = 0, or of a parallel plane through the bodies if they are elsewhere. Grid
/// lines are at multiples of the spacing; those around the camera's target are drawn.
std::vector<SceneLine> guide_lines(const GuideView& view, const OrbitCamera& camera, const FrameExtent& extent);

/// A round length and its length on the screen.
struct ScaleBar {
    double length = 0;  ///< in the scene
    double pixels = 0;
};
/// Valid at the depth of the camera's target; at most `most` pixels long.
ScaleBar scale_bar(const OrbitCamera& camera, double height, double most);

}  // namespace orrery
