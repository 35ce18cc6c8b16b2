// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/vec.hpp"
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

/// Largest number of bodies in a block: two vectors of the widest instruction set.
inline constexpr std::size_t kReferenceBlock = 16;

/// reference_acceleration() of at most one block of bodies under gravity: the same sums by the same formula, one body
/// per lane of a vector of doubles; no potential. `out` is as long as `which`.
void references_of_block(std::span<const Vec4f> bodies, std::span<const std::uint32_t> which, const Gravity& gravity,
                         Vec4d* out);
void references_of_block(std::span<const Vec4d> bodies, std::span<const std::uint32_t> which, const Gravity& gravity,
                         Vec4d* out);

}  // namespace orrery
