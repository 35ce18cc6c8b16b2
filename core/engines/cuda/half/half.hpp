// SPDX-License-Identifier: MIT
#pragma once
#include "core/engines/menu.hpp"

namespace orrery {

EngineEntry cuda_half_engine();

namespace cuda {

/// Throws Error{kUsage} unless ρ is 0 or 32, 64, 128, 256, 384, 512, 768 or 1024.
void check_tile_size(int tile_size);
std::string describe_half(const EngineConfig& config, int tile_size, std::uint64_t tiles, unsigned copies);

}  // namespace cuda
}  // namespace orrery
