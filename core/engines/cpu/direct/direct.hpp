// SPDX-License-Identifier: MIT
#pragma once
#include "core/engines/menu.hpp"

namespace orrery {

EngineEntry direct_engine();

}  // namespace orrery
