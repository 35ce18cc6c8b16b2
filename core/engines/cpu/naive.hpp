// SPDX-License-Identifier: MIT
#pragma once
#include "core/engines/menu.hpp"

namespace orrery {

EngineEntry naive_engine();

}  // namespace orrery
