// SPDX-License-Identifier: MIT
// Interpolates a body's position between two moments at which its position and velocity are known. Runs on the host and
// on a device.
#pragma once
#include <cmath>

#include "core/base/hd.hpp"
#include "core/base/vec.hpp"

namespace orrery {

/// Position and velocity of a body.
struct PhasePoint {
    Vec3d x, v;
};

/// Time of an interpolation: s h after the first of two moments h apart.
struct WayPoint {
    double s, h;
    double box;     ///< edge of a periodic box that begins at the origin; 0: none
    bool straight;  ///< positions and velocities are linear in time
};

ORRERY_HD inline bool inside_box(const Vec3d& x, double box) {
    return x.x >= 0 && x.x <= box && x.y >= 0 && x.y <= box && x.z >= 0 && x.z <= box;
}

/// True if the body may cross the periodic sides: some programs state a box that they use only to search for bodies.
ORRERY_HD inline bool through_sides(const Vec3d& from, const Vec3d& to, double box) {
    return box > 0 && inside_box(from, box) && inside_box(to, box);
}

/// The image of `to` that is nearest to `from`.
ORRERY_HD inline double nearest_image(double from, double to, double box) {
    return to - box * std::round((to - from) / box);
}
ORRERY_HD inline Vec3d nearest_image(const Vec3d& from, const Vec3d& to, double box) {
    return {nearest_image(from.x, to.x, box), nearest_image(from.y, to.y, box), nearest_image(from.z, to.z, box)};
}

ORRERY_HD inline double wrapped(double x, double box) { return x - box * std::floor(x / box); }

/// The cubic through both points with their velocities (Hermite interpolation), or the straight line.
ORRERY_HD inline PhasePoint interpolated(const PhasePoint& from, const PhasePoint& to, const WayPoint& at) {
    const bool through = through_sides(from.x, to.x, at.box);
    const Vec3d &x0 = from.x, &v0 = from.v, &v1 = to.v, x1 = through ? nearest_image(x0, to.x, at.box) : to.x;
    const double s = at.s, h = at.h;
    PhasePoint point;
    if (at.straight) {
        point = {x0 + s * (x1 - x0), v0 + s * (v1 - v0)};
    } else {
        const Vec3d mean = (1 / h) * (x1 - x0);
        const Vec3d quadratic = 3.0 * mean - 2.0 * v0 - v1, cubic = v0 + v1 - 2.0 * mean;
        point = {x0 + (s * h) * (v0 + s * (quadratic + s * cubic)), v0 + s * (2.0 * quadratic + (3 * s) * cubic)};
    }
    if (through) point.x = {wrapped(point.x.x, at.box), wrapped(point.x.y, at.box), wrapped(point.x.z, at.box)};
    return point;
}

}  // namespace orrery
