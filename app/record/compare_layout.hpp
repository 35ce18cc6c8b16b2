// SPDX-License-Identifier: MIT
#pragma once
#include <glad/gl.h>

#include <functional>

#include "app/camera/orbit_camera.hpp"
#include "app/picture/compare_view.hpp"
#include "app/render/view_settings.hpp"
#include "core/bodies/frame.hpp"

namespace orrery {

/// Moves the camera back so that a narrow pane shows the same width of the scene as a square one.
OrbitCamera pane_camera(const OrbitCamera& camera, int width, int height);

/// Ends of the colour range of CompareMode::kDifference, log10 of lengths, at least a decade apart. From B's extent.
ScalarRange distance_range(const FrameExtent& extent);

/// Draws A or B into a separate frame of this size; returns its framebuffer.
using DrawOne = std::function<GLuint(int width, int height, const OrbitCamera& camera, const ViewSettings& settings)>;

/// A frame with A and B seen by one camera, composed according to `view`. Sizes in pixels; the sidebar covers `left` of
/// them. `distances` as returned by distance_range().
struct ComparedPicture {
    GLuint target;
    int width, height, left;
    const OrbitCamera& camera;
    const ViewSettings& settings;
    const CompareView& view;
    ScalarRange distances;
};
void draw_compared(const ComparedPicture& picture, const DrawOne& a, const DrawOne& b);

}  // namespace orrery
