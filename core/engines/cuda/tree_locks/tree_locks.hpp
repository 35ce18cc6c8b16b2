// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "core/engines/locks_choice.hpp"

namespace orrery {

namespace cuda {

/// The engine with initial room for `cells` cells instead of its own estimate; for tests of growth.
AnyEngine make_tree_locks(const EngineConfig& config, std::uint64_t cells);

}  // namespace cuda
}  // namespace orrery
