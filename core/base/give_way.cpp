// SPDX-License-Identifier: MIT
#include "core/base/give_way.hpp"

#include <sys/resource.h>
#include <unistd.h>

namespace orrery {

void give_way() noexcept {
    // On Linux the nice value belongs to the thread; a refusal only costs smoothness. At 10 a window that needs the
    // core gets nine tenths of it; at 19 the bodies would stand still beside any other program that computes.
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 10);
}

}  // namespace orrery
