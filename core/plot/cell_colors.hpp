// SPDX-License-Identifier: MIT
// Colours of cells in plots: the same on paper and in the window.
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

/// Numbers above 0 on a logarithmic scale from the least to the largest of them.
class CellScale {
public:
    explicit CellScale(std::span<const double> values);

    double share(double value) const;                    ///< 0 to 1, of what is above 0
    std::optional<PlotColor> color(double value) const;  ///< empty: not above 0, nothing is drawn
    std::vector<double> ticks() const;                   ///< round numbers, or both ends where there is none
    bool empty() const { return !(low_ > 0); }

private:
    double low_ = 0, high_ = 0;
};

}  // namespace orrery
