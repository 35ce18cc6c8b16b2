// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>

#include "app/camera/orbit_camera.hpp"
#include "app/picture/compare_view.hpp"
#include "app/picture/draw_list_pass.hpp"
#include "app/render/view_settings.hpp"
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

    /// Of a comparison: which pane is whose, and, where `words` are wanted, what draw() says of both.
    struct Compared {
        const Frame& frame;         ///< A's, with B's
        const FrameExtent& extent;  ///< of the colours of both
        std::span<const Vec4f> places;
        const OrbitCamera& camera;
        const ViewSettings& view;
        const CompareView& seen;
        ScalarRange distances;
        std::string a, b;  ///< what they are called
        bool words;
    };
    void draw(const Compared& compared, GLuint target, int width, int height);

private:
    void name(ImDrawList& draw, const std::string& words, unsigned ink, float left, float right, bool at_right);

    float letters_;
    DrawListPass pass_;
};

}  // namespace orrery
