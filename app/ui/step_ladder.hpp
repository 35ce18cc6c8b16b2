// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>

#include "app/ui/widgets.hpp"

namespace orrery {

/// Bars of the number of bodies with steps of dt, dt/2, dt/4 and so on; nothing if there are none.
void step_ladder(Widgets& ui, std::span<const std::size_t> bodies);

}  // namespace orrery
