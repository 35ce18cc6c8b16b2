// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>

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
        for_ranges(
            first, last,
            [](const void* context, VisibleOrder& order, std::uint64_t from, std::uint64_t to) {
                for (std::uint64_t i = from; i < to; ++i) {
                    order.before_me();
                    (*static_cast<const Body*>(context))(i);
                    order.after_me();
                }
            },
            &body);
        order_.before_me();
    }
    int threads() const;

private:
    struct Arena;
    struct MoreThanCores;
    class LowPriority;
    class Spare;
    using Range = void (*)(const void* body, VisibleOrder& order, std::uint64_t from, std::uint64_t to);

    /// Calls range(body, order_, from, to) for parts of [first, last). Not a template: oneTBB's headers and the
    /// instantiation of its loop cost seconds per caller.
    void for_ranges(std::uint64_t first, std::uint64_t last, Range range, const void* body);

    std::unique_ptr<MoreThanCores> more_than_cores_;  // set only if more threads than cores are requested
    std::unique_ptr<Arena> arena_;
    VisibleOrder order_;
};

}  // namespace orrery
