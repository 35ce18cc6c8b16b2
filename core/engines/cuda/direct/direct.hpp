// SPDX-License-Identifier: MIT
#pragma once
#include "core/engines/menu.hpp"

namespace orrery {

EngineEntry cuda_direct_engine();
EngineEntry cuda_naive_engine();

}  // namespace orrery
