// SPDX-License-Identifier: MIT
#pragma once
#include "core/bodies/bodies.hpp"

namespace orrery {

// Chooses values that a file does not state. Deterministic, and cheap compared with reading the file.

/// Median distance from the median position, from at most 4096 bodies; 0 for one body.
double median_radius(const Bodies& bodies);

/// A softening for bodies without one: 0 for few bodies or if one holds most of the mass (planets), otherwise 0.98
/// N^-0.26 median radii (Athanassoula et al. 2000, MNRAS 314, 475: minimum force error for a Plummer sphere).
double suggested_softening(const Bodies& bodies);

/// A leapfrog step: a tenth of the time in which a typical body crosses the softening length, and at most 2 % of the
/// dynamical time √(r³/GM). Up to 1024 bodies: 3 % of the shortest time scale of any pair, as needed for planets.
double suggested_dt(const Bodies& bodies, Gravity gravity);

}  // namespace orrery
