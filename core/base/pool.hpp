// SPDX-License-Identifier: MIT
#pragma once
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/base/thread_priority.hpp"

namespace orrery {

/// ThreadSanitizer does not see the synchronisation inside oneTBB, which is not built with it. This repeats the
/// ordering (start of a loop, its bodies, its end) with visible atomics. Without the sanitizer it does nothing.
class VisibleOrder {
public:
#ifdef __SANITIZE_THREAD__
    void before_me() { mark_.load(std::memory_order_acquire); }
    void after_me() { mark_.fetch_add(1, std::memory_order_release); }

private:
    std::atomic<std::uint64_t> mark_{0};
#else
    void before_me() {}
    void after_me() {}
#endif
};

/// A number of threads. Background pools run at low priority, so that the window stays smooth. oneTBB frees an arena's
/// memory only when the machine is idle, so a destroyed Pool hands its arena on to the next Pool of the same kind.
class Pool {
public:
    /// `threads` 0: all cores.
    Pool(int threads, bool background);
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    ~Pool();

    /// Calls body(i) for i in [first, last), in any order, on many threads; returns when all are done.
    template <class Body>
    void parallel_for(std::uint64_t first, std::uint64_t last, const Body& body) {
        order_.after_me();
        arena_->arena.execute([&] {
            tbb::parallel_for(first, last, [&](std::uint64_t i) {
                order_.before_me();
                body(i);
                order_.after_me();
            });
        });
        order_.before_me();
    }
    int threads() const { return arena_->arena.max_concurrency(); }

private:
    class LowPriority final : public tbb::task_scheduler_observer {
    public:
        explicit LowPriority(tbb::task_arena& arena) : task_scheduler_observer{arena} { observe(true); }
        ~LowPriority() override { observe(false); }
        void on_scheduler_entry(bool is_worker) override {
            if (is_worker) lower_thread_priority();
        }
    };

    struct Arena {
        explicit Arena(int threads, bool in_background);
        int threads;  ///< as requested
        bool background;
        tbb::task_arena arena;
        std::unique_ptr<LowPriority> observer;
    };
    class Spare;

    std::optional<tbb::global_control> more_than_cores_;  // set only if more threads than cores are requested
    std::unique_ptr<Arena> arena_;
    VisibleOrder order_;
};

}  // namespace orrery
