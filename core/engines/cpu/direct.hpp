// SPDX-License-Identifier: MIT
#pragma once
#include "core/engines/engine.hpp"

namespace orrery {

EngineEntry direct_engine();

}  // namespace orrery
