// SPDX-License-Identifier: MIT
// The operations of dummy and triplet on a pair or triple: write a sum to one address, or mark it.
#pragma once
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

namespace orrery::lab {

/// Writes to one address. Each chunk of work has its own; otherwise the measurement would show how cores share a cache
/// line.
class WriteLast {
public:
    explicit WriteLast(std::atomic<std::uint32_t>& last) : last_{&last} {}
    WriteLast(WriteLast&& other) noexcept : last_{other.last_} { other.last_ = nullptr; }
    WriteLast(const WriteLast&) = delete;
    WriteLast& operator=(const WriteLast&) = delete;
    ~WriteLast() {
        if (last_) last_->store(sum_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
    void write(std::uint32_t sum) { sum_.store(sum, std::memory_order_relaxed); }

private:
    std::atomic<std::uint32_t>* last_;
    std::atomic<std::uint32_t> sum_{0};
};

/// One bit per pair or triple, marked by all threads.
class Marks {
public:
    explicit Marks(std::uint64_t items) : words_((items + 63) / 64) {}

    void mark(std::uint64_t item) {
        const std::uint64_t bit = std::uint64_t{1} << (item % 64);
        const std::atomic_ref<std::uint64_t> word{words_[item / 64]};
        if (word.fetch_or(bit, std::memory_order_relaxed) & bit) twice_.fetch_add(1, std::memory_order_relaxed);
    }
    /// Number of different items visited.
    std::uint64_t visited() const {
        std::uint64_t visited = 0;
        for (const std::uint64_t word : words_) visited += static_cast<std::uint64_t>(std::popcount(word));
        return visited;
    }
    /// Number of repeated visits.
    std::uint64_t twice() const { return twice_; }

private:
    std::vector<std::uint64_t> words_;
    std::atomic<std::uint64_t> twice_ = 0;
};

}  // namespace orrery::lab
