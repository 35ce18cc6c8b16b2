// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/vec.hpp"

namespace orrery {

/// A star of the background, as shaders/stars.vert reads it: two vec4.
struct Star {
    Vec3f direction;  ///< unit vector in space
    float light;      ///< over that of the brightest there may be: kFaintest to 1
    Vec3f color;      ///< linear RGB, the largest component 1
    float unused;
};
static_assert(sizeof(Star) == 32);

/// As many as the eye sees without help: the Yale Bright Star Catalogue has 9110 entries (Hoffleit & Jaschek 1982).
inline constexpr std::size_t kStars = 9000;
/// The faintest star over the brightest, 3.5 magnitudes: a picture shows no more.
inline constexpr float kFaintest = 0.04f;

/// Equal stars spread evenly over space: N(m) ~ 10^(0.6 m) (Hubble 1926, ApJ 64, 321), whatever their luminosities. The
/// same seed is the same sky on every machine: numbers are made by operations that IEEE 754 rounds exactly.
std::vector<Star> sky(std::uint64_t seed);

}  // namespace orrery
