// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/base/random.hpp"
#include "core/bodies/bodies.hpp"
#include "core/presets/isotropic.hpp"

namespace orrery {

/// A disc galaxy of mass `mass`: exponential disc, and bulge and halo after Hernquist (1990, ApJ 356, 359). Lengths are
/// those of the scene, G = 1, the axis of the disc is z.
struct GalaxyShape {
    double mass;
    double disc_length;  ///< R_d: surface density falls as exp(-R/R_d); the disc ends at 3.5 R_d
    double softening;    ///< of the force that will move it; its orbits are set up for that force
    friend bool operator==(const GalaxyShape&, const GalaxyShape&) = default;
};

/// Bodies near equilibrium: circular velocities from the softened force of disc, bulge and halo; dispersions of the
/// disc from Toomre's Q and its thickness, with asymmetric drift (Hernquist 1993, ApJS 86, 389); bulge and halo from
/// their distribution functions in the total potential, with the disc averaged over spheres.
class Galaxy {
public:
    explicit Galaxy(GalaxyShape shape);
    /// Returns a cached galaxy if this shape was used recently: making the tables takes longer than a thousand bodies.
    static std::shared_ptr<const Galaxy> of(const GalaxyShape& shape);
    /// Adds `count` bodies about the origin, at rest as a whole. Most of them belong to the disc, the visible part.
    void add(std::size_t count, Random& random, Bodies& to) const;

private:
    /// A Hernquist sphere, truncated by exp(-(r/cut)²).
    struct Sphere {
        double mass, length, cut;
        IsotropicSphere::Profile density() const;  ///< not normalised
        double edge() const { return 2 * cut; }
    };
    struct DiscOrbit {
        double radial_dispersion, tangential_dispersion, vertical_dispersion, mean;
    };

    double disc_mass_within(double r) const;
    struct Ring {
        double radius, mass;
    };
    std::vector<Ring> disc_rings() const;
    double disc_acceleration(double r, std::span<const Ring> rings) const;
    double sphere_acceleration(double r) const;
    double surface_density(double r) const;
    DiscOrbit disc_orbit(double r) const;
    void make_curve();
    void make_orbits();
    void add_disc(std::size_t count, double mass, Random& random, Bodies& to) const;
    /// A sphere in equilibrium in the total potential, made on first use.
    struct InPotential {
        std::once_flag once;
        std::unique_ptr<const IsotropicSphere> made;
    };
    void add_sphere(const Sphere& sphere, InPotential& there, std::size_t count, double mass, Random& random,
                    Bodies& to) const;

    GalaxyShape shape_;
    double disc_mass_;
    Sphere bulge_, halo_;
    std::vector<double> radius_, sphere_mass_;  ///< masses of bulge and halo within the radii; equal steps in log r
    std::vector<double> curve_;      ///< squared circular velocity at equal steps of R up to the edge of the disc
    std::vector<DiscOrbit> orbits_;  ///< at smaller steps
    mutable InPotential bulge_in_potential_, halo_in_potential_;
};

}  // namespace orrery
