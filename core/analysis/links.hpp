// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

namespace orrery {

/// Disjoint sets of indices with concurrent union (Anderson & Woll 1991, STOC '91, 370). A set is identified by its
/// smallest index, so the final sets do not depend on the order of unions.
class Links {
public:
    explicit Links(std::size_t count) : parent_(count) {
        for (std::size_t i = 0; i < count; ++i)
            parent_[i].store(static_cast<std::uint32_t>(i), std::memory_order_relaxed);
    }
    /// The smallest index found so far; halves the path on the way.
    std::uint32_t root(std::uint32_t i) {
        for (;;) {
            const std::uint32_t up = parent_[i].load(std::memory_order_relaxed);
            if (up == i) return i;
            const std::uint32_t above = parent_[up].load(std::memory_order_relaxed);
            std::uint32_t expected = up;
            parent_[i].compare_exchange_weak(expected, above, std::memory_order_relaxed);
            i = above;
        }
    }
    void unite(std::uint32_t a, std::uint32_t b) {
        for (;;) {
            a = root(a), b = root(b);
            if (a == b) return;
            if (a < b) std::swap(a, b);
            std::uint32_t expected = a;  // still a root
            if (parent_[a].compare_exchange_weak(expected, b, std::memory_order_relaxed)) return;
        }
    }

private:
    std::vector<std::atomic<std::uint32_t>> parent_;  // a parent's index is less than its child's
};

}  // namespace orrery
