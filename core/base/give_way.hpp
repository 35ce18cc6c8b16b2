// SPDX-License-Identifier: MIT
#pragma once

namespace orrery {

/// Lowers the priority of the calling thread (nice 10), so that a window on the same cores stays smooth.
void give_way() noexcept;

}  // namespace orrery
