// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "core/bodies/body_system.hpp"
#include "core/formats/formats.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

/// Snapshots written by other programs. They are not in the repository; ORRERY_DATA names their folder.
class RealSnapshots : public testing::Test {
protected:
    static std::filesystem::path data(const std::string& name) {
        const char* folder = std::getenv("ORRERY_DATA");
        return std::filesystem::path{folder ? folder : ORRERY_DATA_DIR} / name;
    }
};

double total_mass(const Bodies& bodies) {
    double sum = 0;
    for (const Vec4d& p : bodies.position_mass) sum += p.w;
    return sum;
}

/// 2K/|W| with G = 1
double virial_ratio(const Bodies& b, double softening) {
    double kinetic = 0, potential = 0;
    const auto found = accelerations({.engine = "direct"}, b, {.softening = softening}, Potential::kCompute);
    for (std::size_t i = 0; i < b.size(); ++i) {
        const double mass = b.position_mass[i].w;
        kinetic += 0.5 * mass * dot(b.velocity[i], b.velocity[i]), potential += 0.5 * mass * found[i].w;
    }
    return 2 * kinetic / -potential;
}

TEST_F(RealSnapshots, ReadsBonsaiTipsy) {
    const auto file = data("bonsai_model3_child_compact.tipsy");
    if (!exists(file)) GTEST_SKIP() << file << " is missing";
    const Scene scene = read_snapshot(file);
    EXPECT_EQ(scene.bodies.size(), 22000u);
    EXPECT_NEAR(total_mass(scene.bodies), 97.278, 1e-3);
    EXPECT_NEAR(virial_ratio(scene.bodies, 0.05), 0.9965, 1e-3);
    EXPECT_NEAR(scene.gravity.softening, 0.206867, 1e-6);
    EXPECT_GT(scene.dt, 2e-3);  // small against the dynamical time of 1.3, but large enough for visible motion
    EXPECT_LT(scene.dt, 2e-2);
}

TEST_F(RealSnapshots, ReadsChangaStandardTipsy) {
    const auto file = data("changa_king_soft.std.tipsy");
    if (!exists(file)) GTEST_SKIP() << file << " is missing";
    const Scene scene = read_snapshot(file);
    EXPECT_EQ(scene.bodies.size(), 36000u);
    EXPECT_NEAR(total_mass(scene.bodies), 25.054, 1e-3);
    EXPECT_NEAR(virial_ratio(scene.bodies, 0.204), 1.016, 1e-3);
    EXPECT_NEAR(scene.gravity.softening, 0.204217, 1e-6);
}

TEST_F(RealSnapshots, ReadsReboundCsv) {
    const auto file = data("rebound_ss-2023-11-12.decoded.csv");
    if (!exists(file)) GTEST_SKIP() << file << " is missing";
    const Scene scene = read_snapshot(file);
    EXPECT_EQ(scene.bodies.size(), 9u);
    EXPECT_NEAR(total_mass(scene.bodies), 1.00134, 1e-5);
    EXPECT_EQ(scene.bodies.names[3], "Earth(+Moon?)");
    EXPECT_EQ(scene.gravity.constant, 1);
    EXPECT_EQ(scene.gravity.softening, 0);
    EXPECT_NEAR(scene.days_per_time * 2 * std::numbers::pi, 365.25, 0.01);
    EXPECT_LT(scene.dt, 1.51 / 100);  // a hundredth of Mercury's period
}

/// Gas of mass 1 at rest within radius 1, with little thermal energy: the collapse of Evrard (1988).
TEST_F(RealSnapshots, ReadsGadgetGasSphere) {
    const auto file = data("gadget2_gassphere_littleendian.gadget2");
    if (!exists(file)) GTEST_SKIP() << file << " is missing";
    const Scene scene = read_snapshot(file);
    ASSERT_EQ(scene.bodies.size(), 1472u);
    EXPECT_NEAR(total_mass(scene.bodies), 1, 1e-5);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        EXPECT_EQ(scene.bodies.species_of(i), Species::kGas);
        EXPECT_EQ(scene.bodies.ids[i], i + 1);
        EXPECT_EQ(scene.bodies.velocity[i], Vec3d{});
        const Vec3d x = xyz(scene.bodies.position_mass[i]);
        EXPECT_LT(std::sqrt(dot(x, x)), 1.05);
    }
    EXPECT_THAT(scene.notes,
                testing::ElementsAre(
                    testing::HasSubstr("no units"),
                    testing::HasSubstr("further blocks, read on request (--fields): block \"U\" (internal energy)")));
}

}  // namespace
}  // namespace orrery::test
