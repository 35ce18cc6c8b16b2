// SPDX-License-Identifier: MIT
#pragma once

namespace orrery {

/// Lowers the priority of the calling thread (nice 10), so that a window on the same cores stays smooth.
void lower_thread_priority() noexcept;

}  // namespace orrery
