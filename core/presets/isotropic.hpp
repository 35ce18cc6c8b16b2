// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "core/base/random.hpp"
#include "core/presets/placement.hpp"

namespace orrery {

/// The enclosed mass as a function of radius.
class EnclosedMass {
public:
    using Profile = std::function<double(double)>;
    /// Parameters as in IsotropicSphere.
    EnclosedMass(const Profile& density, double first, double last);
    double mass_within(double r) const;

protected:
    double place_of(double r) const;  ///< index in the tables, which have equal steps of log r

    std::vector<double> radius_, density_, mass_;  ///< normalised to mass 1
};

/// A sphere of mass 1, G = 1, in equilibrium in its own or an external potential, with isotropic velocities: its
/// distribution function is computed from its density by Eddington's inversion (Binney & Tremaine 2008, eq. 4.46), on a
/// table of radii.
class IsotropicSphere : public EnclosedMass {
public:
    /// `density` (arbitrary unit) decreases outward; it is constant below `first` and 0 beyond `last`, where the sphere
    /// ends. Both radii are in the scene's unit of length. `acceleration`: total inward acceleration; by default the
    /// sphere's own.
    IsotropicSphere(const Profile& density, double first, double last, const Profile& acceleration = {});

    /// Adds `count` bodies of mass `mass` each, about the origin.
    void add(std::size_t count, double mass, Random& random, Placement& to) const;

    double potential(double r) const;  ///< Ψ = -Φ(r), 0 at infinity; with an external potential 0 at the edge
    /// Phase-space density at relative energy Ψ - v²/2, counted from that of the edge; 0 for energies outside.
    double distribution(double energy) const;

private:
    double speed(double place, Random& random) const;
    void make_potential(const Profile& density);
    void integrate(const Profile& acceleration);
    void make_distribution();
    void make_bounds();

    std::vector<double> potential_;              ///< of mass 1, per radius
    std::vector<double> energy_, distribution_;  ///< energies relative to the edge, ascending
    std::vector<double> bound_;                  ///< per radius: the maximum of v² f
    std::vector<double> quantile_;               ///< radius index that encloses a fraction i / size of the mass
};

}  // namespace orrery
