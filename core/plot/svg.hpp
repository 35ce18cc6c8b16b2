// SPDX-License-Identifier: MIT
// Parts of SVG figures that plots and tables share.
#pragma once
#include <string>
#include <string_view>

namespace orrery::svg {

inline constexpr double kFont = 15;  ///< pixels

/// A text with the characters that XML reserves replaced.
std::string escaped(std::string_view text);
/// The begin of a figure on white paper, pixels; the caller appends "</svg>".
std::string begin(double width, double height);
/// A line of text. `anchor`: start, middle or end. `more`: further attributes, with a blank before each.
std::string text(double x, double y, std::string_view anchor, const std::string& words, double size = kFont,
                 std::string_view more = "");

}  // namespace orrery::svg
