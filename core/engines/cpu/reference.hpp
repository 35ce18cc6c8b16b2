// SPDX-License-Identifier: MIT
#pragma once
#include "core/engines/engine.hpp"

namespace orrery {

EngineEntry reference_engine();

}  // namespace orrery
