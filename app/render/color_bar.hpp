// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "app/render/color_maps.hpp"
#include "app/render/color_modes.hpp"
#include "app/render/view_settings.hpp"
#include "core/bodies/body_metadata.hpp"
#include "core/bodies/frame.hpp"

namespace orrery {

/// The range of the colour map in a frame: set by the user, or the frame's, which is positive for a logarithmic scale.
ScalarRange scalar_range(const ViewSettings& settings, const FrameExtent& extent);

/// A tick of the colour bar.
struct ColorTick {
    float at;  ///< 0 to 1 along the bar
    std::string text;
};

/// The colour bar of a frame, ready to draw.
struct ColorBar {
    std::string title;  ///< "Speed, AU/d"
    ColorTable colors;
    bool categories = false;  ///< no numbers
    bool names = false;       ///< ticks are names, each with its colour
    std::vector<ColorTick> ticks;
};
/// For the differences in a comparison: `range` is log10 of lengths.
ColorBar distance_bar(const ViewSettings& settings, ScalarRange range, const BodyMetadata& words);
ColorBar color_bar(const ViewSettings& settings, const FrameExtent& extent, const BodyMetadata& words);

}  // namespace orrery
