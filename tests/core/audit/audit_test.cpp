// SPDX-License-Identifier: MIT
#include "core/audit/audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "core/formats/formats.hpp"
#include "core/simulation/scene_request.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery {
namespace {

using test::expect_error;
using testing::HasSubstr;
using testing::IsEmpty;

/// A cluster of 200 bodies in eight snapshots 0.02 apart; `fault` changes the scene of snapshot 4.
class AuditOfASeries : public test::Scratch {
protected:
    static EngineConfig engine() {
        return {.engine = "direct", .backend = Backend::kCpu, .precision = Precision::kDouble};
    }
    void run(const std::function<void(Scene&)>& fault = {}) const {
        Scene scene = open_scene({.source = "plummer", .bodies = 200, .softening = 0.1});
        scene.dt = 0.001;
        for (std::size_t i = 0; i < scene.bodies.size(); ++i) scene.bodies.ids.push_back(1000 + i);
        Simulation simulation{scene, engine(), "leapfrog"};
        for (int k = 0; k < 8; ++k) {
            Scene state = present_scene(simulation);
            if (fault && k == 4) fault(state);
            write_snapshot(state, path("s_" + std::to_string(k) + ".csv"));
            for (int step = 0; step < 20; ++step) simulation.step();
        }
    }
    Audit audit(AuditPlan plan = {}) const {
        plan.engine = engine();
        return audit_series({path("s_*.csv").string()}, plan);
    }
};

TEST(SnapshotAudits, EnergyThatNearlyCancelsIsComparedWithItsParts) {
    const SnapshotAudit bound{.kinetic = 1, .potential = -2}, parabolic{.kinetic = 1, .potential = -1};
    EXPECT_NEAR((SnapshotAudit{.kinetic = 1.1, .potential = -2}).energy_change(bound), 0.1, 1e-15);
    EXPECT_NEAR((SnapshotAudit{.kinetic = 1.1, .potential = -1}).energy_change(parabolic), 0.05, 1e-15);
    EXPECT_EQ((SnapshotAudit{.kinetic = 1}).energy_change({}), 0) << "one body at rest";
}

TEST_F(AuditOfASeries, FindsNothingInASoundRun) {
    run();
    const Audit found = audit({.steps = 20});
    EXPECT_EQ(found.snapshots.size(), 8u);
    ASSERT_EQ(found.intervals.size(), 7u);
    EXPECT_THAT(found.findings, IsEmpty());
    for (const IntervalAudit& each : found.intervals) {
        EXPECT_LT(each.position_error, 1e-3);
        EXPECT_LT(each.velocity_error, 0.02);
        EXPECT_LT(each.recomputed_share.value(), 1e-9) << "the same steps";
        EXPECT_EQ(each.jumped, 0u);
    }
    EXPECT_NEAR(found.snapshots.back().energy() / found.snapshots.front().energy(), 1, 1e-4);
}

TEST_F(AuditOfASeries, FindsADisplacedBody) {
    run([](Scene& scene) { scene.bodies.position_mass[17].x += 0.5; });
    const Audit found = audit();
    for (std::size_t k : {3u, 4u}) {
        ASSERT_EQ(found.intervals[k].jumped, 1u);
        EXPECT_EQ(found.intervals[k].jumps[0].body, 17u);
        EXPECT_EQ(found.intervals[k].jumps[0].id, 1017u);
        EXPECT_NEAR(found.intervals[k].jumps[0].distance, 0.5, 0.01);
    }
    EXPECT_EQ(found.intervals[2].jumped, 0u);
    ASSERT_FALSE(found.findings.empty());
    EXPECT_THAT(found.findings, testing::Contains(HasSubstr("body 1017 jumps by 0.5")));
    EXPECT_THAT(audit_html(found), HasSubstr("body 1017 jumps by 0.5"));
}

TEST_F(AuditOfASeries, FindsVelocitiesInOtherUnits) {
    run([](Scene& scene) {
        for (Vec3d& v : scene.bodies.velocity) v = 3.0 * v;
    });
    const Audit found = audit();
    EXPECT_THAT(found.findings, testing::Contains(HasSubstr("positions do not follow from velocities from time 0.06")));
    EXPECT_THAT(found.findings, testing::Contains(HasSubstr("energy changes by")));
}

TEST_F(AuditOfASeries, FindsAnotherGravitationalConstant) {
    run();
    EXPECT_THAT(audit({.constant = 2}).findings,
                testing::Contains(HasSubstr("velocities do not follow from the forces from time 0 to 0.02")));
}

TEST_F(AuditOfASeries, NeedsTwoSnapshots) {
    save("one.csv", "m,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n1,1,0,0,0,0,0\n");
    expect_error([&] { audit_series({path("one.csv").string()}, {.engine = engine()}); }, Blame::kUsage,
                 "expected at least two snapshots");
}

}  // namespace
}  // namespace orrery
