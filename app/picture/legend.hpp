// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

#include "app/camera/orbit_camera.hpp"
#include "app/render/color_bar.hpp"
#include "app/render/scene_lines.hpp"
#include "core/bodies/body_metadata.hpp"

struct ImDrawList;
struct ImFont;

namespace orrery {

// Annotations of a frame, drawn on any ImGui draw list: the window's, or that of a frame without a window.
// Positions are in pixels; `size` is the height of a line of text.

/// Maximum number of labelled bodies.
inline constexpr std::size_t kMostLabels = 64;

struct Label {
    glm::dvec2 at;  ///< of the body
    std::string text;
};
struct Legend {
    std::optional<ColorBar> colors;
    std::optional<ScaleBar> scale;
    std::string length_unit, clock;  ///< empty: none
    std::vector<Label> labels;
};

/// Inputs of a legend. Sizes in pixels of the camera's frame.
struct LegendSource {
    const ViewSettings& view;
    const FrameExtent& extent;
    const BodyMetadata& words;
    double time, scale_factor, expansion;  ///< as in Frame
    bool colored;                          ///< the frame has the requested colours
    std::span<const Vec4f>
        places;  ///< positions of the first bodies, at least min(kMostLabels, names); otherwise there are no labels
    const OrbitCamera& camera;
    double width, height;
    double longest_scale;  ///< maximum length of the scale bar, in pixels
};
Legend make_legend(const LegendSource& source);

/// Clock and scale bar are in the lower left corner, colours in the lower right one. Labels may be anywhere in the
/// frame.
struct LegendPlace {
    float left, right, bottom, above_right;  ///< the colour bar is raised by this
};
/// A part of the legend and the pixels that it takes: "colours", "scale", "clock".
struct LegendArea {
    std::string_view what;
    float left, top, right, bottom;
};
/// Returns the areas of the parts that were drawn, without labels.
std::vector<LegendArea> draw_legend(ImDrawList& draw, ImFont* font, float size, const Legend& legend,
                                    const LegendPlace& place);

/// Text with a shadow, readable over any background.
void draw_words(ImDrawList& draw, ImFont* font, float size, const std::string& words, float left, float top);

}  // namespace orrery
