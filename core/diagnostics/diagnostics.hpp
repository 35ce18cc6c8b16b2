// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <stop_token>

#include "core/bodies/bodies.hpp"
#include "core/engines/config.hpp"
#include "core/physics/gravity.hpp"
#include "core/physics/law.hpp"

namespace orrery {

class Pool;

/// What the bodies' masses, places and velocities add up to; in double, in the scene's units.
struct Motion {
    double mass = 0;            ///< Σ m
    Vec3d mass_centre{};        ///< Σ m x / Σ m, a length
    double kinetic = 0;         ///< ½ Σ m v²
    Vec3d momentum{};           ///< Σ m v
    Vec3d angular_momentum{};   ///< Σ m x × v about the origin
    double momentum_scale = 0;  ///< Σ m|v|, to compare the momentum with
    double angular_scale = 0;   ///< Σ m|x × v|, to compare the angular momentum with
};

/// All of it in one pass on many threads; the same bits on any number of them.
Motion motion_of(Pool& pool, const Bodies& bodies);

/// The conserved quantities of a state.
struct Diagnostics : Motion {
    double potential = 0;  ///< Σ_{i<j} −G m_i m_j / √(r² + ε²), or the energies of all triplets

    double total() const { return kinetic + potential; }
    double virial_ratio() const { return potential != 0 ? 2 * kinetic / -potential : 0; }  ///< 2K/|W|
};

/// Work on a device beside somebody else's: in slices so short that nobody notices, each followed by a rest, and behind
/// all others where the device can tell.
struct Leisure {
    double slice = 0.002;  ///< seconds of work
    double rests = 19;     ///< each so many times as long as the slice before it
    double rested = 0;     ///< seconds, in the end
};

/// The engine in double that energies of this law are had by: `direct`, N² pairs, or `triplet`, N³/6 triplets.
EngineConfig energy_engine(Law law, Backend backend);

/// Needs one evaluation of the potential of gravity by energy_engine() on `backend`.
/// Stops early, with a meaningless result, when `stop` is asked for.
Diagnostics diagnose(const Bodies& bodies, const Gravity& gravity, Backend backend, std::stop_token stop = {});
/// The same by an engine, threads and priority of one's own choice; its precision should be double.
Diagnostics diagnose(const Bodies& bodies, const Gravity& gravity, const EngineConfig& potential_by,
                     std::stop_token stop = {}, Leisure* leisure = nullptr);

}  // namespace orrery
