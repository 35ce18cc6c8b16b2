// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "core/base/vec.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {

/// Largest number of bodies in a block: two vectors of the widest instruction set.
inline constexpr std::size_t kReferenceBlock = 16;

/// reference_acceleration() of at most one block of bodies under gravity: the same sums by the same formula, one body
/// per lane of a vector of doubles; no potential. `out` is as long as `which`.
void references_of_block(std::span<const Vec4f> bodies, std::span<const std::uint32_t> which, const Gravity& gravity,
                         Vec4d* out);
void references_of_block(std::span<const Vec4d> bodies, std::span<const std::uint32_t> which, const Gravity& gravity,
                         Vec4d* out);

}  // namespace orrery
