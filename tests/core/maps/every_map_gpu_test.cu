// SPDX-License-Identifier: MIT
// The contract of every_map_test.cpp on the device, whose roots and fused arithmetic differ from the host's.
#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

#include "core/cuda/device_buffer.hpp"
#include "core/cuda/info.hpp"
#include "core/cuda/launch.cuh"
#include "core/cuda/stream.hpp"
#include "core/lab/exactness.hpp"
#include "core/maps/maps.hpp"
#include "tests/core/maps/inverse.hpp"
#include "tests/core/maps/map_cases.hpp"
#include "tests/support/needs_device.hpp"

namespace orrery::test {
namespace {

using namespace cuda;

/// One thread per block of the grid increments the count of its tile.
__global__ void count_tiles(AnyMap map, std::uint32_t rows, unsigned* blocks, unsigned* wasted) {
    const Grid grid = map.grid(rows);
    const u64 index = thread_index();
    if (index >= grid.count()) return;
    const Tile tile = map(block_at(grid, index), rows);
    atomicAdd(useful(tile, rows) ? &blocks[u64{tile.row} * rows + tile.col] : wasted, 1u);
}

__global__ void count_wrong_edges(AnyMap map, std::uint32_t rows, unsigned* wrong) {
    const u64 row = thread_index();
    if (row >= rows) return;
    const unsigned edges = wrong_edges(map, static_cast<std::uint32_t>(row), rows);
    if (edges != 0) atomicAdd(wrong, edges);
}

/// Checks every tile of a triangle and of the two rows below it.
template <class R>
__global__ void count_wrong_tiles(std::uint32_t tiles, unsigned* wrong) {
    const u64 k = thread_index();
    if (k >= tiles) return;
    const Tile tile = lambda_narrow<R>(static_cast<std::int32_t>(k));
    if (tile.col > tile.row || triangular(tile.row) + tile.col != k) atomicAdd(wrong, 1u);
}

using DeviceCase = CaseOf<MapEntry>;

/// A map on the device, with a copy of the table if it needs one.
struct DeviceMap {
    DeviceMap(const DeviceCase& c, std::uint32_t rows, const Stream& stream) : any{c.map->map, c.root->root} {
        if (any.map != map_id<Lut>) return;
        const std::vector<Tile> host = lut_table(rows);
        table = DeviceBuffer<Tile>{host.size()};
        upload(std::span{host}, table, stream.get());
        stream.wait();
        any.table = table.data();
    }
    AnyMap any;
    DeviceBuffer<Tile> table;
};

class EveryMapOnDevice : public NeedsDevice<::testing::TestWithParam<DeviceCase>> {};

TEST_P(EveryMapOnDevice, ProducesEachTileOnce) {
    const Stream stream;
    for (std::uint32_t m = 1; m <= 300; ++m) {
        const DeviceMap map{GetParam(), m, stream};
        const u64 launched = map.any.grid(m).count(), square = u64{m} * m;
        DeviceBuffer<unsigned> d_counts{square + 1};
        check(cudaMemsetAsync(d_counts.data(), 0, (square + 1) * sizeof(unsigned), stream.get()), "memset");
        launch("count_tiles", linear(launched), stream.get(), count_tiles, map.any, m, d_counts.data(),
               d_counts.data() + square);
        std::vector<unsigned> counts(square + 1);
        download(d_counts, std::span{counts}, stream.get());
        stream.wait();
        for (std::uint32_t row = 0; row < m; ++row)
            for (std::uint32_t col = 0; col < m; ++col)
                ASSERT_EQ(counts[u64{row} * m + col], col <= row ? 1u : 0u)
                    << "m " << m << ", tile " << row << ' ' << col;
        ASSERT_EQ(counts[square], launched - triangular(m)) << "m " << m;
    }
}

TEST_P(EveryMapOnDevice, IsExactAtAllRowEdges) {
    const Stream stream;
    const bool lut = GetParam().map->map == map_id<Lut>;
    for (int power = 1; power <= (lut ? 12 : 20); ++power)
        for (const int off : {-1, 0, 1}) {
            const auto m = static_cast<std::uint32_t>((1 << power) + off);
            const DeviceMap map{GetParam(), m, stream};
            DeviceBuffer<unsigned> d_wrong{1};
            check(cudaMemsetAsync(d_wrong.data(), 0, sizeof(unsigned), stream.get()), "memset");
            launch("count_wrong_edges", linear(m), stream.get(), count_wrong_edges, map.any, m, d_wrong.data());
            unsigned wrong = 0;
            download(d_wrong, std::span{&wrong, 1}, stream.get());
            stream.wait();
            ASSERT_EQ(wrong, 0u) << m;
        }
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryMapOnDevice, ::testing::ValuesIn(every_case(maps())), device_case_name<MapEntry>);

class NarrowOnDevice : public NeedsDevice<::testing::Test> {
protected:
    template <class R>
    static unsigned wrong_tiles() {
        const Stream stream;
        DeviceBuffer<unsigned> d_wrong{1};
        check(cudaMemsetAsync(d_wrong.data(), 0, sizeof(unsigned), stream.get()), "memset");
        const u64 tiles = triangular(kNarrowRows + 2);
        launch("count_wrong_tiles", linear(tiles), stream.get(), count_wrong_tiles<R>,
               static_cast<std::uint32_t>(tiles), d_wrong.data());
        unsigned wrong = 0;
        download(d_wrong, std::span{&wrong, 1}, stream.get());
        stream.wait();
        return wrong;
    }
};

TEST_F(NarrowOnDevice, ProducesEveryTile_cuda) {
    EXPECT_EQ(wrong_tiles<SqrtRoot>(), 0u);
    EXPECT_EQ(wrong_tiles<NewtonRoot>(), 0u);
    EXPECT_EQ(wrong_tiles<RsqrtRoot>(), 0u);
    EXPECT_EQ(wrong_tiles<Fp64Root>(), 0u);
    EXPECT_EQ(wrong_tiles<ApproximateRoot>(), 0u);
}

class PublishedOnDevice : public NeedsDevice<::testing::Test> {};

/// The table of exact_rows() holds for an H200; on any device the integer variants must have no limit, and the constant
/// of the −0.4999 variant limits it to fewer than 10 000 rows.
TEST_F(PublishedOnDevice, HasTheRangeOfTheTable_cuda) {
    constexpr std::uint32_t kScanned = 1u << 20;
    const bool h200 = cuda_info().devices.front().name.find("H200") != std::string::npos;
    for (const MapEntry& map : study_maps()) {
        for (const RootEntry& root : roots()) {
            const std::uint32_t first = first_wrong_row({map.map, root.root}, kScanned, Backend::kCuda);
            const std::uint32_t table = exact_rows(map, root.root, Backend::kCuda);
            std::printf("%s with %s on the device: first wrong row %u\n", map.id.data(), root.id.data(), first);
            EXPECT_GE(first, table) << "an engine would exceed the range: " << map.id << ' ' << root.id;
            if (h200 && root.root != root_id<ApproximateRoot>) {  // whose table entry is a proven bound
                EXPECT_EQ(first, table) << map.id << ' ' << root.id;
            }
            if (map.map == map_id<Rooted<LambdaOffset>>) {
                EXPECT_LE(first, 9999u);
            }
        }
    }
    for (const RootEntry& root : roots())
        EXPECT_EQ(first_wrong_row({map_id<Rooted<Lambda>>, root.root}, kScanned, Backend::kCuda), kScanned) << root.id;
}

TEST_F(PublishedOnDevice, UtmInThreadSpaceHasTheClaimedRange_cuda) {
    for (const RootEntry& root : roots()) {
        const std::uint32_t first = first_wrong_utm(root.root, 8192, Backend::kCuda);
        std::printf("utm in thread space with %s on the device: first wrong n %u\n", root.id.data(), first);
        EXPECT_GT(first, 3000u) << root.id;
    }
}

}  // namespace
}  // namespace orrery::test
