// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <span>
#include <string>

#include "app/camera/orbit_camera.hpp"
#include "app/picture/compare_view.hpp"
#include "app/picture/fonts.hpp"
#include "app/picture/halo_marks.hpp"
#include "app/picture/legend.hpp"
#include "app/render/view_settings.hpp"
#include "core/bodies/frame.hpp"

namespace orrery {

/// Draws colour bar, scale bar, clock and names, if enabled in the view, without a window. The text height is
/// proportional to the frame height. Its GL context must be current in every member function and in the destructor.
class PictureLegend {
public:
    /// For frames of this height, drawn `supersampling` times as high.
    PictureLegend(int height, int supersampling);
    ~PictureLegend();

    /// Draws over width × height pixels of `target`. `places` are the positions of the first bodies; `extent` gives the
    /// range of colours.
    void draw(const Frame& frame, const FrameExtent& extent, std::span<const Vec4f> places, const OrbitCamera& camera,
              const ViewSettings& view, GLuint target, int width, int height);

    /// Draws haloes at the time of the frame; `members`: positions of the bodies of the lit one.
    void draw_halos(const ShownHalos& halos, const Frame& frame, std::span<const Vec4f> members,
                    const OrbitCamera& camera, const Periodic& space, GLuint target, int width, int height);

    /// For a comparison: labels of the panes and, if `words`, the annotations of draw() for both.
    struct Compared {
        const Frame& frame;         ///< A's frame, which contains B's
        const FrameExtent& extent;  ///< range of colours of both
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
    class DrawListPass;
    void take_names(const Frame& frame);
    Legend legend_of(const Frame& frame, const FrameExtent& extent, std::span<const Vec4f> places,
                     const OrbitCamera& camera, const ViewSettings& view, int width, int height) const;
    void name(ImDrawList& draw, const std::string& words, unsigned ink, float left, float right, bool at_right);

    float text_height_;
    std::unique_ptr<DrawListPass> pass_;
    std::shared_ptr<const BodyMetadata> words_;  // metadata with the names whose characters the pass has
    Glyphs extra_;
};

}  // namespace orrery
