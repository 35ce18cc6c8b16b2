// SPDX-License-Identifier: MIT
#include "core/base/thread_priority.hpp"

#include <sys/resource.h>
#include <unistd.h>

namespace orrery {

void lower_thread_priority() noexcept {
    // On Linux the nice value belongs to the thread; failure only costs smoothness. At 10, a window that needs the core
    // gets nine tenths of it; at 19, any other busy program would stop the simulation.
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 10);
}

}  // namespace orrery
