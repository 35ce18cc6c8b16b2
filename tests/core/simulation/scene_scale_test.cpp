// SPDX-License-Identifier: MIT
#include "core/simulation/compatibility.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/live/world.hpp"
#include "core/presets/presets.hpp"

namespace orrery::test {
namespace {

using testing::HasSubstr;

Scene cluster_at(double distance, double dt = 0.005) {
    Scene scene = make_preset("plummer", {.bodies = 64});
    scene.dt = dt;
    for (Vec4d& body : scene.bodies.position_mass) body.x += distance;
    return scene;
}

TEST(SceneScale, SinglePrecisionResolvesBodiesNearTheOrigin) {
    for (const double distance : {0.0, 10.0, 100.0})
        EXPECT_EQ(unresolved(cluster_at(distance), Precision::kSingle), "");
    EXPECT_EQ(unresolved(cluster_at(0, 1e-9), Precision::kSingle), "") << "a short step alone is accepted";
}

// Energy drifts over 2000 steps of 64 bodies were 1.5e-5 at distance 1000, 3e-3 at 1e4 and 0.4 at 1e5; with steps ten
// times shorter, 7e-4 at 1000.
TEST(SceneScale, SinglePrecisionIsRefusedFarFromTheOrigin) {
    EXPECT_EQ(unresolved(cluster_at(1000), Precision::kSingle), "");
    EXPECT_THAT(unresolved(cluster_at(1000, 0.0005), Precision::kSingle), HasSubstr("1e+03 from the origin"));
    for (const double distance : {1e4, 1e5, 1e8}) {
        const Scene scene = cluster_at(distance);
        EXPECT_THAT(unresolved(scene, Precision::kSingle), HasSubstr("from the origin")) << distance;
        EXPECT_EQ(unresolved(scene, Precision::kMixed), "") << distance;
        EXPECT_EQ(unresolved(scene, Precision::kDouble), "") << distance;
        try {
            require_resolved(scene, Precision::kSingle);
            FAIL() << distance;
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), HasSubstr("use --precision double")) << distance;
        }
    }
}

TEST(SceneScale, ScenesOpenedInTheWindowSwitchToDouble) {
    OpenedScene opened;
    opened.scene = cluster_at(1e5);
    const World far{std::move(opened), {.backend = Backend::kCpu}, nullptr};
    EXPECT_EQ(far.simulation.engine_config().precision, Precision::kDouble);
    ASSERT_EQ(far.simulation.scene().notes.size(), 1u);
    EXPECT_THAT(far.simulation.scene().notes.front(), HasSubstr("computed in double precision"));
}

TEST(SceneScale, RemarksOnImplausibleNumbers) {
    EXPECT_TRUE(oddities(cluster_at(0)).empty());
    EXPECT_THAT(oddities(cluster_at(1e5)), testing::ElementsAre(HasSubstr("times their extent")));
    Scene si;
    si.id = "si.csv";
    si.bodies.add({}, {}, 1.989e30);
    si.bodies.add({1.496e11, 0, 0}, {0, 2.98e4, 0}, 5.97e24);
    si.bodies.add({-7.78e11, 0, 0}, {0, -1.31e4, 0}, 1.9e27);
    EXPECT_THAT(oddities(si), testing::ElementsAre(HasSubstr("G = 1 is assumed; 2K/|W| is then")));
    si.gravity.constant = 6.6743e-11;
    EXPECT_TRUE(oddities(si).empty());
    for (Vec4d& body : si.bodies.position_mass) body.x *= 1e9;
    EXPECT_THAT(oddities(si), testing::ElementsAre(HasSubstr("squares exceed single precision")));
}

TEST(SceneScale, RemarksOnASampleUseTheMassOfAllBodies) {
    Scene sample = cluster_at(0);
    double mass = 0;
    for (Vec4d& body : sample.bodies.position_mass) mass += body.w, body.w *= 1e-6;  // of 64 million bodies, say
    EXPECT_THAT(oddities(sample), testing::ElementsAre(HasSubstr("fly apart")));
    EXPECT_TRUE(oddities(sample, mass).empty());
}

}  // namespace
}  // namespace orrery::test
