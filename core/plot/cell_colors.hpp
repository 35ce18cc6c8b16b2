// SPDX-License-Identifier: MIT
// Colours of cells in plots, shared by figures and the window.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace orrery {

struct PlotColor {
    std::uint8_t red, green, blue;
    friend bool operator==(const PlotColor&, const PlotColor&) = default;
};

/// "viridis" (matplotlib, CC0), in 64 steps, at 0 to 1.
PlotColor cell_color(double share);

/// A logarithmic scale from the smallest to the largest of the positive values.
class CellScale {
public:
    explicit CellScale(std::span<const double> values);

    double share(double value) const;                    ///< 0 to 1, for positive values
    std::optional<PlotColor> color(double value) const;  ///< empty for values not above 0, which are not drawn
    std::vector<double> ticks() const;                   ///< round numbers, or both ends if there are none
    bool empty() const { return !(low_ > 0); }

private:
    double low_ = 0, high_ = 0;
};

}  // namespace orrery
