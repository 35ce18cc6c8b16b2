// SPDX-License-Identifier: MIT
#include "core/engines/cpu/pool.hpp"

#include <sys/resource.h>
#include <unistd.h>

namespace orrery {

void give_way() noexcept {
    // On Linux the nice value belongs to the thread; a refusal only costs smoothness. At 10 a window that needs the
    // core gets nine tenths of it; at 19 the bodies would stand still beside any other program that computes.
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 10);
}

Pool::Pool(int threads, bool background) : arena_{threads > 0 ? threads : tbb::task_arena::automatic} {
    if (threads > tbb::this_task_arena::max_concurrency())
        more_than_cores_.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
    arena_.initialize();
    if (background) observer_ = std::make_unique<GiveWay>(arena_);
}

}  // namespace orrery
