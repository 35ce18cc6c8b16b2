// SPDX-License-Identifier: MIT
// The map alone: i + j of every pair is written to one place.
#include <atomic>

#include "core/base/memory.hpp"
#include "core/lab/cpu/walk.hpp"

namespace orrery {
namespace {

using namespace lab;

/// Writes i + j to one address. Each chunk of work has its own, or the cores would measure how they share a line of
/// cache.
class WriteSum {
public:
    explicit WriteSum(std::atomic<std::uint32_t>& last) : last_{&last} {}
    WriteSum(WriteSum&& other) noexcept : last_{other.last_} { other.last_ = nullptr; }
    WriteSum(const WriteSum&) = delete;
    WriteSum& operator=(const WriteSum&) = delete;
    ~WriteSum() {
        if (last_) last_->store(sum_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
    void operator()(std::uint32_t i, std::uint32_t j) { sum_.store(i + j, std::memory_order_relaxed); }

private:
    std::atomic<std::uint32_t>* last_;
    std::atomic<std::uint32_t> sum_{0};
};

/// Marks every pair, and counts those that were marked before.
struct MarkPair {
    std::uint64_t* marks;
    std::atomic<std::uint64_t>* twice;
    void operator()(std::uint32_t i, std::uint32_t j) const {
        const std::uint64_t pair = triangular(i) + j, bit = std::uint64_t{1} << (pair % 64);
        const std::atomic_ref<std::uint64_t> word{marks[pair / 64]};
        if (word.fetch_or(bit, std::memory_order_relaxed) & bit) twice->fetch_add(1, std::memory_order_relaxed);
    }
};

class Dummy final : public CpuKernel {
public:
    explicit Dummy(LabSize size) : CpuKernel{size, size.rho} {}

    LabCheck check(FormChoice choice) override {
        const std::uint64_t pairs = triangular(size_.bodies);
        std::vector<std::uint64_t> marks((pairs + 63) / 64);
        std::atomic<std::uint64_t> twice = 0;
        walk(choice, table_of(choice), [&] { return MarkPair{marks.data(), &twice}; });
        last_ = ~0u;
        run(choice, table_of(choice));
        std::uint64_t met = 0;
        for (std::uint32_t i = 0; i < size_.bodies; ++i)
            for (std::uint32_t j = 0; j <= i; ++j) {
                const std::uint64_t pair = triangular(i) + j;
                met += marks[pair / 64] >> (pair % 64) & 1;
            }
        return dummy_verdict(pairs, met, twice, last_, size_.bodies);
    }

private:
    void run(FormChoice choice, const Tile* table) override {
        walk(choice, table, [&] { return WriteSum{last_}; });
    }

    /// Apart, so that all forms run the same code for a tile.
    template <class Work>
    [[gnu::noinline]] void meet(Tile tile, Work& work) {
        const std::uint32_t first = tile.row * side_, left = tile.col * side_;
        for (std::uint32_t i = first; i < end(first); ++i)
            for (std::uint32_t j = left; j < left + side_ && j <= i; ++j) work(i, j);
    }

    template <class Worker>
    void walk(FormChoice choice, const Tile* table, const Worker& worker) {
        with_form<Forms::kAll>(choice, table, [&](auto form) {
            if constexpr (form.in_threads) {
                walk_threads(pool_, form, size_.bodies, worker);
            } else {
                walk_blocks(pool_, form, rows_,
                            [&] { return [&, work = worker()](Tile tile) mutable { meet(tile, work); }; });
            }
        });
    }

    std::atomic<std::uint32_t> last_ = 0;
};

}  // namespace

std::unique_ptr<LabKernel> cpu_dummy(LabSize size) { return std::make_unique<Dummy>(size); }

}  // namespace orrery
