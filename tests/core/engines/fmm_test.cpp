// SPDX-License-Identifier: MIT
// The engine `fmm` beyond the tests of every engine: its settings, errors, momentum and report.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/analysis/diagnostics.hpp"
#include "core/base/error.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/sampling.hpp"
#include "core/cuda/info.hpp"
#include "core/engines/cpu/fmm/schedule.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/support/every_engine.hpp"
#include "tests/support/known_references.hpp"
#include "tests/support/needs_device.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

EngineConfig fmm(const TreeConfig& knobs, Precision precision = Precision::kSingle) {
    return {.engine = "fmm", .precision = precision, .tree = knobs};
}

/// `fmm` on each backend.
class EveryFmm : public ::testing::TestWithParam<Backend> {
protected:
    void SetUp() override {
        if (GetParam() == Backend::kCuda && !cuda_info().available) skip_or_fail(cuda_info().reason);
    }
    static EngineConfig fmm(const TreeConfig& knobs, Precision precision = Precision::kSingle) {
        return {.engine = "fmm", .backend = GetParam(), .precision = precision, .tree = knobs};
    }
    static std::vector<int> orders() { return fmm_orders(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Backends, EveryFmm, ::testing::Values(Backend::kCpu, Backend::kCuda),
                         [](const auto& each) { return std::string{name(each.param)}; });

EngineConfig all_pairs(Precision precision) { return {.engine = "direct", .precision = precision}; }
/// Error of the second evaluation, whose criterion uses the accelerations of the first.
ForceError error_on_repeat(const EngineConfig& config, const Scene& scene, KnownReferences& known) {
    const auto system = make_body_system(config, scene.bodies);
    for (int i = 0; i < 2; ++i) system->run_forces(0, system->begin_forces(scene.gravity, Potential::kSkip));
    return known.error_of(*system);
}

TEST_P(EveryFmm, KeepsRequestedAccuracy) {
    const bool all = GetParam() == Backend::kCuda || runs_long();
    std::size_t turn = 0;
    for (const char* preset : {"plummer", "collision", "cold-sphere"}) {
        const Scene scene = make_preset(preset, {.bodies = 20000});
        KnownReferences known{scene};
        ++turn;
        for (const double accuracy : {1e-2, 1e-3, 1e-4, 1e-5}) {
            if (turn++ % 2 != 0 && !all) continue;  // the everyday run takes half of them, alternating between presets
            const ForceError error = error_on_repeat(fmm({.accuracy = accuracy}), scene, known);
            EXPECT_LE(error.rms, accuracy) << preset << ' ' << accuracy;
            EXPECT_GE(error.rms, accuracy / 10) << preset << ": needlessly accurate, " << accuracy;
        }
    }
}

TEST_P(EveryFmm, KeepsToleranceUnderEveryCriterion) {
    // On the host the everyday run takes a third of the criteria with each order and preset, another third with the
    // next.
    const std::size_t thirds = GetParam() == Backend::kCpu ? everyday<std::size_t>(3, 1) : 1;
    std::size_t turn = 0;
    for (const char* preset : {"collision", "plummer", "cold-sphere"}) {
        const Scene scene = make_preset(preset, {.bodies = 5000});
        KnownReferences known{scene};
        for (const int order : orders()) {
            std::vector<EngineConfig> all;
            for (const double theta : {0.3, 0.5, 0.75, 1.0}) all.push_back(fmm({.theta = theta, .order = order}));
            for (const double alpha : {1e-2, 1e-3, 1e-4}) all.push_back(fmm({.alpha = alpha, .order = order}));
            for (const double accuracy : {1e-2, 1e-3}) all.push_back(fmm({.accuracy = accuracy, .order = order}));
            for (std::size_t rule = turn++ % thirds; rule < all.size(); rule += thirds) {
                const EngineConfig& config = all[rule];
                EXPECT_LE(error_on_repeat(config, scene, known).rms, engine("fmm", GetParam()).tolerance(config))
                    << preset << ", order " << order << ", θ " << config.tree.theta << ", α " << config.tree.alpha
                    << ", accuracy " << config.tree.accuracy;
            }
        }
    }
}

TEST_P(EveryFmm, ConvergesWithOrder) {
    const Bodies bodies = ball(5000);
    const Gravity gravity{.softening = 0.01};
    const auto wanted = accelerations(all_pairs(Precision::kDouble), bodies, gravity, Potential::kCompute);
    double last = 1;
    for (const int order : orders()) {
        const auto found = accelerations(fmm({.theta = 0.5, .order = order, .leaf = 16}, Precision::kDouble), bodies,
                                         gravity, Potential::kCompute);
        const double error = compare(found, wanted).rms;
        EXPECT_LE(error, (order == orders().front() ? 1 : 0.6) * last) << order;
        double deep = 0;
        for (std::size_t i = 0; i < found.size(); ++i) deep = std::max(deep, std::abs(found[i].w / wanted[i].w - 1));
        EXPECT_LE(deep, 3 * error) << "potential, order " << order;
        last = error;
    }
    EXPECT_LE(last, GetParam() == Backend::kCpu ? 1e-5 : 1e-4);
}

/// |Σ m a| / Σ |m a|.
double net_force(const Bodies& bodies, const std::vector<Vec4d>& a) {
    Vec3d sum{};
    double size = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const Vec3d force = bodies.position_mass[i].w * xyz(a[i]);
        sum = sum + force, size += length(force);
    }
    return length(sum) / size;
}

/// On a CPU pairs of cells act on both sides, on a device the net force is subtracted.
TEST_P(EveryFmm, HasNoNetForce) {
    const Scene scene = make_preset("collision", {.bodies = runs_long() ? 20000u : 6000u});
    for (const int order : orders())
        for (const double accuracy : {1e-2, 1e-4}) {
            const TreeConfig knobs{.accuracy = accuracy, .order = order};
            const auto at = [&](Precision precision) {
                return net_force(scene.bodies, accelerations(fmm(knobs, precision), scene.bodies, scene.gravity));
            };
            EXPECT_LE(at(Precision::kSingle), 2e-7) << "order " << order;
            EXPECT_LE(at(Precision::kMixed), 2e-7) << "order " << order;
            EXPECT_LE(at(Precision::kDouble), 1e-15) << "order " << order;
        }
}

/// Momentum is conserved over steps, which `tree` does not guarantee.
TEST_P(EveryFmm, ConservesMomentum) {
    const Scene scene = make_preset("collision", {.bodies = runs_long() ? 65536u : 4096u});
    Simulation simulation{scene, fmm({})};
    const auto momentum = [&] {
        Vec3d sum{};
        double size = 0;
        const Bodies bodies = simulation.system().bodies();
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const Vec3d p = bodies.position_mass[i].w * bodies.velocity[i];
            sum = sum + p, size += length(p);
        }
        return std::pair{sum, size};
    };
    const auto [before, size] = momentum();
    for (int i = 0; i < (runs_long() ? 2000 : 200); ++i) simulation.step();
    EXPECT_LE(length(momentum().first - before) / size, 1e-6);
}

TEST_P(EveryFmm, ReportsPhasesAndInteractions) {
    const Scene scene = make_preset("plummer", {.bodies = 5000});
    const auto system = make_body_system(fmm({.accuracy = 1e-3, .order = 4, .leaf = 16}), scene.bodies);
    const std::uint64_t items = system->begin_forces(scene.gravity, Potential::kSkip);
    EXPECT_EQ(system->engine_report().cells, 0u) << "no evaluation is complete yet";
    system->run_forces(0, items);
    const EngineReport report = system->engine_report();
    ASSERT_EQ(report.phases.size(), 5u);
    for (const Phase& phase : report.phases) EXPECT_GT(phase.seconds, 0) << phase.name;
    EXPECT_GT(report.with_bodies, 16);
    EXPECT_LT(report.with_bodies, 5000) << "a direct sum would do no more work";
    EXPECT_GT(report.with_cells, 1);
    EXPECT_GE(report.leaves, 5000u / 16);
    const std::string choice = system->engine_choice();
    EXPECT_EQ(choice.find("relative α "), 0u) << choice;
    EXPECT_TRUE(choice.ends_with("order 4, leaves of 16")) << choice;
}

TEST(Fmm, RefusesAccuracyBeyondFloat) {
    for (const Precision precision : {Precision::kSingle, Precision::kMixed}) {
        try {
            make_body_system(fmm({.accuracy = 1e-8}, precision), ball(10));
            FAIL() << "no error";
        } catch (const Error& error) {
            EXPECT_EQ(error.blame(), Blame::kUsage);
            EXPECT_NE(std::string{error.what()}.find("--precision double"), std::string::npos) << error.what();
        }
    }
    const Scene scene = make_preset("plummer", {.bodies = 5000});
    KnownReferences known{scene};
    EXPECT_LE(error_on_repeat(fmm({.accuracy = 1e-8}, Precision::kDouble), scene, known).rms, 1e-8);
}

TEST(Fmm, RefusesInvalidSettings) {
    for (const TreeConfig& knobs : {TreeConfig{.order = 7}, TreeConfig{.leaf = 12}, TreeConfig{.alpha = -1}})
        EXPECT_THROW(make_body_system(fmm(knobs), ball(10)), Error);
    const Bodies bodies = ball(1500);
    const auto wanted = accelerations(all_pairs(Precision::kDouble), bodies, {.softening = 0.01});
    for (const int leaf : {8, 16, 32, 64, 512})
        EXPECT_LE(
            compare(accelerations(fmm({.accuracy = 1e-3, .leaf = leaf}), bodies, {.softening = 0.01}), wanted).rms,
            1.5e-3)
            << leaf;
}

TEST(FmmRounds, ContainEveryPairOnceAndUseNoPartTwice) {
    std::vector<PartPair> pairs;
    const std::uint32_t parts = 150;
    for (std::uint32_t a = 0; a < parts; ++a)
        for (std::uint32_t b = a; b < parts; b += 1 + a % 5) pairs.push_back({a, b});
    const Rounds rounds{pairs, parts};
    std::vector<int> visits(pairs.size());
    ASSERT_EQ(rounds.order().size(), pairs.size());
    for (std::size_t round = 0; round + 1 < rounds.starts().size(); ++round) {
        std::vector<int> used(parts);
        for (std::size_t i = rounds.starts()[round]; i < rounds.starts()[round + 1]; ++i) {
            const PartPair pair = pairs[rounds.order()[i]];
            ++visits[rounds.order()[i]];
            ASSERT_EQ(used[pair.a]++, 0) << round;
            if (pair.b != pair.a) {
                ASSERT_EQ(used[pair.b]++, 0) << round;
            }
        }
    }
    EXPECT_TRUE(std::ranges::all_of(visits, [](int count) { return count == 1; }));
    EXPECT_LE(rounds.starts().size(), 2u * parts) << "the degrees of the graph are at most " << parts;
    EXPECT_TRUE((Rounds{{}, 3}.order().empty()));
}

}  // namespace
}  // namespace orrery::test
