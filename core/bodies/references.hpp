// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "core/base/vec.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {

/// At most so many bodies are a block: two vectors of the longest instruction set.
inline constexpr std::size_t kReferenceBlock = 16;

/// reference_acceleration() of some bodies under gravity, a block at most: the same sums by the same formula, a body in
/// each lane of a vector of doubles; no potential. `out` is as long as `which`.
void references_of_block(std::span<const Vec4f> bodies, std::span<const std::uint32_t> which, const Gravity& gravity,
                         Vec4d* out);
void references_of_block(std::span<const Vec4d> bodies, std::span<const std::uint32_t> which, const Gravity& gravity,
                         Vec4d* out);

}  // namespace orrery
