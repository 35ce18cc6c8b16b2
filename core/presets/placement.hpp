// SPDX-License-Identifier: MIT
// Places bodies, for presets.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/base/pool.hpp"
#include "core/base/random.hpp"
#include "core/base/vec.hpp"
#include "core/bodies/bodies.hpp"

namespace orrery {

/// Shifts and boosts the bodies from `first` on so that their centre of mass is at rest at the origin.
void centre(Bodies& bodies, std::size_t first = 0);

struct NewBody {
    Vec3d place, velocity;
    double mass;
};

/// A random number in the i-th of `count` equal parts of (0, 1): less noise than independent numbers.
inline double stratified(std::size_t i, std::size_t count, Random& random) {
    return (static_cast<double>(i) + random.uniform()) / static_cast<double>(count);
}

/// A separate seed for each block: a step of SplitMix64 (Steele, Lea & Flood 2014, OOPSLA).
inline std::uint64_t mixed(std::uint64_t seed, std::uint64_t block) {
    std::uint64_t z = seed + (block + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/// Appends make(i, random) for i < count, on all cores. Each block of bodies has a separate random stream, seeded by
/// one number from `random`, so that the bodies do not depend on the number of threads.
template <class Make>
void add_in_blocks(Bodies& to, std::size_t count, Random& random, const Make& make) {
    constexpr std::size_t block = 8192;
    const std::size_t first = to.size();
    const std::uint64_t seed = random.bits();
    to.position_mass.resize(first + count);
    to.velocity.resize(first + count);
    Pool pool{0, false};
    pool.parallel_for(0, (count + block - 1) / block, [&](std::uint64_t b) {
        Random own{mixed(seed, b)};
        for (std::size_t i = b * block; i < std::min(count, (b + 1) * block); ++i) {
            const NewBody body = make(i, own);
            to.position_mass[first + i] = {body.place.x, body.place.y, body.place.z, body.mass};
            to.velocity[first + i] = body.velocity;
        }
    });
}

}  // namespace orrery
