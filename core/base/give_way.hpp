// SPDX-License-Identifier: MIT
#pragma once

namespace orrery {

/// The calling thread gives way to others from now on (nice 10), so that a window on the same cores stays smooth.
void give_way() noexcept;

}  // namespace orrery
