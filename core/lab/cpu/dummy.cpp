// SPDX-License-Identifier: MIT
// The map alone: i + j of every pair is written to one address.
#include <atomic>

#include "core/base/memory.hpp"
#include "core/lab/cpu/marks.hpp"
#include "core/lab/cpu/walk.hpp"

namespace orrery {
namespace {

using namespace lab;

class Dummy final : public CpuKernel {
public:
    explicit Dummy(LabSize size) : CpuKernel{size, size.rho} {}

    LabCheck check(FormChoice choice) override {
        const std::uint64_t pairs = triangular(size_.bodies);
        Marks marks{pairs};
        walk(choice, table_of(choice),
             [&] { return [&](std::uint32_t i, std::uint32_t j) { marks.mark(triangular(i) + j); }; });
        last_ = ~0u;
        run(choice, table_of(choice));
        return dummy_verdict(pairs, marks.visited(), marks.twice(), last_, size_.bodies);
    }

private:
    void run(FormChoice choice, const Tile* table) override {
        walk(choice, table,
             [&] { return [sum = WriteLast{last_}](std::uint32_t i, std::uint32_t j) mutable { sum.write(i + j); }; });
    }

    /// Not inlined, so that all forms run the same code for a tile.
    template <class Work>
    [[gnu::noinline]] void interact(Tile tile, Work& work) {
        const std::uint32_t first = tile.row * side_, left = tile.col * side_;
        for (std::uint32_t i = first; i < end(first); ++i)
            for (std::uint32_t j = left; j < left + side_ && j <= i; ++j) work(i, j);
    }

    template <class Worker>
    void walk(FormChoice choice, const Tile* table, const Worker& worker) {
        with_form(choice, table, [&](auto form) {
            if constexpr (form.in_threads) {
                walk_threads(pool_, form, size_.bodies, worker);
            } else {
                walk_blocks(pool_, form, rows_,
                            [&] { return [&, work = worker()](Tile tile) mutable { interact(tile, work); }; });
            }
        });
    }

    std::atomic<std::uint32_t> last_ = 0;
};

}  // namespace

std::unique_ptr<LabKernel> cpu_dummy(LabSize size) { return std::make_unique<Dummy>(size); }

}  // namespace orrery
