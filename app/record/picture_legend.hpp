// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "app/camera/orbit_camera.hpp"
#include "app/render/view_settings.hpp"
#include "app/ui/draw_list_pass.hpp"
#include "core/bodies/frame.hpp"

namespace orrery {

/// Colour bar, scale bar, clock and names in a picture without a window, those of them that its view has on. Letters go
/// by the height of the picture. Needs its GL context current in every member, destructor included.
class PictureLegend {
public:
    /// Of pictures of this height that are drawn `supersampling` times as high.
    PictureLegend(int height, int supersampling);

    /// Over width × height pixels of `target`. `places` are those of the first bodies, `extent` the one of the colours.
    void draw(const Frame& frame, const FrameExtent& extent, std::span<const Vec4f> places, const OrbitCamera& camera,
              const ViewSettings& view, GLuint target, int width, int height);

private:
    float letters_;
    DrawListPass pass_;
};

}  // namespace orrery
