// SPDX-License-Identifier: MIT
// The parts of the `tree-locks` kernels on the host: index arithmetic, and the tree that threads build with locks. The
// kernels themselves are tested in locks_cuda_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <tuple>

#include "core/bodies/body_system.hpp"
#include "core/bodies/sampling.hpp"
#include "tests/core/engines/locks_host.hpp"
#include "tests/support/every_engine.hpp"

namespace orrery::test {
namespace {

using namespace cuda;

GridPoint somewhere(std::mt19937_64& random) {
    std::uniform_int_distribution<std::uint32_t> any{0, kKeyCells - 1};
    return {any(random), any(random), any(random)};
}

TEST(LocksIndex, FindsTheSmallestCommonCell) {
    std::mt19937_64 random{1};
    for (int i = 0; i < 5000; ++i) {
        const GridPoint a = somewhere(random);
        GridPoint b = somewhere(random);
        const int shared = static_cast<int>(random() % (kBagLevel + 1));  // at least this many levels in common
        const std::uint32_t low = (1u << (kBagLevel - shared)) - 1;
        b = {(a.x & ~low) | (b.x & low), (a.y & ~low) | (b.y & low), (a.z & ~low) | (b.z & low)};
        const int level = level_of_both(a, b);
        ASSERT_GE(level, shared);
        ASSERT_EQ(corner_of(a, level), corner_of(b, level));
        for (int above = 0; above < level; ++above) ASSERT_EQ(octant_of(a, above), octant_of(b, above));
        if (level < kBagLevel) {
            ASSERT_NE(octant_of(a, level), octant_of(b, level));
        } else {
            ASSERT_EQ(a, b);
        }
    }
    EXPECT_EQ(level_of_both({0, 0, 0}, {kKeyCells - 1, 0, 0}), 0);
    EXPECT_EQ(level_of_both({8, 0, 5}, {9, 0, 5}), kBagLevel - 1);
    EXPECT_EQ(octant_of({1u << (kKeyLevels - 1), 0, 0}, 0), 4u);
    EXPECT_EQ(octant_of({0, 0, 1}, kBagLevel - 1), 1u);
    EXPECT_EQ(corner_of({13, 6, 7}, kBagLevel - 2), (GridPoint{12, 4, 4}));
}

TEST(LocksIndex, BagEntriesSortByCellThenBody) {
    EXPECT_LT(bag_entry(3, 0xffffffffu), bag_entry(4, 0));
    EXPECT_LT(bag_entry(0x80000000u, 6), bag_entry(0x80000000u, 7));
    EXPECT_EQ(cell_of_entry(bag_entry(0xfffffff0u, 5)), 0xfffffff0u);
    EXPECT_EQ(body_of_entry(bag_entry(7, 0xfffffff1u)), 0xfffffff1u);
}

TEST(LocksIndex, CapacityAtLeastDoubles) {
    EXPECT_EQ(more_room(100, 130), 200u);
    EXPECT_EQ(more_room(100, 900), 900u);
    EXPECT_GE(first_room(1), 1u);
}

Bodies close_pairs(std::size_t pairs) {
    Bodies bodies = ball(pairs);
    for (std::size_t i = 0; i < pairs; ++i) {
        const Vec4d b = bodies.position_mass[i];
        bodies.add({b.x + 5e-6, b.y, b.z}, {}, b.w);
    }
    return bodies;
}
Bodies at_one_place(std::size_t count) {
    Bodies bodies;
    for (std::size_t i = 0; i < count; ++i) bodies.add({1, 2, 3}, {}, 1 + 0.1 * static_cast<double>(i % 7));
    return bodies;
}
Bodies with_a_crowd(std::size_t count) {
    Bodies bodies = ball(count);
    for (std::size_t i = 0; i < count; i += 3) bodies.position_mass[i] = {0.1, 0.2, 0.3, 1e-3};
    return bodies;
}
Bodies on_a_line(std::size_t count) {
    Bodies bodies;
    for (std::size_t i = 0; i < count; ++i) bodies.add({1e-3 * static_cast<double>(i), 0, 0}, {}, 1);
    return bodies;
}
std::vector<Bodies> all_kinds() {
    return {ball(1),           ball(2),           ball(33),        ball(3000),      close_pairs(500),
            at_one_place(700), with_a_crowd(999), on_a_line(1000), at_one_place(1), at_one_place(2)};
}

template <class Real>
class LocksTreeOnHost : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(LocksTreeOnHost, Reals);

using Cell = std::tuple<int, std::uint32_t, std::uint32_t, std::uint32_t>;
Cell cell_at(GridPoint at, int level) {
    const GridPoint c = corner_of(at, level);
    return {level, c.x, c.y, c.z};
}

/// Every cell with at least two bodies, and the root in any case, with its number of bodies.
template <class Real>
std::map<Cell, std::uint32_t> cells_by_counting(const LocksTree<Real>& tree) {
    std::map<Cell, std::uint32_t> cells;
    for (std::uint32_t i = 0; i < tree.count; ++i)
        for (int level = 0; level <= kBagLevel; ++level) ++cells[cell_at(tree.units->place(tree.bodies[i]), level)];
    std::erase_if(cells, [](const auto& cell) { return cell.second < 2 && std::get<0>(cell.first) > 0; });
    return cells;
}

TYPED_TEST(LocksTreeOnHost, HasExactlyTheCellsWithTwoOrMoreBodies) {
    for (const Bodies& bodies : all_kinds())
        for (const unsigned threads : {1u, 4u}) {
            const HostLocks<TypeParam> host{bodies, {}, 0.5, threads};
            const auto& tree = host.tree();
            auto wanted = cells_by_counting(tree);
            ASSERT_EQ(host.counts().cells, wanted.size()) << bodies.size() << " bodies";
            for (std::uint32_t cell = 0; cell < host.counts().cells; ++cell) {
                const GridPoint at = tree.units->place(tree.bodies[tree.witness[cell]]);
                const auto found = wanted.extract(cell_at(at, tree.level[cell]));
                ASSERT_FALSE(found.empty()) << "duplicate cell, or cell of one body, level " << int{tree.level[cell]};
                ASSERT_EQ(tree.bodies_in[cell], found.mapped());
                if (tree.level[cell] == kBagLevel) continue;
                for (unsigned octant = 0; octant < 8; ++octant)
                    if (tree.is_cell(tree.child(cell, octant))) {
                        ASSERT_GT(tree.cell_at(tree.child(cell, octant)), cell) << "otherwise kernel 3 would deadlock";
                    }
            }
            EXPECT_TRUE(wanted.empty());
        }
}

TYPED_TEST(LocksTreeOnHost, SortsBodiesByOctantPath) {
    for (const Bodies& bodies : all_kinds()) {
        const HostLocks<TypeParam> host{bodies, {}, 0.5, 3};
        const auto& tree = host.tree();
        const auto path = [&](std::uint32_t body) {
            const GridPoint at = tree.units->place(tree.bodies[body]);
            std::vector<unsigned> octants;
            for (int level = 0; level < kBagLevel; ++level) octants.push_back(octant_of(at, level));
            return std::pair{octants, body};  // bodies in one bag are ordered by index
        };
        ASSERT_EQ(std::ranges::count(host.order(), ~0u), 0) << "some rank is unassigned";
        for (std::size_t k = 1; k < host.order().size(); ++k)
            ASSERT_LT(path(host.order()[k - 1]), path(host.order()[k])) << k;
    }
}

TYPED_TEST(LocksTreeOnHost, GrowsMemoryWhenTooSmall) {
    for (const Bodies& bodies : {ball(2000), close_pairs(500), at_one_place(300)}) {
        const HostLocks<TypeParam> roomy{bodies, {}, 0.5, 2, 50000}, tight{bodies, {}, 0.5, 2, 1};
        EXPECT_EQ(roomy.builds(), 1);
        EXPECT_GT(tight.builds(), 1);
        EXPECT_EQ(tight.counts().cells, roomy.counts().cells);
        EXPECT_EQ(tight.order(), roomy.order());
        EXPECT_EQ(tight.walk(), roomy.walk());
    }
    const HostLocks<TypeParam> pairs{close_pairs(500), {}, 0.5, 2};
    EXPECT_GT(pairs.builds(), 1) << "close pairs need more than a cell for each body";
}

TYPED_TEST(LocksTreeOnHost, IsBitwiseEqualForAnyThreadOrder) {
    for (const Bodies& bodies : {ball(3000), with_a_crowd(2000), close_pairs(400)}) {
        const auto wanted = HostLocks<TypeParam>{bodies, {.softening = 0.01}, 0.7, 1}.walk();
        for (int run = 0; run < 5; ++run)
            ASSERT_EQ((HostLocks<TypeParam>{bodies, {.softening = 0.01}, 0.7, 4}.walk()), wanted) << run;
    }
}

double error_of(const std::vector<Vec4d>& found, const Bodies& bodies, const Gravity& gravity) {
    const EngineConfig reference{.engine = "reference", .precision = Precision::kDouble};
    return compare(found, accelerations(reference, bodies, gravity)).rms;
}

TYPED_TEST(LocksTreeOnHost, BecomesTheDirectSumWhenItOpensEverything) {
    const auto precision = sizeof(TypeParam) == 4 ? Precision::kSingle : Precision::kDouble;
    for (const double softening : {0.0, 0.02})
        for (const Bodies& kind : {ball(777), with_a_crowd(600), close_pairs(200), on_a_line(300)}) {
            const Bodies bodies = rounded(kind, precision);
            const Gravity gravity{.constant = 1.5, .softening = softening};
            const HostLocks<TypeParam> host{bodies, gravity, 1e-12, 2};
            EXPECT_LE(error_of(host.walk(), bodies, gravity), sizeof(TypeParam) == 4 ? 1e-6 : 1e-12) << softening;
            EXPECT_EQ(host.with_cells, 0u);
        }
}

TYPED_TEST(LocksTreeOnHost, NeverAcceptsACellThatContainsTheBody) {
    // The cell from 0 to 2 holds the first body; its centre of mass, at the other end, is far enough away at θ = 2.
    Bodies bodies;
    bodies.add({0, 0, 0}, {}, 100);
    for (int i = 0; i < 40; ++i) bodies.add({1.9 - 1e-3 * i, 1.9, 1.9}, {}, 100);
    bodies.add({4, 4, 4}, {}, 0);
    const Gravity gravity{.softening = 0.01};
    const auto found = HostLocks<TypeParam>{bodies, gravity, 2, 1}.walk(1);
    const EngineConfig reference{.engine = "reference", .precision = Precision::kDouble};
    const auto wanted = accelerations(reference, bodies, gravity);
    EXPECT_NEAR(found[0].x / wanted[0].x, 1, 1e-3) << "accepting the cell would add a fortieth from its own mass";
}

TYPED_TEST(LocksTreeOnHost, NeverOverflowsTheStack) {
    // On the path to the last corner every cell has a pair in each other octant: each opened cell leaves seven on the
    // stack.
    Bodies bodies;
    for (int level = 1; level < kBagLevel; ++level)
        for (unsigned octant = 1; octant < 8; ++octant)
            for (const double off : {0.4, 0.6}) {
                const double side = std::ldexp(1.0, -level);
                const auto at = [&](unsigned bit) { return 1 - side * ((octant >> bit & 1) + off); };
                bodies.add({at(2), at(1), at(0)}, {}, 1);
            }
    bodies.add({0, 0, 0}, {}, 1), bodies.add({1, 1, 1}, {}, 1);
    const HostLocks<TypeParam> host{bodies, {.softening = 1e-3}, 1e-9, 2};
    host.walk();
    EXPECT_GT(host.highest_stack, 100u);
    EXPECT_LE(host.highest_stack, static_cast<std::size_t>(kStackRoom));
}

TYPED_TEST(LocksTreeOnHost, WorksAtAnyScale) {
    for (const double scale : {1e-15, 1e-6, 1e6, 1e15})
        for (const double mass : {1e-6, 1e12}) {
            Bodies bodies = ball(800);
            for (Vec4d& b : bodies.position_mass) b = {scale * b.x, scale * b.y, scale * b.z, mass * b.w};
            const Gravity gravity{.constant = scale * scale / mass, .softening = 0.02 * scale};
            const auto found = HostLocks<TypeParam>{bodies, gravity, 0.5, 1}.walk();
            EXPECT_LE(error_of(found, bodies, gravity), 7e-3) << scale << ' ' << mass;
        }
}

TYPED_TEST(LocksTreeOnHost, HandlesMasslessBodies) {
    Bodies bodies = ball(500);
    for (std::size_t i = 0; i < 300; ++i) bodies.position_mass[i].w = 0;
    EXPECT_LE(error_of(HostLocks<TypeParam>{bodies, {.softening = 0.05}, 0.5, 1}.walk(), bodies, {.softening = 0.05}),
              7e-3);
    for (Vec4d& body : bodies.position_mass) body.w = 0;
    for (const Vec4d& a : HostLocks<TypeParam>{bodies, {}, 0.5, 1}.walk()) ASSERT_EQ(a, (Vec4d{0, 0, 0, 0}));
}

TYPED_TEST(LocksTreeOnHost, TerminatesWithNonFiniteBodies) {
    Bodies lost = ball(300), away = ball(300);
    lost.position_mass[7] = {NAN, NAN, NAN, 1};
    for (Vec4d& body : away.position_mass) body.x = INFINITY;
    for (const Bodies& bodies : {lost, away}) {
        const HostLocks<TypeParam> host{bodies, {.softening = 0.01}, 0.5, 2};
        EXPECT_EQ(host.walk().size(), 300u);
        EXPECT_EQ(std::ranges::count(host.order(), ~0u), 0);
    }
}

/// A ball of 200 bodies with radius 1e-6, within which floats resolve few positions, in a ball of size 1; and a pair
/// 1e-7 apart.
TEST(LocksOfSplitPositions, ResolveDistancesBelowFloatPrecision) {
    Bodies bodies = ball(300);
    for (const Vec4d& b : ball(200, 8).position_mass) bodies.add({1 + 1e-6 * b.x, 1e-6 * b.y, 1e-6 * b.z}, {}, b.w);
    const Vec4d first = bodies.position_mass[0];
    bodies.add({first.x + 1e-7, first.y, first.z}, {}, first.w);
    for (const Gravity gravity : {Gravity{.softening = 0}, Gravity{.softening = 1e-7}})
        for (const double theta : {0.3, 0.5, 1.0}) {
            const auto wanted =
                accelerations({.engine = "reference", .precision = Precision::kDouble}, bodies, gravity);
            const auto error = [&](const std::vector<Vec4d>& found, std::ptrdiff_t from, std::ptrdiff_t to) {
                return compare(std::vector(found.begin() + from, found.begin() + to),
                               std::vector(wanted.begin() + from, wanted.begin() + to))
                    .rms;
            };
            const auto exact = HostLocks<double>{bodies, gravity, theta, 2}.walk();
            const auto split = HostLocks<float>{bodies, gravity, theta, 2, std::nullopt, true}.walk();
            const auto whole = HostLocks<float>{bodies, gravity, theta, 2}.walk();
            EXPECT_LE(error(split, 300, 500), 1.3 * error(exact, 300, 500) + 5e-6) << "θ " << theta;
            EXPECT_GT(error(whole, 300, 500), 0.03) << "θ " << theta;
            EXPECT_LE(error(split, 500, 501), 1e-5) << "θ " << theta;
            EXPECT_GT(error(whole, 500, 501), 0.01) << "θ " << theta;
        }
}

/// The criterion of the thesis: a smaller cutoff opens fewer cells and gives a larger error.
TEST(LocksCutoff, LargerCutoffGivesSmallerError) {
    const Bodies bodies = ball(2000);
    const auto wanted =
        accelerations({.engine = "reference", .precision = Precision::kDouble}, bodies, {.softening = 0.01});
    double before = 1;
    for (const double cutoff : {0.25, 0.5, 1.0, 100.0}) {
        EngineConfig config{.engine = "tree-locks", .precision = Precision::kDouble};
        config.tree.cutoff = cutoff;
        const double rms = compare(accelerations(config, bodies, {.softening = 0.01}), wanted).rms;
        EXPECT_LT(rms, before) << cutoff;
        before = rms;
    }
    EXPECT_LT(before, 1e-13) << "a cutoff beyond all bodies opens every cell";
}

/// A tree small enough to check by hand: the eight corners of a cube.
TEST(LocksOnHost, ReportsItsTree) {
    Bodies bodies;
    for (int corner = 0; corner < 8; ++corner)
        bodies.add({double(corner & 1), double(corner >> 1 & 1), double(corner >> 2)}, {}, 1);
    const auto system = make_body_system({.engine = "tree-locks", .precision = Precision::kDouble}, bodies);
    EXPECT_TRUE(system->engine_cells(100).empty()) << "before the first evaluation";
    system->run_forces(0, system->begin_forces({.softening = 0.1}, Potential::kSkip));
    const EngineReport report = system->engine_report();
    EXPECT_EQ(report.cells, 1u);
    EXPECT_EQ(report.leaves, 1u);
    EXPECT_EQ(report.levels, 1);
    EXPECT_EQ(report.phases.size(), 5u);
    EXPECT_EQ(report.with_bodies, 8) << "each body interacts with all, itself included";
    const auto cells = system->engine_cells(100);
    ASSERT_EQ(cells.size(), 1u);
    EXPECT_EQ(cells[0].bodies, 8u);
    EXPECT_TRUE(cells[0].leaf);
    EXPECT_NEAR(cells[0].low.x, 0, 1e-5);
    EXPECT_GE(cells[0].high.x, 1);
}

}  // namespace
}  // namespace orrery::test
