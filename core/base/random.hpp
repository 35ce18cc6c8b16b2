// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

#include "core/base/vec.hpp"

namespace orrery {

/// Generates the same numbers from the same seed on every platform: the standard fixes mt19937_64 but not its
/// distributions, so the transforms are implemented here. (Logarithm and cosine may differ in the last bit between
/// maths libraries.)
class Random {
public:
    explicit Random(std::uint64_t seed) : engine_{seed} {}

    std::uint64_t bits() { return engine_(); }
    /// In (0, 1): the midpoint of one of 2^53 equal intervals, so never 0 or 1.
    double uniform() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }

    /// Mean 0, variance 1 (Box and Muller 1958).
    double normal() {
        const double radius = std::sqrt(-2 * std::log(uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }

    /// Uniform on the unit sphere.
    Vec3d direction() {
        const double z = uniform(-1, 1), angle = uniform(0, 2 * std::numbers::pi);
        const double across = std::sqrt(1 - z * z);
        return {across * std::cos(angle), across * std::sin(angle), z};
    }

private:
    std::mt19937_64 engine_;
};

}  // namespace orrery
