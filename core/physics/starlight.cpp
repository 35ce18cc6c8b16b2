// SPDX-License-Identifier: MIT
#include "core/physics/starlight.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace orrery {
namespace {

constexpr std::array kTableMetals{0.0002, 0.001, 0.004, 0.008, 0.014, 0.02, 0.04};
constexpr std::size_t kTableAges = 21;
constexpr double kFirstLogAge = 6.1, kLogAgeStep = 0.2;  // of years

using LogLight = std::array<float, 3>;
constexpr std::array<LogLight, kTableMetals.size() * kTableAges> kTable{{
#include "core/physics/starlight_table.inc"
}};

/// A position between two entries of a table.
struct Between {
    std::size_t first;
    double share;  ///< of the second
};

Between between(double place, std::size_t entries) {
    place = std::clamp(place, 0.0, static_cast<double>(entries - 1));
    const std::size_t first = std::min(static_cast<std::size_t>(place), entries - 2);
    return {first, place - static_cast<double>(first)};
}

Between of_metals(double metals) {
    metals = std::clamp(metals, kTableMetals.front(), kTableMetals.back());
    const auto next = std::upper_bound(kTableMetals.begin() + 1, kTableMetals.end() - 1, metals);
    const auto first = static_cast<std::size_t>(next - kTableMetals.begin()) - 1;
    return {first, std::log(metals / kTableMetals[first]) / std::log(kTableMetals[first + 1] / kTableMetals[first])};
}

}  // namespace

BandLight starlight(double age_gyr, double metals) {
    const double log_age = std::log10(std::max(age_gyr, 1e-9)) + 9;
    const Between age = between((log_age - kFirstLogAge) / kLogAgeStep, kTableAges), metal = of_metals(metals);
    const auto band = [&](std::size_t k) {
        const auto at = [&](std::size_t i, std::size_t j) {
            return static_cast<double>(kTable[(metal.first + i) * kTableAges + age.first + j][k]);
        };
        return std::pow(10.0, std::lerp(std::lerp(at(0, 0), at(0, 1), age.share),
                                        std::lerp(at(1, 0), at(1, 1), age.share), metal.share));
    };
    return {band(0), band(1), band(2)};
}

}  // namespace orrery
