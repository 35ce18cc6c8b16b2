// SPDX-License-Identifier: MIT
#pragma once

namespace orrery {

/// Mesa and the font library crash or hang when an allocation fails, so a limit of address space (ulimit -v) that is
/// too low for them is refused before they start: 560 MB, and 40 MB of stacks and arenas for each thread. Throws
/// Error{kEnvironment} with the limit that suffices.
void require_address_space_to_draw();

}  // namespace orrery
