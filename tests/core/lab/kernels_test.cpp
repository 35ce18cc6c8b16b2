// SPDX-License-Identifier: MIT
// Every kernel of the laboratory with every launch variant, against a direct loop; and the detection of incorrect maps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/gl/info.hpp"
#include "core/lab/exactness.hpp"
#include "core/lab/gl/kernels.hpp"
#include "core/lab/kernel.hpp"
#include "core/lab/pairs.hpp"
#include "core/lab/simplex_variants.hpp"
#include "core/maps/maps.hpp"
#include "tests/support/needs_device.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

struct KernelCase {
    std::string_view id;
    MakeLabKernel make;
    int dimensions;
    bool device;
    std::uint32_t order = 2;
    bool gl = false;
};
void PrintTo(const KernelCase& c, std::ostream* out) { *out << c.id; }

std::vector<KernelCase> every_kernel() {
    return {{"dummy_cpu", cpu_dummy, 0, false},
            {"edm_1_cpu", cpu_edm, 1, false},
            {"edm_2_cpu", cpu_edm, 2, false},
            {"edm_3_cpu", cpu_edm, 3, false},
            {"edm_4_cpu", cpu_edm, 4, false},
            {"collision_1_cpu", cpu_collision, 1, false},
            {"collision_3_cpu", cpu_collision, 3, false},
            {"collision_pairs_1_cpu", cpu_collision_pairs, 1, false},
            {"collision_pairs_3_cpu", cpu_collision_pairs, 3, false},
            {"collision_rows_1_cpu", cpu_collision_rows, 1, false},
            {"collision_rows_3_cpu", cpu_collision_rows, 3, false},
            {"automaton_cpu", cpu_automaton, 0, false},
            {"automaton_cuda", cuda_automaton, 0, true},
            {"triplet_cpu", cpu_triplet, 0, false, 3},
            {"triplet_cuda", cuda_triplet, 0, true, 3},
            {"quadruplet_cpu", cpu_quadruplet, 0, false, 4},
            {"quadruplet_cuda", cuda_quadruplet, 0, true, 4},
            {"dummy_cuda", cuda_dummy, 0, true},
            {"edm_1_cuda", cuda_edm, 1, true},
            {"edm_2_cuda", cuda_edm, 2, true},
            {"edm_3_cuda", cuda_edm, 3, true},
            {"edm_4_cuda", cuda_edm, 4, true},
            {"collision_1_cuda", cuda_collision, 1, true},
            {"collision_3_cuda", cuda_collision, 3, true},
            {"collision_pairs_1_cuda", cuda_collision_pairs, 1, true},
            {"collision_pairs_3_cuda", cuda_collision_pairs, 3, true},
            {"collision_rows_1_cuda", cuda_collision_rows, 1, true},
            {"collision_rows_3_cuda", cuda_collision_rows, 3, true},
            {"dummy_gl", gl_dummy, 0, false, 2, true},
            {"edm_1_gl", gl_edm, 1, false, 2, true},
            {"edm_2_gl", gl_edm, 2, false, 2, true},
            {"edm_3_gl", gl_edm, 3, false, 2, true},
            {"edm_4_gl", gl_edm, 4, false, 2, true},
            {"collision_1_gl", gl_collision, 1, false, 2, true},
            {"collision_3_gl", gl_collision, 3, false, 2, true},
            {"collision_pairs_1_gl", gl_collision_pairs, 1, false, 2, true},
            {"collision_pairs_3_gl", gl_collision_pairs, 3, false, 2, true},
            {"collision_rows_1_gl", gl_collision_rows, 1, false, 2, true},
            {"collision_rows_3_gl", gl_collision_rows, 3, false, 2, true}};
}

std::uint32_t rho_of(std::uint32_t order) { return order == 4 ? kQuadrupleRho : order == 3 ? kTripleRho : 16; }
FormId form_for(std::uint32_t order) {
    return order == 4 ? form4_id<Rooted<Halves4>> : order == 3 ? form3_id<Hadouken3> : form_id<Lut>;
}

class EveryLabKernel : public ::testing::TestWithParam<KernelCase> {
protected:
    void SetUp() override {
        if (GetParam().device && !cuda_info().available) skip_or_fail(cuda_info().reason);
        if (GetParam().gl && !gl_compute_info().available) skip_or_fail(gl_compute_info().reason);
    }
};

TEST_P(EveryLabKernel, IsCorrectForEveryLaunchVariant) {
    const auto& [id, make, dimensions, device, order, gl] = GetParam();
    std::vector<std::uint32_t> of_pairs{1, 2, 31, 32, 33, everyday(300u, 500u)}, of_triples{1, 2, 8, 9, 31, 64},
        of_quadruples{1, 2, 4, 5, 17, 33};
    const std::vector<std::uint32_t> strips{1, 3, kDefaultStrip, kLongestStrip};
    if (runs_long()) of_pairs.insert(of_pairs.end(), {512, 1000}), of_triples.insert(of_triples.end(), {100, 120});
    if (runs_long()) of_quadruples.insert(of_quadruples.end(), {60, 64});
    std::vector<std::uint32_t> rhos{8, 16, 32};
    if (order > 2) rhos = {rho_of(order)};
    // On OpenGL each form, root and ρ is a shader, and software takes long to compile it: every day, the roots take
    // turns.
    const bool few = gl && !runs_long();
    if (few) rhos = {dimensions == 1 ? 8u : 16u}, of_pairs = {1, 33, 300};
    for (const std::uint32_t rho : rhos)
        for (const std::uint32_t bodies : order == 4 ? of_quadruples : order == 3 ? of_triples : of_pairs) {
            const auto kernel = make({bodies, rho, dimensions});
            for (const LabForm& form : lab_forms()) {
                if (form.order != order || (order == 3 && form.for_study)) continue;
                if ((form.strips || form.clusters) && gl) continue;  // not on OpenGL
                if (form.clusters && device && cuda_info().devices.front().major < 9) continue;
                for (const std::uint32_t strip : form.strips ? strips : std::vector{kDefaultStrip})
                    for (const RootEntry& root : roots()) {
                        const auto turn = static_cast<std::size_t>(&form - lab_forms().data()) % roots().size();
                        if (few && form.takes_root && &root != &roots()[turn]) continue;
                        const LabCheck check = kernel->check({form.form, root.root, strip});
                        // The exact range of a published form depends on the roots of the OpenGL driver.
                        if (gl && form.for_study && !check.right && form.map &&
                            first_wrong_row({form.map->map, root.root}, bodies, Backend::kGl) <
                                (bodies + rho - 1) / rho)
                            continue;
                        EXPECT_TRUE(check.right) << form.id << ' ' << root.id << ", k = " << strip << ", N = " << bodies
                                                 << ", rho = " << rho << ": " << check.why;
                        if (!form.takes_root) break;
                    }
            }
        }
}

TEST_P(EveryLabKernel, MeasuresTheRequestedNumberOfRuns) {
    const std::uint32_t order = GetParam().order;
    const auto kernel = GetParam().make({order == 4 ? 64u : 256u, rho_of(order), GetParam().dimensions});
    const auto times = kernel->seconds({form_for(order)}, 5);
    ASSERT_EQ(times.size(), 5u);
    for (const double seconds : times) EXPECT_GT(seconds, 0);
    EXPECT_EQ(kernel->clock_mhz() > 0, GetParam().device);
}

TEST_P(EveryLabKernel, StopsBetweenRuns) {
    const std::uint32_t order = GetParam().order;
    const auto kernel = GetParam().make({order == 4 ? 64u : 256u, rho_of(order), GetParam().dimensions});
    int asked = 0;
    const auto times = kernel->seconds({form_for(order)}, 50, [&] { return ++asked > 3; });
    EXPECT_EQ(times.size(), 3u);
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryLabKernel, ::testing::ValuesIn(every_kernel()),
                         [](const auto& each) { return std::string{each.param.id}; });

// UTM with a root in float misses pairs from n = 5794 on: docs/maps.md.
TEST(LabKernel, DetectsPairsMissedByAnIncorrectMap) {
    for (const MakeLabKernel make : {cpu_dummy, cpu_edm}) {
        const auto kernel = make({5793, 16, 1});
        const LabCheck check = kernel->check({form_id<Rooted<UtmThreads>>, root_id<SqrtRoot>});
        EXPECT_FALSE(check.right);
        EXPECT_THAT(check.why, ::testing::HasSubstr("missing"));
        if (make == cpu_edm && !runs_long()) continue;  // the same map
        EXPECT_TRUE(kernel->check({form_id<Rooted<UtmThreads>>, root_id<Fp64Root>}).right);
    }
}

/// The kernel writes overlaps alone, and none of the pairs that this map leaves out overlaps.
TEST(LabKernel, DetectsPairsMissedByAMapWhereOnlyOverlapsAreWritten) {
    const auto kernel = cpu_collision_rows({5793, 16, 3});
    const LabCheck check = kernel->check({form_id<Rooted<UtmThreads>>, root_id<NewtonRoot>});
    EXPECT_FALSE(check.right);
    EXPECT_THAT(check.why, ::testing::HasSubstr("pairs missing"));
    EXPECT_TRUE(kernel->check({form_id<RectangularRows>}).right);
}

/// Calls work(tile) for each tile of each block of a form in strips.
template <class Form, class Work>
void for_tiles_of(const Form& form, std::uint32_t rows, const Work& work) {
    form.launches(rows, [&](Extent blocks, const Form& find) {
        for (std::uint32_t y = 0; y < blocks.y; ++y)
            for (std::uint32_t x = 0; x < blocks.x; ++x) for_tiles(find, GridPosition{x, y, 0}, rows, work);
    });
}

TEST(LabForms, StripsCoverEveryTileOnce) {
    for (std::uint32_t rows = 1; rows <= 70; ++rows)
        for (const std::uint32_t k : {1u, 2u, 3u, 5u, 8u, 16u, 64u, 1024u}) {
            const auto expect_complete = [&](const auto& form) {
                std::vector<int> visits(triangular(rows));
                for_tiles_of(form, rows, [&](Tile tile) {
                    ASSERT_TRUE(useful(tile, rows)) << rows << ' ' << k;
                    ++visits[triangular(tile.row) + tile.col];
                });
                EXPECT_EQ(std::ranges::count(visits, 1), std::ssize(visits)) << form.id << ' ' << rows << ' ' << k;
            };
            expect_complete(LambdaStrip{k}), expect_complete(RectangularStrip{k}), expect_complete(BoundingStrip{k});
        }
}

/// At the most rows of the laboratory, where the root has the most digits: strips that begin and end at ends of rows.
TEST(LabForms, StripsOfLambdaAreExactAtTheMostRows) {
    for (const std::uint32_t k : {2u, 8u, 1000u})
        for (std::uint32_t row = kNarrowRows - 40; row < kNarrowRows; ++row)
            for (const std::uint64_t at : {triangular(row) - 1, triangular(row), triangular(row + 1) - 1}) {
                const auto block = static_cast<std::uint32_t>(at / k);
                std::uint64_t next = std::uint64_t{block} * k;
                for_tiles(LambdaStrip{k}, GridPosition{block, 0, 0}, kNarrowRows, [&](Tile tile) {
                    ASSERT_EQ(triangular(tile.row) + tile.col, next) << row << ' ' << k;
                    ++next;
                });
                EXPECT_EQ(next, std::min(std::uint64_t{block + 1} * k, triangular(kNarrowRows)));
            }
}

/// At the ends of rows a block steps to the tile that its own root gives.
TEST(LabForms, ClustersHaveTheTilesOfLambda) {
    for (std::uint32_t rows = 1; rows <= 70; ++rows)
        LambdaCluster{}.launches(rows, [&](Extent blocks, LambdaCluster find) {
            ASSERT_EQ(blocks.x % LambdaCluster::cluster, 0u);
            Tile tile{};
            for (std::uint32_t x = 0; x < blocks.x; ++x) {
                if (x % LambdaCluster::cluster == 0) tile = find(GridPosition{x, 0, 0}, rows);
                ASSERT_EQ(find(GridPosition{x, 0, 0}, rows), tile) << rows << ' ' << x;
                ASSERT_EQ(find.idles(tile, rows), x >= triangular(rows));
                if (++tile.col > tile.row) tile = {tile.row + 1, 0};
            }
        });
}

/// k tiles per block: the launch is shorter by k, except where strips end.
TEST(LabForms, StripsLaunchFewerBlocks) {
    constexpr std::uint32_t kRows = 1920, kTiles = kRows * (kRows + 1) / 2;
    for (const std::uint32_t k : {1u, 2u, 8u, 64u, 1024u}) {
        const auto blocks = [&](FormId form) {
            return launch_counts({.form = form, .strip = k}, 16 * kRows, 16).blocks;
        };
        EXPECT_EQ(blocks(form_id<LambdaStrip>), (kTiles + k - 1) / k);
        EXPECT_EQ(blocks(form_id<RectangularStrip>), std::uint64_t{(kRows / 2 + k - 1) / k} * (kRows + 1));
        EXPECT_EQ(blocks(form_id<BoundingStrip>), std::uint64_t{(kRows + k - 1) / k} * kRows);
    }
}

/// The repair in integers has no such limit.
TEST(LabKernel, UtmWithAnIntegerRadicandHasNoLimit) {
    // The kernels use the same map: in the everyday run the second is checked with one root only.
    for (const MakeLabKernel make : {cpu_dummy, cpu_collision_pairs}) {
        const auto kernel = make({5793, 16, 1});
        const std::size_t asked = make == cpu_dummy ? roots().size() : everyday<std::size_t>(1, roots().size());
        for (const RootEntry& root : roots().first(asked))
            EXPECT_TRUE(kernel->check({form_id<Rooted<UtmThreadsExact>>, root.root}).right) << root.id;
    }
}

/// As published, the first triple of layer 3 falls into layer 2; with ε in float, layers up to 131 are correct.
TEST(LabKernel, FindsTheLimitOfThePublishedTetrahedralMap) {
    const auto small = cpu_triplet({32, kTripleRho});
    constexpr FormId published = form3_id<Lambda3AsPublished<float, false>>,
                     epsilon = form3_id<Lambda3AsPublished<float, true>>;
    EXPECT_TRUE(cpu_triplet({24, kTripleRho})->check({published}).right);
    EXPECT_FALSE(small->check({published}).right);
    EXPECT_TRUE(small->check({epsilon}).right);
    if (!runs_long()) return;  // every day, Exactness.MatchesTheTableUsedByEngines finds this limit
    const auto large = cpu_triplet({1064, kTripleRho});
    EXPECT_TRUE(cpu_triplet({1056, kTripleRho})->check({epsilon}).right);
    EXPECT_FALSE(large->check({epsilon}).right);
    EXPECT_TRUE(large->check({form3_id<Lambda3Table>}).right);
}

/// Every tuple of tiles from exactly one block, for each side up to 33 (17 every day) and the largest of the
/// laboratory.
TEST(LabForms, MapsOfTheFourSimplexCoverEveryQuadrupleOnce) {
    std::vector<std::uint32_t> sides{kMostLabQuadrupleBodies / kQuadrupleRho};
    for (std::uint32_t side = 1; side <= everyday(17u, 33u); ++side) sides.push_back(side);
    for (const std::uint32_t side : sides)
        for (const LabForm& form : lab_forms())
            for (const RootEntry& root : roots()) {
                if (form.order != 4 || form.for_study) break;
                if (side > 100 && form.form == form4_id<HypercubeOfBlocks>) break;  // 268 million blocks
                // Exactness scans all layers with other roots.
                if (side > 100 && root.id != roots().front().id && !runs_long()) break;
                std::vector<bool> found(simplex4(side));
                std::uint64_t useful_tiles = 0;
                with_form4({form.form, root.root}, [&](auto map) {
                    map.launches(side, [&](Extent blocks, auto find) {
                        for (std::uint32_t z = 0; z < blocks.z; ++z)
                            for (std::uint32_t y = 0; y < blocks.y; ++y)
                                for (std::uint32_t x = 0; x < blocks.x; ++x) {
                                    const TileQuadruple t = find(GridPosition{x, y, z}, side);
                                    if (find.idles(t, side)) continue;
                                    ASSERT_TRUE(useful(t, side)) << form.id << ' ' << side;
                                    ++useful_tiles, found[exact::index_of(t)] = true;
                                }
                    });
                });
                EXPECT_EQ(useful_tiles, found.size()) << form.id << ' ' << root.id << ' ' << side;
                EXPECT_EQ(std::ranges::count(found, true), std::ssize(found)) << form.id << ' ' << root.id;
                if (!form.takes_root) break;
            }
}

/// By hand: a block of four is still, a blinker turns, and both touch the diagonal and the edge.
TEST(LabKernel, StepsTheGameOfLife) {
    const LifeBoard board{8};
    std::vector<std::uint8_t> cells(board.bytes());
    for (const auto& [i, j] : {std::pair{1, 0}, {1, 1}, {2, 0}, {2, 1}, {5, 3}, {6, 3}, {7, 3}})
        cells[board.place(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j))] = 1;
    std::set<std::pair<std::uint32_t, std::uint32_t>> living;
    for (std::uint32_t i = 0; i < 8; ++i)
        for (std::uint32_t j = 0; j <= i; ++j)
            if (stepped_cell(cells.data() + board.place(i, j), board.pitch())) living.insert({i, j});
    EXPECT_EQ(living, (std::set<std::pair<std::uint32_t, std::uint32_t>>{
                          {1, 0}, {1, 1}, {2, 0}, {2, 1}, {6, 2}, {6, 3}, {6, 4}}));
}

/// z / side by a product, for every z of the largest hypercube.
TEST(LabForms, TheHypercubeDividesExactly) {
    for (std::uint32_t side = 1; side <= kMostLabQuadrupleBodies / kQuadrupleRho; ++side)
        HypercubeOfBlocks{}.launches(side, [&](Extent blocks, HypercubeOfBlocks find) {
            for (std::uint32_t z = 0; z < blocks.z; ++z)
                ASSERT_TRUE(find(GridPosition{0, 0, z}, side) == (TileQuadruple{0, 0, z % side, z / side})) << side;
        });
}

/// By counting: launched threads minus those with work.
TEST(LabForms, CountLaunchedAndWastedThreads) {
    for (const std::uint32_t bodies : {1u, 16u, 100u, 512u, 1000u}) {
        const std::uint64_t rows = (bodies + 15) / 16, tiles = rows * (rows + 1) / 2, pairs = triangular(bodies);
        const LaunchCounts bb = launch_counts({form_id<BoundingBox>}, bodies, 16);
        EXPECT_EQ(bb.blocks, rows * rows);
        EXPECT_EQ(bb.wasted_blocks, rows * (rows - 1) / 2);
        EXPECT_EQ(bb.wasted_threads, rows * rows * 256 - pairs);
        for (const LabForm& form : lab_forms()) {
            if (form.order > 2) continue;
            const LaunchCounts counts = launch_counts({form.form}, bodies, 16);
            EXPECT_GE(counts.launches, 1u) << form.id;
            EXPECT_EQ(counts.threads, counts.blocks * 256) << form.id;
            if (form.strips) {  // a thread has several pairs
                EXPECT_EQ(counts.wasted_threads, counts.wasted_blocks * 256) << form.id;
                EXPECT_EQ(counts.wasted_blocks == 0, form.id != "bb-strip" || rows <= kDefaultStrip) << form.id;
                continue;
            }
            EXPECT_EQ(counts.wasted_threads, counts.threads - pairs) << form.id;
            if (form.id == "lambda") {
                EXPECT_EQ(counts.blocks, tiles);
                EXPECT_EQ(counts.wasted_blocks, 0u);
            }
        }
    }
}

TEST(LabKernel, VerdictNamesTheError) {
    EXPECT_TRUE(dummy_verdict(10, 10, 0, 6, 4).right);
    EXPECT_THAT(dummy_verdict(10, 9, 0, 6, 4).why, ::testing::HasSubstr("1 of 10"));
    EXPECT_THAT(dummy_verdict(10, 10, 2, 6, 4).why, ::testing::HasSubstr("twice"));
    EXPECT_FALSE(dummy_verdict(10, 10, 0, 7, 4).right) << "the largest i + j is 6";
    EXPECT_FALSE(edm_verdict(1, 0).right);
    EXPECT_FALSE(edm_verdict(0, 1).right);
    EXPECT_FALSE(collision_verdict(1, 5, 5).right);
    EXPECT_FALSE(collision_verdict(0, 4, 5).right);
}

TEST(LabKernel, DetectsAnUnexpectedFlag) {
    for (const bool every_pair : {true, false})
        for (const bool collides : {true, false})
            for (const int flag : {0, 1, int{kUnwritten}}) {
                const auto byte = static_cast<std::uint8_t>(flag);
                const bool right = every_pair ? flag == (collides ? 1 : 0) : flag == (collides ? 1 : kUnwritten);
                EXPECT_EQ(flag_is_right(byte, true, collides, every_pair), right) << flag;
                EXPECT_EQ(flag_is_right(byte, false, collides, every_pair), flag != 1 && (every_pair || flag != 0));
            }
}

TEST(LabKernel, CollidesWithTheExpectedProbability) {
    const auto bodies = lab_bodies(2000);
    std::size_t along = 0, inside = 0, pairs = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t j = 0; j < i; ++j, ++pairs) {
            const Vec4f a = bodies[i], b = bodies[j];
            along += std::abs(a.x - b.x) < a.w + b.w;
            inside += std::hypot(a.x - b.x, a.y - b.y, a.z - b.z) < a.w + b.w;
        }
    // Mean reach 2·(r₁ + r₂) = 0.1, minus the part outside the box; mean volume 4π/3·(r₁ + r₂)³ = 7.9e-4.
    EXPECT_NEAR(static_cast<double>(along) / static_cast<double>(pairs), 0.098, 0.005);
    EXPECT_NEAR(static_cast<double>(inside) / static_cast<double>(pairs), 7.5e-4, 1e-4);
}

}  // namespace
}  // namespace orrery::test
