// SPDX-License-Identifier: MIT
#include "core/plot/scales.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace orrery {
namespace {

constexpr auto kViridisStops = std::to_array<PlotColor>({{0x44, 0x01, 0x54},
                                                         {0x47, 0x2d, 0x7b},
                                                         {0x3b, 0x52, 0x8b},
                                                         {0x2c, 0x72, 0x8e},
                                                         {0x21, 0x91, 0x8c},
                                                         {0x28, 0xae, 0x80},
                                                         {0x5e, 0xc9, 0x62},
                                                         {0xad, 0xdc, 0x30},
                                                         {0xfd, 0xe7, 0x25}});
constexpr double kShades = 64;

std::uint8_t between(std::uint8_t a, std::uint8_t b, double part) {
    return static_cast<std::uint8_t>(std::lround(std::lerp(double{1} * a, double{1} * b, part)));
}

}  // namespace

PlotColor cell_color(double share) {
    const double shade = std::min(std::floor(std::clamp(share, 0.0, 1.0) * kShades), kShades - 1) / (kShades - 1);
    const double place = shade * (kViridisStops.size() - 1);
    const std::size_t i = std::min(static_cast<std::size_t>(place), kViridisStops.size() - 2);
    const PlotColor &a = kViridisStops[i], &b = kViridisStops[i + 1];
    const double part = place - static_cast<double>(i);
    return {between(a.red, b.red, part), between(a.green, b.green, part), between(a.blue, b.blue, part)};
}

CellScale::CellScale(std::span<const double> values) {
    for (const double value : values) {
        if (!(value > 0)) continue;
        low_ = low_ > 0 ? std::min(low_, value) : value;
        high_ = std::max(high_, value);
    }
}

double CellScale::share(double value) const {
    return high_ > low_ ? std::log(value / low_) / std::log(high_ / low_) : 1;
}

std::optional<PlotColor> CellScale::color(double value) const {
    if (!(value > 0) || empty()) return std::nullopt;
    return cell_color(share(value));
}

std::vector<double> CellScale::ticks() const {
    if (empty()) return {};
    std::vector<double> found;
    const double decades = std::log10(high_ / low_), every = std::max(1.0, std::ceil(decades / 6));
    for (double power = std::ceil(std::log10(low_) - 1e-9); power <= std::log10(high_) + 1e-9; power += every)
        found.push_back(std::pow(10, power));
    if (found.size() < 2) found = {low_, high_};
    if (low_ == high_) found = {high_};
    return found;
}

}  // namespace orrery
