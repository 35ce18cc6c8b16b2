// SPDX-License-Identifier: MIT
// Scales of axes and of colours in plots: ranges, round numbers, ticks.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace orrery {

/// The smallest step of 1, 2 or 5 times a power of ten that divides `span` into at most `parts`.
double round_step(double span, int parts);
/// The multiples of `step` from `low` to `high`.
std::vector<double> multiples(double step, double low, double high);
/// Powers of ten from `low` to `high`; every second, third … of them if there are more than six.
std::vector<double> decades(double low, double high);

struct PlotRange {
    double low, high;
};
/// 1, 2 or 5 times powers of ten that enclose the range and at least a decade.
PlotRange round_decades(PlotRange range);

/// A number on an axis.
struct PlotTick {
    double value;
    std::string text;  ///< empty: a fine line
};

/// A linear or logarithmic axis.
class PlotScale {
public:
    explicit PlotScale(bool logarithmic) : logarithmic_{logarithmic} {}
    PlotScale(PlotRange range, bool logarithmic) : logarithmic_{logarithmic} {
        include(range.low), include(range.high);
    }

    bool holds(double value) const { return !logarithmic_ || value > 0; }
    bool empty() const { return low_ > high_; }
    /// Extends the range; a logarithmic scale ignores values that are not above 0.
    void include(double value);
    /// Call after the last include(). Chooses the step for at most `parts` parts; a `margin` above 0, in steps, adds
    /// room at both ends and rounds them.
    void finish(int parts, double margin);

    PlotRange range() const;
    double share(double value) const;                   ///< 0 to 1 from the low end to the high one
    std::vector<PlotTick> ticks() const;                ///< numbers at the steps chosen by finish()
    std::vector<PlotTick> fine_ticks(int parts) const;  ///< about `parts` numbers; logarithmic: with fine lines between

private:
    double on_scale(double value) const;

    bool logarithmic_;
    double low_ = HUGE_VAL, high_ = -HUGE_VAL, step_ = 1;  // on the scale
};

struct PlotColor {
    std::uint8_t red, green, blue;
    friend bool operator==(const PlotColor&, const PlotColor&) = default;
};

/// "viridis" (S. van der Walt, N. Smith and E. Firing for matplotlib, CC0) as 0xRRGGBB, at equal steps from 0 to 1.
inline constexpr std::array<unsigned, 18> kViridisColors{0x440154, 0x481769, 0x472a7a, 0x433d84, 0x3d4e8a, 0x355e8d,
                                                         0x2e6d8e, 0x297b8e, 0x23898e, 0x1f978b, 0x21a585, 0x2eb37c,
                                                         0x46c06f, 0x65cb5e, 0x89d548, 0xb0dd2f, 0xd8e219, 0xfde725};
/// "viridis" in 64 steps, at 0 to 1.
PlotColor cell_color(double share);

/// A scale of colours from the smallest to the largest of the values: a logarithmic one of those above 0, or a linear
/// one of those that are finite. Others are not drawn.
class CellScale {
public:
    explicit CellScale(std::span<const double> values, bool linear = false);

    double share(double value) const;                    ///< 0 to 1, for values that are drawn
    std::optional<PlotColor> color(double value) const;  ///< empty for values that are not drawn
    std::vector<double> ticks() const;                   ///< round numbers, or both ends if there are none
    bool empty() const { return low_ > high_; }

private:
    bool drawn(double value) const;

    bool linear_;
    double low_ = HUGE_VAL, high_ = -HUGE_VAL;
};

}  // namespace orrery
