// SPDX-License-Identifier: MIT
#include "tests/scaling/domains.hpp"

#include <gtest/gtest.h>

#include "core/presets/presets.hpp"

namespace orrery::test {
namespace {

/// The engine's own walk finds the same interactions, up to the rounding of its fused operations.
TEST(Domains, WalksMatchTheEngine) {
    const Scene scene = make_preset("collision", {.bodies = 20'000});
    const Domains domains{scene.bodies, accelerations({.engine = "tree"}, scene.bodies, scene.gravity), scene.gravity,
                          1e-3};
    WalkCounts engine;
    for (std::size_t g = 0; g < domains.groups().size(); ++g) {
        Vec4<float> sums[kMostGroup];
        const WalkCounts own = walk_group(GroupWalk<float>{.tree = domains.view(),
                                                           .rows = domains.view().bodies,
                                                           .rows_low = nullptr,
                                                           .group = domains.groups()[g],
                                                           .rule = WalkMac::kQuadrupole,
                                                           .acceleration = domains.request(g).acceleration,
                                                           .softening2 = 0,
                                                           .quadrupoles = true,
                                                           .potential = false,
                                                           .sums = sums});
        engine.bodies += own.bodies, engine.cells += own.cells;
    }
    const Visited visited = domains.visit(0, domains.groups().size());
    EXPECT_NEAR(static_cast<double>(visited.taken), static_cast<double>(engine.cells), 1e-3 * double(engine.cells));
    EXPECT_NEAR(static_cast<double>(visited.bodies), static_cast<double>(engine.bodies), 1e-3 * double(engine.bodies));
}

TEST(Domains, ReceiveAllForeignDataTheyVisit) {
    const Scene scene = make_preset("plummer", {.bodies = 5000});
    const Domains domains{scene.bodies, accelerations({.engine = "tree"}, scene.bodies, scene.gravity), scene.gravity,
                          1e-3};
    const std::size_t all = domains.groups().size(), half = all / 2;
    EXPECT_EQ(domains.received(domains.visit(0, all), 0, all).bytes(), 0u) << "a single rank receives nothing";
    const Visited few = domains.visit(0, 1), many = domains.visit(0, half);
    EXPECT_GT(domains.received(few, 0, 1).cells, 0u);
    EXPECT_LT(domains.received(many, 0, half).bodies, domains.bodies() / 2 + 1);
    // One box around all groups of a rank requests more.
    EXPECT_GT(domains.received(domains.visit(0, half, true), 0, half).bytes(), domains.received(many, 0, half).bytes());
}

}  // namespace
}  // namespace orrery::test
