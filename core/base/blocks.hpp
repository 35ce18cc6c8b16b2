// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/pool.hpp"

namespace orrery {

inline constexpr std::size_t kBlockBodies = 1 << 14;

/// Calls part(first, last) for each block of consecutive bodies, on many threads. The blocks do not depend on the
/// number of threads, so a sum over their results in order does not either.
template <class Part>
auto by_blocks(Pool& pool, std::size_t count, const Part& part) {
    std::vector<decltype(part(count, count))> parts((count + kBlockBodies - 1) / kBlockBodies);
    pool.parallel_for(0, parts.size(), [&](std::size_t i) {
        parts[i] = part(i * kBlockBodies, std::min(count, (i + 1) * kBlockBodies));
    });
    return parts;
}

/// Calls body(i) for each i below count, in blocks. A single block is not worth several threads.
template <class Body>
void for_each_in_blocks(Pool& pool, std::size_t count, const Body& body, std::size_t block = 8192) {
    const auto run = [&](std::uint64_t b) {
        for (std::size_t i = b * block; i < std::min(count, (b + 1) * block); ++i) body(i);
    };
    if (count <= block) return run(0);
    pool.parallel_for(0, (count + block - 1) / block, run);
}

}  // namespace orrery
