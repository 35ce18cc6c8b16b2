// SPDX-License-Identifier: MIT
#pragma once
#include "core/engines/engine.hpp"

namespace orrery {

EngineEntry half_engine();

}  // namespace orrery
