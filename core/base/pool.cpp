// SPDX-License-Identifier: MIT
#include "core/base/pool.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>
#include <sys/resource.h>
#include <unistd.h>

#include <mutex>
#include <utility>

namespace orrery {

void lower_thread_priority() noexcept {
    // On Linux the nice value belongs to the thread; failure only costs smoothness. At 10, a window that needs the core
    // gets nine tenths of it; at 19, any other busy program would stop the simulation.
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 10);
}

class Pool::LowPriority final : public tbb::task_scheduler_observer {
public:
    explicit LowPriority(tbb::task_arena& arena) : task_scheduler_observer{arena} { observe(true); }
    ~LowPriority() override { observe(false); }
    void on_scheduler_entry(bool is_worker) override {
        if (is_worker) lower_thread_priority();
    }
};

struct Pool::Arena {
    Arena(int wanted, bool in_background)
        : threads{wanted}, background{in_background}, arena{wanted > 0 ? wanted : tbb::task_arena::automatic} {
        arena.initialize();
        if (background) observer = std::make_unique<LowPriority>(arena);
    }

    int threads;  ///< as requested
    bool background;
    tbb::task_arena arena;
    std::unique_ptr<LowPriority> observer;
};

struct Pool::MoreThanCores {
    tbb::global_control limit;
};

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

Pool::Pool(int threads, bool background) {
    if (threads > tbb::this_task_arena::max_concurrency())
        more_than_cores_.reset(
            new MoreThanCores{{tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)}});
    arena_ = Spare::all().take(threads, background);
    if (!arena_) arena_ = std::make_unique<Arena>(threads, background);
}

Pool::~Pool() {
    if (arena_) Spare::all().give(std::move(arena_));
}

int Pool::threads() const { return arena_->arena.max_concurrency(); }

void Pool::for_ranges(std::uint64_t first, std::uint64_t last, Range range, const void* body) {
    arena_->arena.execute([&] {
        tbb::parallel_for(
            tbb::blocked_range<std::uint64_t>{first, std::max(first, last)},
            [&](const tbb::blocked_range<std::uint64_t>& part) { range(body, order_, part.begin(), part.end()); });
    });
}

}  // namespace orrery
