// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/vec.hpp"

namespace orrery {

/// A star of the background, as shaders/stars.vert reads it: two vec4.
struct Star {
    Vec3f direction;  ///< unit vector in space
    float light;      ///< brightness relative to the brightest possible star: kFaintest to 1
    Vec3f color;      ///< linear RGB, the largest component 1
    float unused;
};
static_assert(sizeof(Star) == 32);

/// The number of stars visible to the naked eye: the Yale Bright Star Catalogue has 9110 entries (Hoffleit & Jaschek
/// 1982).
inline constexpr std::size_t kSkyStars = 9000;
/// Brightness ratio of the faintest star to the brightest, 3.5 magnitudes: the dynamic range of a frame.
inline constexpr float kFaintest = 0.04f;

/// Stars of equal luminosity, uniformly distributed in space: N(m) ~ 10^(0.6 m) (Hubble 1926, ApJ 64, 321), whatever
/// their luminosities. The same seed gives the same sky on every machine, because it uses only operations that IEEE 754
/// rounds exactly.
std::vector<Star> sky(std::uint64_t seed);

}  // namespace orrery
