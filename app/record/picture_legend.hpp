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

/// Draws colour bar, scale bar, clock and names, as far as the view has them on, without a window. The text size
/// follows the picture height. Its GL context must be current in every member, including the destructor.
class PictureLegend {
public:
    /// For pictures of this height, drawn `supersampling` times as high.
    PictureLegend(int height, int supersampling);

    /// Over width × height pixels of `target`. `places` are the positions of the first bodies, `extent` describes the
    /// colours.
    void draw(const Frame& frame, const FrameExtent& extent, std::span<const Vec4f> places, const OrbitCamera& camera,
              const ViewSettings& view, GLuint target, int width, int height);

    /// For a comparison: labels of the panes, and, if `words`, the annotations of draw() for both.
    struct Compared {
        const Frame& frame;         ///< A's frame, with B's
        const FrameExtent& extent;  ///< of the colours of both
        std::span<const Vec4f> places;
        const OrbitCamera& camera;
        const ViewSettings& view;
        const CompareView& seen;
        ScalarRange distances;
        std::string a, b;  ///< labels
        bool words;
    };
    void draw(const Compared& compared, GLuint target, int width, int height);

private:
    void take_names(const Frame& frame);
    void name(ImDrawList& draw, const std::string& words, unsigned ink, float left, float right, bool at_right);

    float letters_;
    std::unique_ptr<DrawListPass> pass_;
    std::shared_ptr<const SceneWords> words_;  // whose names it has letters for
    Letters extra_;
};

}  // namespace orrery
