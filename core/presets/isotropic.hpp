// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/presets/random.hpp"

namespace orrery {

/// A sphere of mass 1, G = 1, in equilibrium with itself, velocities alike in all directions: its distribution function
/// is had from its density by Eddington's inversion (Binney & Tremaine 2008, eq. 4.46), on a table of radii.
class IsotropicSphere {
public:
    /// `density` (any unit) falls outward and may be anything beyond `last`, where the sphere ends. What lies within
    /// `first` is as at `first`. Both radii are lengths of the scene.
    IsotropicSphere(const std::function<double(double)>& density, double first, double last);

    /// Bodies of 1/`count` each, about the origin.
    void add(std::size_t count, Random& random, Bodies& to) const;

    double mass_within(double r) const;
    double potential(double r) const;  ///< Ψ = -Φ(r), 0 at infinity
    /// Mass per volume of phase space at relative energy Ψ - v²/2 above that of the edge. 0 where there is none.
    double distribution(double energy) const;

private:
    double place_of(double r) const;  ///< in the tables, which have equal steps of log r
    double speed(double place, Random& random) const;
    void make_potential(const std::function<double(double)>& density);
    void make_distribution();
    void make_bounds();

    std::vector<double> radius_, density_, mass_, potential_;  ///< normalised to mass 1
    std::vector<double> energy_, distribution_;                ///< energy from the edge's upward
    std::vector<double> bound_;                                ///< per radius: the largest v² f
    std::vector<double> quantile_;                             ///< place that holds i / size of the mass
};

}  // namespace orrery
