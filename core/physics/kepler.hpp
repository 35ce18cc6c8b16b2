// SPDX-License-Identifier: MIT
// Orbital elements of a two-body orbit from relative position and velocity.
#pragma once
#include <cmath>
#include <numbers>
#include <optional>

#include "core/base/vec.hpp"

namespace orrery {

/// The conic section on which a body would move about another one if there were only the two and no softening. Lengths
/// and times are in the units of its input.
struct KeplerOrbit {
    Vec3d periapsis{};        ///< unit vector from the other body to the nearest point
    Vec3d along{};            ///< unit vector in the orbital plane, 90° ahead in the direction of motion
    double parameter = 0;     ///< semi-latus rectum p
    double eccentricity = 0;  ///< below 1: an ellipse
    double major = 0;         ///< semi-major axis a; negative on a hyperbola
    double period = 0;        ///< 0: the orbit is not closed
    double inclination = 0;   ///< radians, between the orbital plane and the x-y plane

    bool closed() const { return eccentricity < 1 && major > 0; }
    double nearest() const { return parameter / (1 + eccentricity); }
    /// Position relative to the other body at a true anomaly. On a hyperbola only where 1 + e cos ν > 0.
    Vec3d at(double anomaly) const {
        const double r = parameter / (1 + eccentricity * std::cos(anomaly));
        return r * (std::cos(anomaly) * periapsis + std::sin(anomaly) * along);
    }
};

/// The orbit from position and velocity relative to the other body and μ = G (m₁ + m₂): Bate, Mueller & White 1971,
/// Fundamentals of Astrodynamics, §2.4. Empty if there is no orbital plane: the motion is along the line between the
/// bodies, or μ or the distance is 0.
inline std::optional<KeplerOrbit> kepler_orbit(const Vec3d& position, const Vec3d& velocity, double mu) {
    const double r = length(position);
    const Vec3d h = cross(position, velocity);
    const double h2 = dot(h, h);
    if (!(mu > 0) || !(h2 > 1e-24 * mu * r)) return std::nullopt;
    const Vec3d e = (1 / mu) * cross(velocity, h) - (1 / r) * position;
    KeplerOrbit orbit;
    orbit.eccentricity = length(e);
    orbit.parameter = h2 / mu;
    constexpr double kCircle = 1e-10;  // below it the direction of e is rounding error
    orbit.periapsis = orbit.eccentricity > kCircle ? (1 / orbit.eccentricity) * e : (1 / r) * position;
    const Vec3d normal = (1 / std::sqrt(h2)) * h;
    orbit.along = cross(normal, orbit.periapsis);
    orbit.major = 1 / (2 / r - dot(velocity, velocity) / mu);
    orbit.inclination = std::acos(std::fmin(1.0, std::fmax(-1.0, normal.z)));
    if (orbit.closed()) orbit.period = 2 * std::numbers::pi * orbit.major * std::sqrt(orbit.major / mu);
    return orbit;
}

}  // namespace orrery
