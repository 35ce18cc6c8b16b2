// SPDX-License-Identifier: MIT
// `tree-locks` on a device, beyond the tests of every engine. The parts of its kernels are tested in locks_test.cpp.
#include <algorithm>
#include <cmath>
#include <random>

#include "core/base/error.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/engine_system.hpp"
#include "core/bodies/sampling.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/locks_choice.hpp"
#include "core/presets/presets.hpp"
#include "tests/core/engines/locks_host.hpp"
#include "tests/support/every_engine.hpp"

namespace orrery::test {
namespace {

TEST(LocksConfig, RefusesUnsupportedSettings) {
    for (const TreeConfig& knobs : {TreeConfig{.accuracy = 1e-3}, TreeConfig{.alpha = 0.01}, TreeConfig{.order = 2},
                                    TreeConfig{.leaf = 16}, TreeConfig{.group = 64}, TreeConfig{.theta = -1},
                                    TreeConfig{.cutoff = -1}, TreeConfig{.theta = 0.5, .cutoff = 1}}) {
        try {
            cuda::locks_opening(knobs);
            ADD_FAILURE() << "no error";
        } catch (const Error& error) {
            EXPECT_EQ(error.blame(), Blame::kUsage);
            EXPECT_NE(std::string{error.what()}.find("'tree-locks'"), std::string::npos) << error.what();
        }
    }
    EXPECT_EQ(cuda::locks_opening({}).theta, 0.5);
    EXPECT_EQ(cuda::locks_opening({.theta = 0.8, .order = 1}).theta, 0.8);
    EXPECT_NO_THROW(cuda::require_links(1u << 30, 1u << 29));
    EXPECT_THROW(cuda::require_links(1u << 30, 1u << 30), Error);
}

/// The tolerance in the menu is a property of the algorithm, so it can be checked on the host.
TEST(LocksConfig, HostEmulationStaysWithinTolerance) {
    const EngineConfig reference{.engine = "direct", .precision = Precision::kDouble};
    for (const char* preset : {"plummer", "collision", "cold-sphere"})
        for (const std::size_t count : {200, 3000}) {
            const Scene scene = make_preset(preset, {.bodies = count});
            const auto wanted = accelerations(reference, scene.bodies, scene.gravity);
            for (const double theta : {0.3, 0.5, 0.8, 1.2}) {
                const HostLocks<double> host{scene.bodies, scene.gravity, theta, 1};
                const double rms = compare(host.walk(), wanted).rms;
                const double tolerance =
                    cuda::locks_tolerance({.precision = Precision::kDouble, .tree = {.theta = theta}});
                EXPECT_LE(rms, tolerance) << preset << ' ' << count << " θ " << theta;
                EXPECT_GE(rms, tolerance / 20)
                    << preset << ' ' << count << " θ " << theta << ": the tolerance is too loose";
            }
        }
}

const EngineEntry& locks_entry() {
    for (const EngineEntry& entry : engines())
        if (entry.id == "tree-locks" && entry.backend == Backend::kCuda) return entry;
    throw std::logic_error{"tree-locks on a device is not in the menu"};
}

class Locks : public NeedsEngine {
protected:
    static EngineConfig locks(double theta = 0) {
        EngineConfig config = GetParam().config();
        config.tree.theta = theta;
        return config;
    }
    /// Runs one evaluation.
    static std::unique_ptr<BodySystem> evaluated(const Bodies& bodies, const Gravity& gravity, double theta = 0,
                                                 std::uint64_t cells = 0, Potential potential = Potential::kSkip) {
        auto system = make_device_system(cuda::make_tree_locks(locks(theta), cells), *GetParam().entry,
                                         BodiesInMemory{bodies}, GetParam().precision, Urgency::kNormal);
        system->run_forces(0, system->begin_forces(gravity, potential));
        system->wait();
        return system;
    }
    static double error(const Bodies& bodies, const Gravity& gravity, double theta = 0) {
        const Bodies held = rounded(bodies, GetParam().precision);
        const EngineConfig reference{.engine = "direct", .precision = Precision::kDouble};
        return compare(accelerations(locks(theta), held, gravity), accelerations(reference, held, gravity)).rms;
    }
    static double tolerance() { return GetParam().tolerance(); }
    static double rounding() { return GetParam().precision == Precision::kSingle ? 2e-6 : 1e-12; }
};

TEST_P(Locks, AgreesAtWarpAndBlockBoundaries) {
    for (const std::size_t count : {1, 2, 3, 7, 31, 32, 33, 127, 128, 129, 255, 256, 257, 4095, 4097, 40000})
        EXPECT_LE(error(ball(count), {.constant = 1.5, .softening = 0.01}), tolerance()) << count;
}

TEST_P(Locks, BecomesTheDirectSumWhenItOpensEverything) {
    for (const double softening : {0.0, 0.02})
        for (const std::size_t count : {1, 2, 100, 3000})
            EXPECT_LE(error(ball(count), {.constant = 1.5, .softening = softening}, 1e-9), rounding())
                << count << ' ' << softening;
}

TEST_P(Locks, BuildsSameTreeAsHost) {
    for (const std::size_t count : {1, 2, 33, 5000, 100000}) {
        const Bodies bodies = ball(count);
        const auto system = evaluated(bodies, {.softening = 0.01});
        const EngineReport report = system->engine_report();
        const auto same = [&](const auto& host) {
            const auto& tree = host.tree();
            int deepest = 0;
            for (std::uint32_t cell = 0; cell < host.counts().cells; ++cell)
                deepest = std::max(deepest, int{tree.level[cell]});
            EXPECT_EQ(report.cells, host.counts().cells) << count;
            EXPECT_EQ(report.levels, deepest + 1) << count;
        };
        if (GetParam().precision == Precision::kSingle)
            same(HostLocks<float>{bodies, {}, 0.5, 1});
        else
            same(HostLocks<double>{bodies, {}, 0.5, 1});
    }
}

TEST_P(Locks, RepeatedBuildsAreBitwiseEqual) {
    Bodies bodies = ball(50000);
    for (std::size_t i = 0; i < 50000; i += 50) bodies.position_mass[i] = {0.1, 0.2, 0.3, 1e-5 * double(i + 1)};
    std::vector<Vec4d> wanted;
    EngineReport first;
    for (int run = 0; run < 10; ++run) {
        const auto system = evaluated(bodies, {.softening = 0.01});
        const EngineReport report = system->engine_report();
        if (run == 0) wanted = system->accelerations(), first = report;
        ASSERT_EQ(report.cells, first.cells) << run;
        ASSERT_EQ(report.leaves, first.leaves) << run;
        ASSERT_EQ(report.levels, first.levels) << run;
        ASSERT_EQ(report.with_cells, first.with_cells) << run;
        ASSERT_EQ(system->accelerations(), wanted) << run;
    }
}

TEST_P(Locks, GrowsMemoryWhenTooSmall) {
    const Bodies bodies = ball(20000);
    const Gravity gravity{.softening = 0.01};
    const auto roomy = evaluated(bodies, gravity, 0, 1 << 20);
    for (const std::uint64_t cells : {1, 2, 1000, 9000}) {
        const auto tight = evaluated(bodies, gravity, 0, cells);
        EXPECT_EQ(tight->engine_report().cells, roomy->engine_report().cells) << cells;
        EXPECT_EQ(tight->accelerations(), roomy->accelerations()) << cells;
    }
    // Also with the default capacity: close pairs need twenty cells for each body.
    Bodies pairs = ball(3000);
    for (std::size_t i = 0; i < 3000; ++i) {
        const Vec4d b = pairs.position_mass[i];
        pairs.add({b.x + 5e-6, b.y, b.z}, {}, b.w);
    }
    EXPECT_GT(evaluated(pairs, gravity)->engine_report().cells, pairs.size());
    EXPECT_LE(error(pairs, gravity), tolerance());
}

TEST_P(Locks, HandlesManyCoincidentBodies) {
    Bodies bodies;
    for (int i = 0; i < 3000; ++i) bodies.add({1, 2, 3}, {}, 1);
    for (const double softening : {0.0, 0.1})
        for (const Vec4d& a : accelerations(locks(), bodies, {.softening = softening}))
            ASSERT_EQ(xyz(a), (Vec3d{0, 0, 0}));
    const auto deep = accelerations(locks(), bodies, {.softening = 0.5}, Potential::kCompute);
    for (const Vec4d& a : deep) ASSERT_NEAR(a.w, -2999 / 0.5, 0.1);  // every other body at distance ε
    for (int i = 0; i < 3000; ++i) bodies.add({4, 2, 3}, {}, 1);     // the same number at a second position
    bodies.add({0, 0, 0}, {}, 1e-6);
    EXPECT_LE(error(bodies, {.softening = 0.1}), 1e-5);
    EXPECT_LE(error(bodies, {.softening = 0}), 1e-5);
    bodies = ball(2000);
    for (std::size_t i = 0; i < 2000; i += 4) bodies.position_mass[i] = {0.1, 0.2, 0.3, 1e-3};
    EXPECT_LE(error(bodies, {.softening = 0.05}), tolerance());
    EXPECT_LE(error(bodies, {.softening = 0}), tolerance());
}

TEST_P(Locks, HandlesBodiesOnALineOrInAPlane) {
    Bodies line, plane;
    for (int i = 0; i < 2000; ++i) {
        line.add({0.001 * i, 0.001 * i, 0}, {}, 1 + i % 3);
        plane.add({std::sin(0.7 * i) * std::sqrt(i), 5, std::cos(0.7 * i) * std::sqrt(i)}, {}, 1);
    }
    // Fewer dimensions have fewer cells, whose errors cancel less.
    EXPECT_LE(error(line, {.softening = 0.001}), 5 * tolerance());
    EXPECT_LE(error(plane, {.softening = 0.01}), 5 * tolerance());
}

TEST_P(Locks, HandlesAnyMassesAndMasslessBodies) {
    Bodies bodies = ball(2000);
    std::mt19937_64 random{3};
    for (Vec4d& body : bodies.position_mass)
        body.w = std::pow(10.0, -12 * std::uniform_real_distribution<double>{}(random));
    EXPECT_LE(error(bodies, {.softening = 0.05}), tolerance());
    Bodies two;
    two.add({-1e-3, 0, 0}, {}, 1);
    two.add({1e-3, 0, 0}, {}, 1e-12);
    EXPECT_LE(error(two, {.softening = 0}), 1e-6);
    for (std::size_t i = 0; i < 1500; ++i) bodies.position_mass[i].w = 0;
    EXPECT_LE(error(bodies, {.softening = 0.05}), tolerance());
    for (Vec4d& body : bodies.position_mass) body.w = 0;
    for (const Vec4d& a : accelerations(locks(), bodies, {}, Potential::kCompute)) ASSERT_EQ(a, (Vec4d{0, 0, 0, 0}));
}

TEST_P(Locks, WorksAtAnyScale) {
    for (const double scale : {1e-15, 1e-6, 1e6, 1e15})
        for (const double mass : {1e-6, 1.0, 1e12}) {
            Bodies bodies = ball(1500);
            for (Vec4d& b : bodies.position_mass) b = {scale * b.x, scale * b.y, scale * b.z, mass * b.w};
            const Gravity gravity{.constant = scale * scale / mass, .softening = 0.02 * scale};
            EXPECT_LE(error(bodies, gravity), tolerance()) << scale << ' ' << mass;
        }
}

TEST_P(Locks, SmallerThetaGivesSmallerError) {
    const Scene scene = make_preset("plummer", {.bodies = 20000});
    double before = 1;
    for (const double theta : {1.2, 0.8, 0.5, 0.3}) {
        const double rms = evaluated(scene.bodies, scene.gravity, theta)->force_error(scene.gravity, 2000).rms;
        EXPECT_LE(rms, locks_entry().tolerance(locks(theta))) << theta;
        EXPECT_LT(rms, before) << theta;
        before = rms;
    }
}

TEST_P(Locks, ReportsStatisticsAndCells) {
    const Scene scene = make_preset("plummer", {.bodies = 5000});
    const auto system = evaluated(scene.bodies, scene.gravity);
    const EngineReport report = system->engine_report();
    ASSERT_EQ(report.phases.size(), 5u);
    const char* names[] = {"box", "build", "centres", "sort", "walk"};
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(report.phases[i].name, names[i]);
        EXPECT_GT(report.phases[i].seconds, 0) << names[i];
    }
    EXPECT_GT(report.with_bodies, 32);
    EXPECT_GT(report.with_cells, 32);
    EXPECT_LT(report.with_bodies + report.with_cells, 5000) << "a direct sum would do no more work";
    EXPECT_EQ(report.groups, 157u);
    EXPECT_GT(report.cells, report.leaves);
    EXPECT_GT(report.leaves, 0u);
    const auto all = system->engine_cells(1u << 30);
    ASSERT_EQ(all.size(), report.cells);
    EXPECT_EQ(all[0].level, 0);
    EXPECT_EQ(all[0].bodies, 5000u);
    EXPECT_EQ(all.back().level, report.levels - 1);
    for (const TreeCell& cell : all) {
        const float slack = 1e-5f * (all[0].high.x - all[0].low.x);
        const auto inside = [&](const Vec4d& body) {
            const auto within = [&](double x, float low, float high) { return x >= low - slack && x <= high + slack; };
            return within(body.x, cell.low.x, cell.high.x) && within(body.y, cell.low.y, cell.high.y) &&
                   within(body.z, cell.low.z, cell.high.z);
        };
        ASSERT_GE(std::ranges::count_if(scene.bodies.position_mass, inside), cell.bodies) << cell.level;
    }
    EXPECT_EQ(system->engine_cells(1).size(), 1u);
    EXPECT_EQ(system->engine_cells(0).size(), 0u);
    EXPECT_EQ(system->engine_choice(), "θ 0.5, monopoles");
}

TEST_P(Locks, SurvivesNonFiniteBodies) {
    Bodies bodies = ball(300);
    bodies.position_mass[7] = {NAN, NAN, NAN, 1};
    evaluated(bodies, {.softening = 0.01});
    for (Vec4d& body : bodies.position_mass) body.x = INFINITY;
    evaluated(bodies, {.softening = 0.01});
}

std::vector<EngineCase> both() { return {{&locks_entry(), Precision::kSingle}, {&locks_entry(), Precision::kDouble}}; }
INSTANTIATE_TEST_SUITE_P(Menu, Locks, ::testing::ValuesIn(both()), case_name);

}  // namespace
}  // namespace orrery::test
