// SPDX-License-Identifier: MIT
#pragma once
#include "core/engines/menu.hpp"

namespace orrery {

EngineEntry triplet_engine();

}  // namespace orrery
