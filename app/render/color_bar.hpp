// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "app/render/color_maps.hpp"
#include "app/render/color_modes.hpp"
#include "app/render/view_settings.hpp"
#include "core/bodies/frame.hpp"
#include "core/bodies/scene_words.hpp"

namespace orrery {

/// The range that the colour map spans in a picture: what a person set, else the frame's, which is positive where the
/// scale is logarithmic.
ScalarRange scalar_range(const ViewSettings& settings, const FrameExtent& extent);

/// A number beside the colour bar.
struct ColorTick {
    float at;  ///< 0 to 1 along the bar
    std::string text;
};

/// What a picture's colours mean, ready to draw.
struct ColorBar {
    std::string title;  ///< "Speed, AU/d"
    ColorTable colors;
    bool categories = false;  ///< then there are no numbers
    bool names = false;       ///< then ticks are names, each of its colour alone
    std::vector<ColorTick> ticks;
};
/// Of a comparison's differences: `range` is of log10 of lengths.
ColorBar distance_bar(const ViewSettings& settings, ScalarRange range, const SceneWords& words);
ColorBar color_bar(const ViewSettings& settings, const FrameExtent& extent, const SceneWords& words);

}  // namespace orrery
