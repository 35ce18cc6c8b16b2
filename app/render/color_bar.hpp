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

/// The scale of the colours in a frame: chosen by the user, or suited to the quantity. That of a field is logarithmic
/// if it is positive over more than two decades, and symmetric if it spans both signs over more than that.
ColorScale color_scale(const ViewSettings& settings, const FrameExtent& extent);
/// The value near which a symmetric scale becomes linear; 0: other scales, or no range.
double symmetric_knee(ColorScale scale, ScalarRange range);
/// Bodies without a value are drawn in the last colour of the table.
inline bool shows_missing(const FrameExtent& extent) {
    return extent.color_by == ColorBy::kField && extent.missing > 0;
}

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
/// `expansion` as in Frame.
ColorBar color_bar(const ViewSettings& settings, const FrameExtent& extent, const BodyMetadata& words,
                   double expansion = 0);

}  // namespace orrery
