// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include "core/base/vec.hpp"
#include "core/bodies/frame.hpp"

namespace orrery {

/// A periodic space as it is drawn: each body at its image nearest to a centre, in tiles³ copies of the box around it.
/// The same arithmetic as placed() in shaders/view.glsl.
struct Periodic {
    static constexpr int kMostTiles = 3;  ///< along each axis
    double edge = 0;                      ///< of the box; 0: space is not periodic
    Vec3d centre{};
    int tiles = 1;

    bool on() const { return edge > 0; }
    int copies() const { return on() ? tiles * tiles * tiles : 1; }

    /// The image of a point in one of the copies().
    Vec3d image(Vec3d at, int copy) const {
        if (!on()) return at;
        const auto along = [&](double x, double middle, int tile) {
            return x - edge * std::floor((x - middle) / edge + 0.5) + edge * (tile - 0.5 * (tiles - 1));
        };
        return {along(at.x, centre.x, copy % tiles), along(at.y, centre.y, copy / tiles % tiles),
                along(at.z, centre.z, copy / (tiles * tiles))};
    }
    /// The image in the middle copy.
    Vec3d nearest(Vec3d at) const { return Periodic{edge, centre, 1}.image(at, 0); }

    /// The extent of what is drawn, with the colours of `bodies`.
    FrameExtent extent(FrameExtent bodies) const {
        constexpr double kNineTenths = 0.653;  // radius of a sphere around the middle of a unit cube with 90 % of it
        if (on()) bodies.centre = centre, bodies.radius = kNineTenths * edge * tiles;
        return bodies;
    }
};

}  // namespace orrery
