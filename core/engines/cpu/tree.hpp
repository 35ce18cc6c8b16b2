// SPDX-License-Identifier: MIT
#pragma once
#include "core/engines/engine.hpp"

namespace orrery {

EngineEntry tree_engine();

}  // namespace orrery
