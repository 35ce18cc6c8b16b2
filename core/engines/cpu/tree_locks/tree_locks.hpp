// SPDX-License-Identifier: MIT
#pragma once
#include "core/engines/menu.hpp"

namespace orrery {

EngineEntry tree_locks_engine();

}  // namespace orrery
