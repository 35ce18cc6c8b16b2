// SPDX-License-Identifier: MIT
// Execution of forms by the threads of a pool, as a grid of blocks does on a device.
#pragma once
#include <algorithm>
#include <chrono>

#include "core/base/pool.hpp"
#include "core/lab/kernel.hpp"
#include "core/maps/maps.hpp"

namespace orrery::lab {

/// Calls work(position) for every position of the grid, in chunks, with a separate worker per chunk: work = worker().
template <class Worker>
void for_every_position(Pool& pool, Extent extent, std::uint64_t chunk, const Worker& worker) {
    const std::uint64_t count = extent.count();
    pool.parallel_for(0, (count + chunk - 1) / chunk, [&](std::uint64_t part) {
        auto work = worker();
        const std::uint64_t first = part * chunk, last = std::min(count, first + chunk);
        GridPosition position{static_cast<std::uint32_t>(first % extent.x),
                              static_cast<std::uint32_t>(first / extent.x % extent.y),
                              static_cast<std::uint32_t>(first / extent.x / extent.y)};
        for (std::uint64_t i = first; i < last; ++i) {
            work(position);
            if (++position.x < extent.x) continue;
            position.x = 0;
            if (++position.y < extent.y) continue;
            position.y = 0, ++position.z;
        }
    });
}

inline constexpr std::uint64_t kBlocksOfChunk = 64, kThreadsOfChunk = 16384;

/// Calls work(tile) for every block of the form that does not idle; for a form of triples, work(triple of tiles).
template <class Form, class Worker>
void walk_blocks(Pool& pool, const Form& form, std::uint32_t rows, const Worker& worker) {
    form.launches(rows, [&](Extent blocks, auto find) {
        for_every_position(pool, blocks, kBlocksOfChunk, [&] {
            return [&, work = worker()](GridPosition block) mutable {
                const auto tile = find(block, rows);
                if (!find.idles(tile, rows)) work(tile);
            };
        });
    });
}

/// Calls work(row, col) for every thread of a form in thread space whose pair exists.
template <class Form, class Worker>
void walk_threads(Pool& pool, const Form& form, std::uint32_t bodies, const Worker& worker) {
    for_every_position(pool, form.threads(bodies), kThreadsOfChunk, [&] {
        return [&, work = worker()](GridPosition thread) mutable {
            const Tile pair = form(thread, bodies);
            if (useful(pair, bodies)) work(pair.row, pair.col);
        };
    });
}

/// Common base of the CPU kernels.
class CpuKernel : public LabKernel {
public:
    using LabKernel::seconds;
    std::vector<double> seconds(FormChoice choice, int repeat, const Stop& stop) override {
        const Tile* table = table_of(choice);
        run(choice, table);  // warms up
        std::vector<double> times;
        for (int i = 0; i < repeat && !(stop && stop()); ++i) {
            const auto start = std::chrono::steady_clock::now();
            run(choice, table);
            times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        }
        return times;
    }

protected:
    /// `side`: bodies along a side of a tile.
    CpuKernel(LabSize size, std::uint32_t side)
        : size_{size}, side_{side}, rows_{(size.bodies + side - 1) / side}, bodies_{lab_bodies(size.bodies)} {}

    virtual void run(FormChoice choice, const Tile* table) = 0;

    const Tile* table_of(FormChoice choice) {
        if (reads_lut_table(choice) && table_.empty()) table_ = lut_table(rows_);
        return table_.data();
    }
    std::uint32_t end(std::uint32_t first) const { return std::min(size_.bodies, first + side_); }

    Pool pool_{0, false};
    LabSize size_;
    std::uint32_t side_, rows_;
    std::vector<Vec4f> bodies_;

private:
    std::vector<Tile> table_;
};

}  // namespace orrery::lab
