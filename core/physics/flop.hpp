// SPDX-License-Identifier: MIT
#pragma once

namespace orrery {

/// Floating-point operations of one pair as GPU Gems 3, ch. 31 counts them (section 31.5.1): nine additions, nine
/// multiplications, a root and a division, whatever the hardware does.
inline constexpr double kFlopOfPair = 20;

/// GFLOP/s at that count.
inline constexpr double gflops(double pairs_per_second) { return 1e-9 * kFlopOfPair * pairs_per_second; }

}  // namespace orrery
