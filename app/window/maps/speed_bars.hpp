// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>

#include "app/window/maps/map_state.hpp"

namespace orrery {

/// The speeds of the last `most` engines tried, as bars of at most `width` pixels, the current one in the accent
/// colour.
void speed_bars(std::span<const TriedEngine> tried, std::size_t most, float width, float scale);

}  // namespace orrery
