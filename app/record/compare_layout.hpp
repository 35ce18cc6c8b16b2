// SPDX-License-Identifier: MIT
#pragma once
#include <glad/gl.h>

#include <functional>

#include "app/camera/orbit_camera.hpp"
#include "app/picture/compare_view.hpp"
#include "app/render/view_settings.hpp"
#include "core/bodies/frame.hpp"

namespace orrery {

/// A narrow pane shows as much from side to side as a square would.
OrbitCamera pane_camera(const OrbitCamera& camera, int width, int height);

/// At the ends of the colours of CompareMode::kDifference, log10 of lengths: a decade at least. Of B's extent.
ScalarRange distance_range(const FrameExtent& extent);

/// Draws one of the two in a picture of its own, of this size; returns the framebuffer that holds it.
using DrawOne = std::function<GLuint(int width, int height, const OrbitCamera& camera, const ViewSettings& settings)>;

/// A picture of A and B by one camera, put together as `view` says. Sizes in pixels; `left` of them are covered by the
/// sidebar. `distances` as distance_range() gives them.
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
