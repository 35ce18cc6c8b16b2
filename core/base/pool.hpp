// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace orrery {

/// Lowers the priority of the calling thread (nice 10), so that a window on the same cores stays smooth.
void lower_thread_priority() noexcept;

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

inline constexpr std::size_t kBlockBodies = 1 << 14;

/// Calls part(first, last) for each block of consecutive bodies, on many threads. The blocks do not depend on the
/// number of threads, so a sum over their results in order does not either.
template <class Part>
auto by_blocks(Pool& pool, std::size_t count, const Part& part) {
    std::vector<decltype(part(count, count))> parts((count + kBlockBodies - 1) / kBlockBodies);
    pool.parallel_for(0, parts.size(), [&](std::size_t i) {
        parts[i] = part(i * kBlockBodies, std::min(count, (i + 1) * kBlockBodies));
    });
    return parts;
}

/// Calls body(i) for each i below count, in blocks. A single block is not worth several threads.
template <class Body>
void for_each_in_blocks(Pool& pool, std::size_t count, const Body& body, std::size_t block = 8192) {
    const auto run = [&](std::uint64_t b) {
        for (std::size_t i = b * block; i < std::min(count, (b + 1) * block); ++i) body(i);
    };
    if (count <= block) return run(0);
    pool.parallel_for(0, (count + block - 1) / block, run);
}

}  // namespace orrery
