// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <utility>

#include "core/base/vec.hpp"

namespace orrery {

/// A Kepler orbit; angles in radians.
struct OrbitElements {
    double axis, eccentricity, inclination, node, perihelion, mean_anomaly;
};

/// Position and velocity relative to a centre with this mass, G = 1 (Murray & Dermott 1999, §2.4 and 2.8).
inline std::pair<Vec3d, Vec3d> on_orbit(const OrbitElements& o, double mass) {
    double eccentric = o.mean_anomaly;
    for (int i = 0; i < 50; ++i)
        eccentric -= (eccentric - o.eccentricity * std::sin(eccentric) - o.mean_anomaly) /
                     (1 - o.eccentricity * std::cos(eccentric));
    const double c = std::cos(eccentric), s = std::sin(eccentric);
    const double minor = std::sqrt(1 - o.eccentricity * o.eccentricity);
    const double rate = std::sqrt(mass / (o.axis * o.axis * o.axis)) / (1 - o.eccentricity * c);
    const double x = o.axis * (c - o.eccentricity), y = o.axis * minor * s;
    const double vx = -o.axis * rate * s, vy = o.axis * rate * minor * c;
    const double cn = std::cos(o.node), sn = std::sin(o.node), ci = std::cos(o.inclination),
                 si = std::sin(o.inclination), cp = std::cos(o.perihelion), sp = std::sin(o.perihelion);
    const Vec3d p{cn * cp - sn * sp * ci, sn * cp + cn * sp * ci, sp * si};
    const Vec3d q{-cn * sp - sn * cp * ci, -sn * sp + cn * cp * ci, cp * si};
    return {x * p + y * q, vx * p + vy * q};
}

}  // namespace orrery
