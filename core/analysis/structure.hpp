// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/diagnostics.hpp"
#include "core/spatial/contacts.hpp"

namespace orrery {

/// Fractions of the mass for the Lagrangian radii.
inline constexpr std::array kMassFractions{0.01, 0.1, 0.25, 0.5, 0.75, 0.9};

/// A shell of the radial density profile; the innermost is a sphere, inner = 0.
struct DensityShell {
    double inner = 0, outer = 0;  ///< lengths
    std::size_t bodies = 0;
    double density = 0;  ///< mass of its bodies over its volume
};

/// Structure of the distribution of bodies, in the scene's units. Bitwise identical on any number of threads.
struct Structure {
    Motion motion;
    Vec3d centre{};            ///< the density centre, see density_centre(), and origin of all radii
    double centre_radius = 0;  ///< radius of the last sphere, whose centre of mass it is
    /// Radii of the spheres about the centre that hold these fractions of the mass (Spitzer 1987, Dynamical Evolution
    /// of Globular Clusters, §1.1); each equals the distance of some body. 0 without bodies.
    std::array<double, kMassFractions.size()> lagrangian_radii{};
    /// From the centre outward, with boundaries at 2^(k/2) lengths, so that shells stay fixed as bodies move. The
    /// innermost sphere is large enough to hold ten bodies (or all). Empty shells are omitted; the profile is empty if
    /// all bodies lie at the centre.
    std::vector<DensityShell> profile;
    std::optional<ClosestPair> closest;  ///< empty for fewer than two bodies
};

struct DensityCentre {
    Vec3d place{};
    double radius = 0;
};

/// The density centre by shrinking spheres (Power et al. 2003, MNRAS 338, 14, §2.5): the centre of mass of the bodies
/// within a sphere about the previous centre, each sphere a tenth smaller than the last, until it holds no more than 1
/// % of the bodies, or 32. It converges to the densest of the larger concentrations. The first spheres use at most 2^15
/// evenly spaced bodies.
DensityCentre density_centre(Pool& pool, std::span<const Vec4d> bodies);

Structure structure_of(Pool& pool, const Bodies& bodies);

}  // namespace orrery
