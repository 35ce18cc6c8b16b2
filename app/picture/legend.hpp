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

// What a picture says of itself, drawn on any list of ImGui: the window's, or that of a picture without a window.
// Places are in pixels; `size` is the height of a line of text.

/// Bodies beyond so many have names, but no room for them.
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

/// What it is made of. Sizes in pixels of the picture that the camera sees.
struct LegendSource {
    const ViewSettings& view;
    const FrameExtent& extent;
    const SceneWords& words;
    double time;
    bool colored;                   ///< the frame has the colours that were asked for
    std::span<const Vec4f> places;  ///< of the first bodies, at least min(kMostLabels, names); else there are no labels
    const OrbitCamera& camera;
    double width, height;
    double longest_scale;  ///< of the scale bar
};
Legend make_legend(const LegendSource& source);

/// Clock and scale bar in the lower left corner, colours in the lower right one. Labels may be anywhere in the picture.
struct LegendPlace {
    float left, right, bottom, above_right;  ///< the colours stand so much higher
};
void draw_legend(ImDrawList& draw, ImFont* font, float size, const Legend& legend, const LegendPlace& place);

/// Words with a shade that keeps them readable over anything.
void draw_words(ImDrawList& draw, ImFont* font, float size, const std::string& words, float left, float top);

}  // namespace orrery
