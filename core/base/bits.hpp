// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstdint>

#include "core/base/hd.hpp"

namespace orrery {

/// Number of bits of `x`: 1 + ⌊log₂ x⌋, or 0 for 0. nvcc 13.0 miscompiles std::bit_width for devices.
ORRERY_HD inline int bit_width(std::uint64_t x) {
#ifdef __CUDA_ARCH__
    return 64 - __clzll(static_cast<long long>(x));
#else
    return static_cast<int>(std::bit_width(x));
#endif
}

/// The 32-bit version is a single instruction on devices.
ORRERY_HD inline int bit_width(std::uint32_t x) {
#ifdef __CUDA_ARCH__
    return 32 - __clz(static_cast<int>(x));
#else
    return static_cast<int>(std::bit_width(x));
#endif
}

/// The largest power of two not above `x`; 0 for 0.
ORRERY_HD inline std::uint64_t bit_floor(std::uint64_t x) {
    return x == 0 ? 0 : std::uint64_t{1} << (bit_width(x) - 1);
}

ORRERY_HD inline std::uint32_t bit_floor(std::uint32_t x) {
    return x == 0 ? 0 : std::uint32_t{1} << (bit_width(x) - 1);
}

ORRERY_HD constexpr bool is_power_of_two(std::uint64_t x) { return x != 0 && (x & (x - 1)) == 0; }

}  // namespace orrery
