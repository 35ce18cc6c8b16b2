// SPDX-License-Identifier: MIT
// Random bodies for the properties of engines, and bounds on the rounding of sums over them.
#pragma once
#include <cmath>
#include <vector>

#include "core/physics/law.hpp"
#include "tests/support/every_engine.hpp"
#include "tests/support/property.hpp"

namespace orrery::test {

struct Cloud {
    Bodies bodies;
    Gravity gravity;
};

/// Coordinates are multiples of 2⁻¹³ up to 4, so that they, and their sums with multiples of 2⁻¹² below 2¹⁰, are exact
/// in float. Some bodies coincide, some are close pairs, some are massless. Softening is 0 or a power of two.
inline Cloud any_cloud(std::size_t most) {
    Cloud cloud;
    const auto count = any_scale(most);
    const int reach = 1 << any_in(2, 16), heavy = any_in(0, 20);
    std::mt19937 random{static_cast<unsigned>(any_in(0, 1 << 20))};  // one seed, so that few numbers have to shrink
    const auto draw = [&](int low, int high) { return std::uniform_int_distribution{low, high}(random); };
    const bool pairs = any_in(0, 2) == 0;
    Vec3d place{};
    for (std::size_t i = 0; i < count; ++i) {
        const bool near = pairs && i % 2 == 1;
        const int far = near ? 4 : reach;
        const double x = draw(-far, far) * 0x1p-13, y = draw(-far, far) * 0x1p-13, z = draw(-far, far) * 0x1p-13;
        place = near ? place + Vec3d{x, y, z} : Vec3d{x, y, z};
        cloud.bodies.add(place, {}, draw(0, 7) == 0 ? 0 : std::ldexp(draw(1, 4096), draw(-heavy, heavy)));
    }
    cloud.gravity.constant = any_in(1, 64) / 16.0;
    cloud.gravity.softening = any_in(0, 3) == 0 ? 0 : std::ldexp(1.0, any_in(-10, 2));
    return cloud;
}

/// A ball, for engines whose error is relative to the mean acceleration.
inline Cloud any_ball(std::size_t least, std::size_t most) {
    Cloud cloud{ball(any_in(least, most), static_cast<unsigned>(any_in(0, 1 << 20))), {.softening = 0.25}};
    for (Vec4d& p : cloud.bodies.position_mass)
        for (double* x : {&p.x, &p.y, &p.z}) *x = std::round(*x * 0x1p12) * 0x1p-12;
    return cloud;
}

/// Sums over the pairs of one body that bound the rounding of its acceleration, of its potential, and the effect of
/// moved positions (the gradient of m r/D^(3/2) is at most 2m/D^(3/2)).
struct Magnitude {
    double force = 0, potential = 0, gradient = 0;
};

inline std::vector<Magnitude> magnitudes(const Cloud& cloud) {
    const auto& bodies = cloud.bodies.position_mass;
    const double G = cloud.gravity.constant, softening2 = cloud.gravity.softening * cloud.gravity.softening;
    std::vector<Magnitude> all(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j) {  // including itself, for its potential
            const Vec3d r = xyz(bodies[j]) - xyz(bodies[i]);
            const double r2 = dot(r, r), d2 = r2 + softening2;
            if (d2 == 0) continue;
            const double depth = G / std::sqrt(d2), force = depth * std::sqrt(r2) / d2, gradient = 2 * depth / d2;
            const auto add = [&](Magnitude& sum, double mass) {
                sum.potential += mass * depth, sum.force += mass * force, sum.gradient += mass * gradient;
            };
            add(all[i], bodies[j].w);
            if (j < i) add(all[j], bodies[i].w);
        }
    return all;
}

/// Relative rounding of one operation of the pair loop.
inline double unit(Precision precision) { return precision == Precision::kDouble ? 0x1p-53 : 0x1p-24; }
/// Relative rounding of a position after a rotation or a scaling: rounded once to float, split into two floats relative
/// to the middle, or after the dozen operations in double that changed it.
inline double unit_of_places(Precision precision) {
    return precision == Precision::kSingle ? 0x1p-23 : precision == Precision::kMixed ? 0x1p-46 : 0x1p-49;
}

/// Relative rounding of one sum over N pairs: each addition rounds once, so a term at most N times. Of the 48, the
/// float core has 17 for 7.5 δ² with δ = 2^-11.4, the root of D^(-3/2) from differences 5, products and scales the
/// rest.
inline double gamma(std::size_t count, Precision precision) {
    return (static_cast<double>(count) + 48) * unit(precision);
}

/// √Σ|a|²
inline double norm(const std::vector<Vec4d>& all) {
    double sum = 0;
    for (const Vec4d& a : all) sum += dot(xyz(a), xyz(a));
    return std::sqrt(sum);
}

/// Rows of a rotation.
using Rotation = std::array<Vec3d, 3>;
inline Vec3d operator*(const Rotation& R, Vec3d v) { return {dot(R[0], v), dot(R[1], v), dot(R[2], v)}; }

/// One of the 24 rotations that permute and flip axes: exact.
inline Rotation any_turn_of_axes() {
    std::array<Vec3d, 3> axes{Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}};
    const int first = any_in(0, 3), second = (first + any_in(1, 3)) % 3;
    const Vec3d a = (any_in(0, 2) ? 1.0 : -1.0) * axes[static_cast<std::size_t>(first)];
    const Vec3d b = (any_in(0, 2) ? 1.0 : -1.0) * axes[static_cast<std::size_t>(second)];
    return {a, b, cross(a, b)};
}

inline Rotation any_rotation() {
    const double w = any_real(-1, 1), x = any_real(-1, 1), y = any_real(-1, 1), z = any_real(-1, 1);
    const double n = w * w + x * x + y * y + z * z;
    RC_PRE(n > 1e-3);
    const double s = 2 / n;
    return {Vec3d{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
            Vec3d{s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
            Vec3d{s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}};
}

}  // namespace orrery::test
