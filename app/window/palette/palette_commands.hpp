// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "app/window/palette/palette.hpp"

namespace orrery {

/// The commands of the window for its palette, once for each argument, except those that choose an engine, which the
/// palette lists by name, and the palette itself.
std::vector<PaletteCommand> palette_commands();

}  // namespace orrery
