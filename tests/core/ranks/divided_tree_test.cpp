// SPDX-License-Identifier: MIT
// A tree distributed over several ranks gives the accelerations of one rank's tree.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/bodies/body_system.hpp"
#include "core/presets/presets.hpp"
#include "tests/support/needs_device.hpp"
#include "tests/support/thread_ranks.hpp"

namespace orrery::test {
namespace {

constexpr int kEvaluations = 4;                      // domains are rebalanced after some of them, if times were uneven
constexpr std::uint64_t kBodies = (1 << 23) + 1234;  // enough for the tree to be distributed

struct DividedCase {
    const char* preset;
    Precision precision;
    double accuracy, theta;  ///< 0: the other one applies
    int order;
    int ranks;
};

std::string divided_name(const testing::TestParamInfo<DividedCase>& info) {
    const DividedCase& c = info.param;
    std::string name = std::string{c.preset} + '_' + std::string{orrery::name(c.precision)} + "_order_" +
                       std::to_string(c.order) + (c.theta > 0 ? "_theta" : "") + "_ranks_" + std::to_string(c.ranks);
    std::ranges::replace(name, '-', '_');
    return name;
}
void PrintTo(const DividedCase& c, std::ostream* out) { *out << c.preset << ", " << c.ranks << " ranks"; }

class DistributedTreeCuda : public NeedsDevice<testing::TestWithParam<DividedCase>> {
protected:
    static EngineConfig config() {
        EngineConfig config{.engine = "tree", .backend = Backend::kCuda, .precision = GetParam().precision};
        config.tree.order = GetParam().order;
        if (GetParam().theta > 0)
            config.tree.theta = GetParam().theta;
        else
            config.tree.accuracy = GetParam().accuracy;
        return config;
    }
    /// Accelerations of each evaluation; all after the first follow a step that moves the bodies.
    static std::vector<std::vector<Vec4d>> evaluations(BodySystem& system, double dt) {
        const Gravity gravity{.constant = 1, .softening = 0.001};
        std::vector<std::vector<Vec4d>> found;
        for (int i = 0; i < kEvaluations; ++i) {
            const auto potential = i % 2 == 0 ? Potential::kCompute : Potential::kSkip;
            const std::uint64_t items = system.begin_forces(gravity, potential);
            system.run_forces(0, items / 3);
            system.run_forces(items / 3, items);
            system.wait();
            found.push_back(system.accelerations());
            system.kick(dt);
            system.drift(dt);
        }
        return found;
    }
};

TEST_P(DistributedTreeCuda, IsBitwiseEqualToOneRank) {
    const Scene scene = make_preset(GetParam().preset, {.bodies = kBodies});
    const auto alone = make_body_system(config(), scene.bodies);
    const double dt = 20 * scene.dt;
    const auto wanted = evaluations(*alone, dt);
    const std::uint64_t cells = alone->engine_report().cells;
    ThreadRanks::run(GetParam().ranks, [&](Ranks& ranks) {
        const auto system = make_body_system(config(), scene.bodies, Urgency::kNormal, &ranks);
        const auto found = evaluations(*system, dt);
        EXPECT_LT(system->engine_report().cells, 3 * cells / 4) << "the tree has not been distributed";
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            std::size_t different = 0, first = 0;
            for (std::size_t k = wanted[i].size(); k-- > 0;)
                if (found[i][k] != wanted[i][k]) ++different, first = k;
            const Vec4d &a = found[i][first], &b = wanted[i][first];
            EXPECT_EQ(different, 0u) << "evaluation " << i << ", rank " << ranks.rank() << ": body " << first << " has "
                                     << a.x << ' ' << a.y << ' ' << a.z << ", not " << b.x << ' ' << b.y << ' ' << b.z;
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Cases, DistributedTreeCuda,
                         testing::Values(DividedCase{"plummer", Precision::kSingle, 1e-3, 0, 1, 2},
                                         DividedCase{"plummer", Precision::kSingle, 2e-4, 0, 2, 3},
                                         DividedCase{"collision", Precision::kSingle, 1e-3, 0, 1, 7},
                                         DividedCase{"cold-sphere", Precision::kSingle, 0, 0.6, 2, 2},
                                         DividedCase{"uniform-sphere", Precision::kDouble, 1e-3, 0, 1, 2},
                                         DividedCase{"plummer", Precision::kMixed, 1e-3, 0, 2, 2}),
                         divided_name);

/// If no cell separates them, bodies cannot be distributed: each rank then builds the whole tree.
TEST(DistributedTree, CudaBuildsAnIndivisibleTreeOnEveryRank) {
    if (!cuda_info().available) return skip_or_fail(cuda_info().reason);
    Bodies bodies;
    for (std::uint64_t i = 0; i < kBodies; ++i) {
        bodies.position_mass.push_back({i == 7 ? 1.0 : 0.0, 0, 0, 1e-6});
        bodies.velocity.push_back({});
    }
    const EngineConfig config{.engine = "tree", .backend = Backend::kCuda};
    const Gravity gravity{.constant = 1, .softening = 0.1};
    const auto wanted = accelerations(config, bodies, gravity);
    ThreadRanks::run(
        2, [&](Ranks& ranks) { EXPECT_EQ(accelerations(config, bodies, gravity, Potential::kSkip, &ranks), wanted); });
}

}  // namespace
}  // namespace orrery::test
