// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/diagnostics/closest_pair.hpp"
#include "core/diagnostics/diagnostics.hpp"

namespace orrery {

/// Of the mass, whose Lagrangian radii are had.
inline constexpr std::array kMassFractions{0.01, 0.1, 0.25, 0.5, 0.75, 0.9};

/// A shell of the radial density profile; the innermost is a ball, inner = 0.
struct DensityShell {
    double inner = 0, outer = 0;  ///< lengths
    std::size_t bodies = 0;
    double density = 0;  ///< mass of its bodies over its volume
};

/// How the bodies lie, in the scene's units. All of it is the same bits on any number of threads.
struct Structure {
    Motion motion;
    Vec3d centre{};            ///< the densest one, see dense_centre(); where radii are measured from
    double centre_radius = 0;  ///< of the last sphere that it is the mass centre of
    /// Radii of the spheres about the centre that hold these parts of the mass (Spitzer 1987, Dynamical Evolution of
    /// Globular Clusters, §1.1): each ends at a body. 0 without bodies.
    std::array<double, kMassFractions.size()> lagrangian_radii{};
    /// From the centre outward, borders at 2^(k/2) lengths, so that shells stay where they are as bodies move. The
    /// innermost ball reaches to where it holds ten bodies (or all); shells without bodies are left out, and where all
    /// bodies lie at the centre there is none.
    std::vector<DensityShell> profile;
    std::optional<ClosestPair> closest;  ///< none of fewer than two bodies
};

struct DenseCentre {
    Vec3d place{};
    double radius = 0;
};

/// Centre by shrinking spheres (Power et al. 2003, MNRAS 338, 14, §2.5): the mass centre of the bodies within a sphere
/// about the last such centre, each a tenth smaller than the one before, until it holds no more than 1 % of the bodies,
/// or 32. So it ends in the densest of the larger lumps. The first spheres look at 2^15 evenly spread bodies at most.
DenseCentre dense_centre(Pool& pool, std::span<const Vec4d> bodies);

Structure structure_of(Pool& pool, const Bodies& bodies);

}  // namespace orrery
