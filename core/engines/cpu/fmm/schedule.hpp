// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/pool.hpp"

namespace orrery {

/// Two parts that are both written to when they interact; may be the same part.
struct PartPair {
    std::uint32_t a, b;
    friend bool operator==(const PartPair&, const PartPair&) = default;
};

/// Schedules pairs into rounds in which no part occurs twice: the pairs of a round can be processed by any threads in
/// any order, and the interactions of each part are added in a fixed order. Depends only on the pairs.
class Rounds {
public:
    Rounds() = default;
    /// `parts`: number of parts. A pair is put into the first round that contains neither of its parts.
    Rounds(std::span<const PartPair> pairs, std::size_t parts);

    /// Removes the pairs for which keeps(index) is false; the others stay in their rounds.
    template <class Keeps>
    void keep(const Keeps& keeps) {
        std::size_t kept = 0, from = 0;
        for (std::size_t round = 0; round + 1 < starts_.size(); ++round) {
            for (; from < starts_[round + 1]; ++from)
                if (keeps(order_[from])) order_[kept++] = order_[from];
            starts_[round + 1] = kept;
        }
        order_.resize(kept);
    }

    /// Indices of pairs, round by round.
    std::span<const std::uint32_t> order() const { return order_; }
    /// Start of each round in order(), followed by the end of the last.
    std::span<const std::size_t> starts() const { return starts_; }

private:
    std::vector<std::uint32_t> order_;
    std::vector<std::size_t> starts_{0};
};

/// All families, level by level from the root, grouped into tasks of a few families each.
class FamilyTasks {
public:
    FamilyTasks() = default;
    /// `level_start`: from FmmCells.
    explicit FamilyTasks(const std::vector<std::uint32_t>& level_start) {
        for (std::size_t level = 0; level + 1 < level_start.size(); ++level)
            for (std::uint32_t first = level_start[level]; first < level_start[level + 1]; first += kFamiliesPerTask)
                tasks_.push_back({first, std::min(first + kFamiliesPerTask, level_start[level + 1]), level});
    }
    std::size_t count() const { return tasks_.size(); }

    /// Calls work(family) for all families, children before their parents.
    template <class Work>
    void upward(Pool& pool, const Work& work) const {
        for (std::size_t last = tasks_.size(); last > 0;) {
            std::size_t from = last - 1;
            while (from > 0 && tasks_[from - 1].level == tasks_[last - 1].level) --from;
            run(pool, from, last, work);
            last = from;
        }
    }
    /// The same for tasks [first, last), but parents before their children.
    template <class Work>
    void downward(Pool& pool, std::size_t first, std::size_t last, const Work& work) const {
        while (first < last) {
            std::size_t to = first + 1;
            while (to < last && tasks_[to].level == tasks_[first].level) ++to;
            run(pool, first, to, work);
            first = to;
        }
    }

private:
    static constexpr std::uint32_t kFamiliesPerTask = 8;
    /// Families [first, last).
    struct Task {
        std::uint32_t first, last;
        std::size_t level;
    };

    template <class Work>
    void run(Pool& pool, std::size_t first, std::size_t last, const Work& work) const {
        pool.parallel_for(first, last, [&](std::uint64_t task) {
            for (std::uint32_t family = tasks_[task].first; family < tasks_[task].last; ++family) work(family);
        });
    }

    std::vector<Task> tasks_;
};

}  // namespace orrery
