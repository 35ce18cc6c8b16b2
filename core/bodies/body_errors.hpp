// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

#include "core/bodies/body_state.hpp"
#include "core/physics/gravity.hpp"
#include "core/physics/law.hpp"

namespace orrery {

class Pool;

/// The relative force error |a − r| / |r| of each body, r: the reference in double of BodySystem::references().
struct BodyErrors {
    std::vector<float> each;  ///< one per body
    /// Number of measured bodies if they are a sample: the others have the error of the nearest one. 0: all are
    /// measured.
    std::size_t samples = 0;
};

/// Errors of the accelerations of `state`, which must belong to its positions. Measures all bodies if that takes at
/// most about half a second of one core (20 000 bodies under gravity), otherwise a sample, evenly spaced along a
/// Hilbert curve; the nearest one is searched along this curve. Equal arguments give equal bits. Incomplete once `stop`
/// is requested.
BodyErrors body_errors(Pool& pool, const BodyState& state, Law law, const Gravity& gravity,
                       std::span<const double> charge, const std::stop_token& stop = {});

}  // namespace orrery
