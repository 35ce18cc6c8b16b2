// SPDX-License-Identifier: MIT
// Checks and descriptions of the settings of OpenGL engines.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/engines/config.hpp"

namespace orrery::gl {

/// "#define DOUBLE 0": for shaders that depend on the precision alone.
template <class Real>
std::string defines_of() {
    return sizeof(Real) == 8 ? "#define DOUBLE 1\n" : "#define DOUBLE 0\n";
}

/// Throws Error{kUsage} if the device permits no work group of this shape, with `bytes` of shared memory per thread.
void require_group(const TileConfig& tile, std::size_t bytes);
/// `windows`: how often the sums of tiles are added; `shuffles`: reactions rotate by subgroup shuffles.
std::string describe_half(const EngineConfig& config, int tile_size, std::uint64_t tiles, std::uint64_t windows,
                          bool shuffles);

}  // namespace orrery::gl
