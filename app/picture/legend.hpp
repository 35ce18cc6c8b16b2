// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

#include "app/camera/orbit_camera.hpp"
#include "app/render/color_bar.hpp"
#include "app/render/guides.hpp"
#include "core/bodies/scene_words.hpp"

struct ImDrawList;
struct ImFont;

namespace orrery {

// Annotations of a picture, drawn on any ImGui draw list: the window's, or that of a picture without a window.
// Positions are in pixels; `size` is the height of a line of text.

/// At most this many bodies are labelled.
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

/// Inputs of a legend. Sizes in pixels of the camera's picture.
struct LegendSource {
    const ViewSettings& view;
    const FrameExtent& extent;
    const SceneWords& words;
    double time, scale_factor;  ///< as Frame has them
    bool colored;               ///< the frame has the requested colours
    std::span<const Vec4f>
        places;  ///< positions of the first bodies, at least min(kMostLabels, names); otherwise there are no labels
    const OrbitCamera& camera;
    double width, height;
    double longest_scale;  ///< of the scale bar
};
Legend make_legend(const LegendSource& source);

/// Clock and scale bar in the lower left corner, colours in the lower right one. Labels may be anywhere in the picture.
struct LegendPlace {
    float left, right, bottom, above_right;  ///< the colour bar is raised by this
};
void draw_legend(ImDrawList& draw, ImFont* font, float size, const Legend& legend, const LegendPlace& place);

/// Text with a shadow that keeps it readable over anything.
void draw_words(ImDrawList& draw, ImFont* font, float size, const std::string& words, float left, float top);

}  // namespace orrery
