// SPDX-License-Identifier: MIT
// The contract of every_map3_test.cpp on the device, whose roots and fused arithmetic differ from the host's.
#include <gtest/gtest.h>

#include <vector>

#include "core/cuda/device_buffer.hpp"
#include "core/cuda/launch.cuh"
#include "core/cuda/stream.hpp"
#include "core/maps/maps.hpp"
#include "tests/core/maps/inverse3.hpp"
#include "tests/core/maps/map_cases.hpp"
#include "tests/support/needs_device.hpp"

namespace orrery::test {
namespace {

using namespace cuda;

/// One thread per block of the grid increments the count of its triple.
__global__ void count_triples(AnyMap3 map, std::uint32_t side, unsigned* blocks, unsigned* wasted) {
    const Grid3 grid = map.grid(side);
    const u64 index = thread_index();
    if (index >= grid.count()) return;
    const TileTriple t = map(block_at(grid, index), side);
    atomicAdd(useful(t, side) ? &blocks[(u64{t.k} * side + t.j) * side + t.i] : wasted, 1u);
}

/// One thread per layer checks triples at its edges.
__global__ void count_wrong_triples(AnyMap3 map, std::uint32_t side, unsigned* wrong) {
    const u64 k = thread_index();
    if (k >= side) return;
    const Grid3 grid = map.grid(side);
    const auto layer = static_cast<std::uint32_t>(k);
    for (const std::uint32_t j : {0u, layer / 3, layer})
        for (const std::uint32_t i : {0u, j / 2, j}) {
            const TileTriple t{i, j, layer};
            if (map(block_of(map.map, t, side, grid), side) != t) atomicAdd(wrong, 1u);
        }
}

class EveryMap3OnDevice : public NeedsDevice<::testing::TestWithParam<CaseOf<Map3Entry>>> {
protected:
    static AnyMap3 any() { return {GetParam().map->map, GetParam().root->root}; }
};

TEST_P(EveryMap3OnDevice, ProducesEachTripleOnce) {
    const Stream stream;
    for (std::uint32_t m = 1; m <= 64; ++m) {
        const u64 launched = any().grid(m).count(), cube = u64{m} * m * m;
        DeviceBuffer<unsigned> d_counts{cube + 1};
        check(cudaMemsetAsync(d_counts.data(), 0, (cube + 1) * sizeof(unsigned), stream.get()), "memset");
        launch("count_triples", linear(launched), stream.get(), count_triples, any(), m, d_counts.data(),
               d_counts.data() + cube);
        std::vector<unsigned> counts(cube + 1);
        download(d_counts, std::span{counts}, stream.get());
        stream.wait();
        for (std::uint32_t k = 0; k < m; ++k)
            for (std::uint32_t j = 0; j < m; ++j)
                for (std::uint32_t i = 0; i < m; ++i)
                    ASSERT_EQ(counts[(u64{k} * m + j) * m + i], i <= j && j <= k ? 1u : 0u)
                        << "m " << m << ", triple " << i << ' ' << j << ' ' << k;
        ASSERT_EQ(counts[cube], launched - tetrahedral(m)) << "m " << m;
    }
}

TEST_P(EveryMap3OnDevice, IsExactAtEdgesOfAllLayers) {
    const Stream stream;
    for (const std::uint32_t m :
         {kNarrowLayers, kNarrowLayers + 1, 2952u, 2954u, 32768u, 32769u, 524'289u, kMostLayers}) {
        DeviceBuffer<unsigned> d_wrong{1};
        check(cudaMemsetAsync(d_wrong.data(), 0, sizeof(unsigned), stream.get()), "memset");
        launch("count_wrong_triples", linear(m), stream.get(), count_wrong_triples, any(), m, d_wrong.data());
        unsigned wrong = 0;
        download(d_wrong, std::span{&wrong, 1}, stream.get());
        stream.wait();
        ASSERT_EQ(wrong, 0u) << m;
    }
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryMap3OnDevice, ::testing::ValuesIn(every_case(simplex3_maps())),
                         device_case_name<Map3Entry>);

}  // namespace
}  // namespace orrery::test
