// SPDX-License-Identifier: MIT
#include "core/base/pool.hpp"

namespace orrery {

Pool::Pool(int threads, bool background) : arena_{threads > 0 ? threads : tbb::task_arena::automatic} {
    if (threads > tbb::this_task_arena::max_concurrency())
        more_than_cores_.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
    arena_.initialize();
    if (background) observer_ = std::make_unique<GiveWay>(arena_);
}

}  // namespace orrery
