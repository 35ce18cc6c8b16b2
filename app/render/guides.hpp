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

/// The side of a cell of the grid for this camera: a tenth to a quarter of the picture's height at its target.
double grid_spacing(const OrbitCamera& camera);

/// Grid and axes of the orbital plane, which is z = 0, or passes through the bodies if they lie elsewhere. The grid is
/// that of the whole plane: the lines around the camera's target are shown, at multiples of the spacing.
std::vector<SceneLine> guide_lines(const GuideView& view, const OrbitCamera& camera, const FrameExtent& extent);

/// A round length, and its length in the picture.
struct ScaleBar {
    double length = 0;  ///< of the scene
    double pixels = 0;
};
/// At the depth of the camera's target; up to `most` pixels long.
ScaleBar scale_bar(const OrbitCamera& camera, double height, double most);

}  // namespace orrery
