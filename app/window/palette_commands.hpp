// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "app/ui/palette.hpp"

namespace orrery {

/// The commands of the window for its palette, each with every argument that it may have: all but those that choose an
/// engine, which the palette names, and the palette itself.
std::vector<PaletteCommand> palette_commands();

}  // namespace orrery
