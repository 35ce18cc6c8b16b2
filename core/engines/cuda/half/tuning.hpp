// SPDX-License-Identifier: MIT
// Constants of `half` on a GPU that were fitted by measurements on an NVIDIA H200 (CUDA 13.0, November 2026; tables in
// bench/results/h200). To repeat one, compare the medians of
//   orrery bench --engines half --backend cuda --sweep tile --bodies 1024,4096,16384,65536,262144
#pragma once
#include <cstdint>

namespace orrery::cuda {

/// ρ for `n` bodies in single or double precision. Large tiles have the least overhead per pair, but small N needs many
/// blocks to fill the device.
constexpr int fitted_tile_size(std::uint64_t n, bool single) {
    if (n >= 40'000) return single ? 384 : 512;
    if (n >= 10'000) return single ? 256 : 128;
    return n >= 6'000 ? 128 : n >= 1'500 ? 64 : 32;
}

/// Unrolling of the loop over columns without potentials: the best of 1, 2, 4 and 8, for equal and unequal masses.
constexpr int fitted_unrolling(bool single) { return single ? 8 : 4; }

}  // namespace orrery::cuda
