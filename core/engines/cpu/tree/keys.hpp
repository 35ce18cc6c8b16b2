// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

namespace orrery {

/// Vectorised hilbert_key() for many cells, with the same results. x, y and z may be read up to the next multiple of 64
/// bytes.
void hilbert_keys(const std::uint32_t* x, const std::uint32_t* y, const std::uint32_t* z, std::size_t count,
                  std::uint64_t* keys);

}  // namespace orrery
