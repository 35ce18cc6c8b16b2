// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <stop_token>

#include "core/bodies/bodies.hpp"
#include "core/engines/config.hpp"
#include "core/physics/gravity.hpp"
#include "core/physics/law.hpp"

namespace orrery {

class PartPower;
class Pool;

/// Sums over the bodies' masses, positions and velocities; in double, in the scene's units.
struct Motion {
    double mass = 0;            ///< Σ m
    Vec3d centre_of_mass{};     ///< Σ m x / Σ m, a length
    double kinetic = 0;         ///< ½ Σ m v²
    Vec3d momentum{};           ///< Σ m v
    Vec3d angular_momentum{};   ///< Σ m x × v about the origin
    double momentum_scale = 0;  ///< Σ m|v|, the reference for the momentum
    double angular_scale = 0;   ///< Σ m|x × v|, the reference for the angular momentum
};

/// Computes Motion in one pass on many threads; bitwise identical for any number of them.
Motion motion_of(Pool& pool, const Bodies& bodies);

/// The conserved quantities of a state.
struct Diagnostics : Motion {
    double potential = 0;  ///< Σ_{i<j} −G m_i m_j / √(r² + ε²), or the energies of all triplets

    double total() const { return kinetic + potential; }
    double virial_ratio() const { return potential != 0 ? 2 * kinetic / -potential : 0; }  ///< 2K/|W|
};

/// Unobtrusive work on a device: short slices, each followed by a pause, with the lowest priority if the device
/// supports it.
struct Leisure {
    double slice = 0.002;  ///< seconds of work
    double rests = 19;     ///< length of a pause relative to the preceding slice
    double rested = 0;     ///< total seconds of the pauses
};

/// The double-precision engine for energies of this law: `direct`, N² pairs, or `triplet`, N³/6 triplets.
EngineConfig energy_engine(Law law, Backend backend);

/// Evaluates the potential of gravity once by energy_engine() on `backend`. A stop request ends it early, with a
/// meaningless result.
Diagnostics diagnose(const Bodies& bodies, const Gravity& gravity, Backend backend, std::stop_token stop = {});
/// The same with a given engine, threads and priority; its precision should be double.
Diagnostics diagnose(const Bodies& bodies, const Gravity& gravity, const EngineConfig& potential_by,
                     std::stop_token stop = {}, Leisure* leisure = nullptr);
/// Diagnoses the bodies of all ranks without gathering them: sums of the ranks' sums, in the order of ranks, and the
/// potential energy by the system's own engine, with its error. The same on every rank. Collective.
Diagnostics diagnose(Pool& pool, PartPower& part, const Gravity& gravity);

}  // namespace orrery
