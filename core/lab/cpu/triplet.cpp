// SPDX-License-Identifier: MIT
// The maps of triples alone: i + j + k of every triple is written to one address.
#include <atomic>

#include "core/base/memory.hpp"
#include "core/lab/cpu/marks.hpp"
#include "core/lab/cpu/walk.hpp"
#include "core/lab/launch_variants3.hpp"

namespace orrery {
namespace {

using namespace lab;

class Triples final : public CpuKernel {
public:
    explicit Triples(LabSize size) : CpuKernel{size, size.rho} {
        require_memory("triplet", tetrahedral(size.bodies) / 8);
    }

    LabCheck check(FormChoice choice) override {
        const std::uint64_t triples = tetrahedral(size_.bodies);
        Marks marks{triples};
        walk(choice, [&] {
            return [&](std::uint32_t i, std::uint32_t j, std::uint32_t k) {
                marks.mark(tetrahedral(k) + triangular(j) + i);
            };
        });
        last_ = ~0u;
        run(choice, nullptr);
        return triplet_verdict(triples, marks.visited(), marks.twice(), last_, size_.bodies);
    }

private:
    void run(FormChoice choice, const Tile*) override {
        walk(choice, [&] {
            return [sum = WriteLast{last_}](std::uint32_t i, std::uint32_t j, std::uint32_t k) mutable {
                sum.write(i + j + k);
            };
        });
    }

    /// Not inlined, so that all forms run the same code for a tile.
    template <class Work>
    [[gnu::noinline]] void interact(TileTriple t, Work& work) {
        for (std::uint32_t k = t.k * side_; k < end(t.k * side_); ++k)
            for (std::uint32_t j = t.j * side_; j < (t.j + 1) * side_ && j <= k; ++j)
                for (std::uint32_t i = t.i * side_; i < (t.i + 1) * side_ && i <= j; ++i) work(i, j, k);
    }

    template <class Worker>
    void walk(FormChoice choice, const Worker& worker) {
        with_form3(choice, layers_.data(), [&](auto form) {
            walk_blocks(pool_, form, rows_,
                        [&] { return [&, work = worker()](TileTriple tiles) mutable { interact(tiles, work); }; });
        });
    }

    const std::vector<std::uint32_t> layers_ = lambda3_table(rows_);
    std::atomic<std::uint32_t> last_ = 0;
};

}  // namespace

std::unique_ptr<LabKernel> cpu_triplet(LabSize size) { return std::make_unique<Triples>(size); }

}  // namespace orrery
