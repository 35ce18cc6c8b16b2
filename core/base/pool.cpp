// SPDX-License-Identifier: MIT
#include "core/base/pool.hpp"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace orrery {

/// Unused arenas. Never destroyed: at exit oneTBB may be destroyed before them.
class Pool::Spare {
public:
    static Spare& all() {
        static Spare& arenas = *new Spare;
        return arenas;
    }
    std::unique_ptr<Arena> take(int threads, bool background) {
        const std::lock_guard lock{mutex_};
        const auto found = std::ranges::find_if(
            arenas_, [&](const auto& one) { return one->threads == threads && one->background == background; });
        if (found == arenas_.end()) return nullptr;
        std::unique_ptr<Arena> arena = std::move(*found);
        arenas_.erase(found);
        return arena;
    }
    void give(std::unique_ptr<Arena> arena) {
        const std::lock_guard lock{mutex_};
        arenas_.push_back(std::move(arena));
    }

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Arena>> arenas_;
};

Pool::Arena::Arena(int wanted, bool in_background)
    : threads{wanted}, background{in_background}, arena{wanted > 0 ? wanted : tbb::task_arena::automatic} {
    arena.initialize();
    if (background) observer = std::make_unique<LowPriority>(arena);
}

Pool::Pool(int threads, bool background) {
    if (threads > tbb::this_task_arena::max_concurrency())
        more_than_cores_.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
    arena_ = Spare::all().take(threads, background);
    if (!arena_) arena_ = std::make_unique<Arena>(threads, background);
}

Pool::~Pool() {
    if (arena_) Spare::all().give(std::move(arena_));
}

}  // namespace orrery
