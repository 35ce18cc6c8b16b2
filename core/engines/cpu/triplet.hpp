// SPDX-License-Identifier: MIT
#pragma once
#include "core/engines/engine.hpp"

namespace orrery {

EngineEntry triplet_engine();

}  // namespace orrery
