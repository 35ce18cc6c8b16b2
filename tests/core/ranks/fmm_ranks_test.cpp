// SPDX-License-Identifier: MIT
// The fast multipole method divided over ranks: the forces of one rank, to the last bit, and an even division.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "core/bodies/body_system.hpp"
#include "core/bodies/sampling.hpp"
#include "core/cuda/info.hpp"
#include "core/engines/cpu/fmm/schedule.hpp"
#include "core/engines/cpu/fmm/share.hpp"
#include "core/presets/presets.hpp"
#include "core/ranks/measured_ranks.hpp"
#include "tests/support/every_engine.hpp"
#include "tests/support/known_references.hpp"
#include "tests/support/needs_device.hpp"
#include "tests/support/runs_long.hpp"
#include "tests/support/thread_ranks.hpp"

namespace orrery::test {
namespace {

constexpr std::array kRankCounts{1, 2, 3, 4, 7};

/// Evaluations: without accelerations to compare with, with them, and after a step.
constexpr int kForcesOfFmm = 3;
struct Evaluated {
    std::vector<Vec4d> accelerations;
    double with_bodies, with_cells;
};
std::vector<Evaluated> evaluations(BodySystem& system, const Scene& scene) {
    std::vector<Evaluated> found;
    for (int i = 0; i < kForcesOfFmm; ++i) {
        const std::uint64_t items = system.begin_forces(scene.gravity, i == 1 ? Potential::kCompute : Potential::kSkip);
        for (std::uint64_t item = 0; item < items; item += 5) system.run_forces(item, std::min(items, item + 5));
        system.wait();
        const EngineReport report = system.engine_report();
        found.push_back({system.accelerations(), report.with_bodies, report.with_cells});
        if (i == 1) system.kick(scene.dt), system.drift(scene.dt);
    }
    return found;
}

class FmmOfRanks : public testing::TestWithParam<std::tuple<Backend, const char*, Precision>> {
protected:
    void SetUp() override {
        if (backend() == Backend::kCuda && !cuda_info().available) skip_or_fail(cuda_info().reason);
    }
    static Backend backend() { return std::get<0>(GetParam()); }
    static Scene scene() {
        return make_preset(std::get<1>(GetParam()),
                           {.bodies = backend() == Backend::kCpu ? everyday(5000u, 40000u) : 60000u});
    }
    static EngineConfig config(const TreeConfig& knobs) {
        EngineConfig config{.engine = "fmm", .backend = backend(), .precision = std::get<2>(GetParam()), .tree = knobs};
        config.threads = 1;
        return config;
    }
};

TEST_P(FmmOfRanks, IsBitwiseEqualToOneRankAndAsAccurate) {
    const Scene scene = this->scene();
    for (const TreeConfig& knobs : {TreeConfig{.accuracy = 1e-3}, TreeConfig{.theta = 0.6, .order = 4}}) {
        const auto alone = make_body_system(config(knobs), scene.bodies);
        const auto wanted = evaluations(*alone, scene);
        for (const int count : kRankCounts) {
            // RanksCommand.FmmMatchesASingleProcess takes 2 ranks.
            if ((count == 2 || count == 4) && !runs_long() && backend() == Backend::kCpu) continue;
            ThreadRanks::run(count, [&](Ranks& ranks) {
                const auto system = make_body_system(config(knobs), scene.bodies, Urgency::kNormal, &ranks);
                EXPECT_TRUE(system->shared());
                const auto found = evaluations(*system, scene);
                for (std::size_t i = 0; i < found.size(); ++i) {
                    EXPECT_EQ(found[i].accelerations, wanted[i].accelerations)
                        << "evaluation " << i << ", rank " << ranks.rank() << " of " << count;
                    if (backend() == Backend::kCuda) continue;  // reports the interactions of its own bodies
                    EXPECT_EQ(found[i].with_bodies, wanted[i].with_bodies) << count;
                    EXPECT_EQ(found[i].with_cells, wanted[i].with_cells) << count;
                }
                if (knobs.accuracy > 0 && ranks.first()) {
                    KnownReferences known{scene};
                    EXPECT_LE(known.error_of(*system).rms, knobs.accuracy) << count << " ranks";
                }
            });
        }
    }
}

std::string case_of(const testing::TestParamInfo<FmmOfRanks::ParamType>& info) {
    std::string text = std::string{name(std::get<0>(info.param))} + '_' + std::get<1>(info.param) + '_' +
                       std::string{name(std::get<2>(info.param))};
    std::ranges::replace(text, '-', '_');
    return text;
}
INSTANTIATE_TEST_SUITE_P(Cases, FmmOfRanks,
                         testing::Combine(testing::Values(Backend::kCpu, Backend::kCuda),
                                          testing::Values("plummer", "collision", "cold-sphere"),
                                          testing::Values(Precision::kSingle, Precision::kMixed)),
                         case_of);
INSTANTIATE_TEST_SUITE_P(Double, FmmOfRanks,
                         testing::Combine(testing::Values(Backend::kCpu, Backend::kCuda), testing::Values("collision"),
                                          testing::Values(Precision::kDouble)),
                         case_of);

EngineConfig cpu_fmm(Precision precision = Precision::kSingle) {
    EngineConfig config{.engine = "fmm", .precision = precision};
    config.threads = 1;
    config.tree.accuracy = 1e-3;
    return config;
}

/// A mutual sum of forces: the net force is that of rounding, although ranks compute the tiles between them twice.
TEST(FmmOfRanksCpu, HasNoNetForce) {
    const Scene scene = make_preset("collision", {.bodies = 6000});
    const EngineConfig config = cpu_fmm(Precision::kDouble);
    for (const int count : {2, 7})
        ThreadRanks::run(count, [&](Ranks& ranks) {
            const auto found = accelerations(config, scene.bodies, scene.gravity, Potential::kSkip, &ranks);
            Vec3d sum{};
            double size = 0;
            for (std::size_t i = 0; i < found.size(); ++i) {
                const Vec3d force = scene.bodies.position_mass[i].w * xyz(found[i]);
                sum = sum + force, size += length(force);
            }
            EXPECT_LE(length(sum) / size, 1e-15) << count;
        });
}

/// All ranks have too few bodies for a block each: some compute nothing.
TEST(FmmOfRanksCpu, HasMoreRanksThanBlocks) {
    for (const std::size_t bodies : {1, 3, 600}) {
        const Bodies some = ball(bodies);
        const EngineConfig config = cpu_fmm();
        const auto wanted = accelerations(config, some, {.softening = 0.01}, Potential::kCompute);
        ThreadRanks::run(7, [&](Ranks& ranks) {
            EXPECT_EQ(accelerations(config, some, {.softening = 0.01}, Potential::kCompute, &ranks), wanted) << bodies;
        });
    }
}

/// A rank receives the accelerations of the others, the interactions of their blocks, and, if there was nothing to
/// compare with, the norms of estimated accelerations.
TEST(FmmOfRanksCpu, ReceivesAccelerationsOfOthers) {
    constexpr std::size_t kCount = 20000, kLeastBlocks = 16, kMostBlocks = 16 * 20;
    const Scene scene = make_preset("plummer", {.bodies = kCount});
    const EngineConfig config = cpu_fmm();
    for (const int count : {2, 4}) {
        std::vector<std::uint64_t> first(static_cast<std::size_t>(count)), later = first;
        ThreadRanks::run(count, [&](Ranks& ranks) {
            MeasuredRanks measured{ranks};
            const auto system = make_body_system(config, scene.bodies, Urgency::kNormal, &measured);
            for (auto* received : {&first, &later}) {
                measured.meet();
                measured.restart();
                system->run_forces(0, system->begin_forces(scene.gravity, Potential::kSkip));
                (*received)[static_cast<std::size_t>(ranks.rank())] = measured.costs().received;
            }
        });
        const auto all = [](const std::vector<std::uint64_t>& of_ranks) {
            std::uint64_t sum = 0;
            for (const std::uint64_t each : of_ranks) sum += each;
            return sum;
        };
        const auto others = static_cast<std::uint64_t>(count - 1);
        EXPECT_EQ(all(first) - all(later), others * kCount * sizeof(float)) << count;
        const std::uint64_t blocks = all(later) - others * kCount * sizeof(Vec4f);
        EXPECT_EQ(blocks % (others * sizeof(FmmCounts)), 0u);
        EXPECT_GE(blocks / (others * sizeof(FmmCounts)), kLeastBlocks);
        EXPECT_LE(blocks / (others * sizeof(FmmCounts)), kMostBlocks);
        EXPECT_LE(*std::ranges::max_element(later), 1.25 * static_cast<double>(all(later)) / count);
    }
}

TEST(FmmShare, HasEverythingOnOneRank) {
    FmmShare share;
    share.divide(std::vector<std::uint32_t>{10, 25, 40}, 4);
    EXPECT_TRUE(share.owns({0, 40}));
    EXPECT_TRUE(share.owns({39, 1}));
    EXPECT_TRUE(share.computes({0, 2}));
    const FmmCounts sum = share.finish(std::vector<PartPair>{{0, 0}, {0, 2}}, std::vector<FmmCounts>{{7, 0}, {20, 4}});
    EXPECT_EQ(sum.bodies, 27u);
    EXPECT_EQ(sum.cells, 4u);
}

/// Cuts lie between blocks, every block has one rank, and costly blocks count for more in the next evaluation.
TEST(FmmShare, BalancesCountedCosts) {
    constexpr std::uint32_t kBlocks = 60, kOfBlock = 100, kCostly = 10;
    std::vector<std::uint32_t> ends;
    std::vector<PartPair> tiles;
    std::vector<FmmCounts> counts;
    for (std::uint32_t block = 0; block < kBlocks; ++block) {
        ends.push_back((block + 1) * kOfBlock);
        tiles.push_back({block, block});
        counts.push_back({block < kCostly ? 20'000'000u : 100'000u, 0});
    }
    for (const int count : kRankCounts) {
        std::array<std::vector<int>, 2> owners{std::vector<int>(kBlocks), std::vector<int>(kBlocks)};
        std::array<std::vector<std::uint32_t>, 2> blocks_of{
            std::vector<std::uint32_t>(static_cast<std::size_t>(count)),
            std::vector<std::uint32_t>(static_cast<std::size_t>(count))};
        std::mutex mutex;
        ThreadRanks::run(count, [&](Ranks& ranks) {
            FmmShare share;
            share.share(ranks);
            for (std::size_t turn = 0; turn < 2; ++turn) {
                share.divide(ends, 4);
                {
                    const std::lock_guard lock{mutex};
                    for (std::uint32_t block = 0; block < kBlocks; ++block) {
                        if (!share.owns({block * kOfBlock, kOfBlock})) continue;
                        ++owners[turn][block], ++blocks_of[turn][static_cast<std::size_t>(ranks.rank())];
                        EXPECT_TRUE(share.computes({block, (block + 7) % kBlocks}));
                        EXPECT_TRUE(share.computes({(block + 7) % kBlocks, block}));
                    }
                }
                EXPECT_EQ(share.finish(tiles, counts).bodies,
                          20'000'000ull * kCostly + 100'000ull * (kBlocks - kCostly));
            }
        });
        for (const auto& each : owners) EXPECT_EQ(each, std::vector<int>(kBlocks, 1)) << count;
        const auto [least, most] = std::ranges::minmax_element(blocks_of[0]);
        EXPECT_LE(*most - *least, 1u) << "every body costs the same at first";
        if (count > 1) {
            EXPECT_LE(blocks_of[1].front(), (kCostly + static_cast<std::uint32_t>(count) - 1) / count + 1) << count;
        }
    }
}

TEST(FmmRounds, KeepOrderOfSelectedPairs) {
    std::vector<PartPair> pairs;
    for (std::uint32_t a = 0; a < 20; ++a)
        for (std::uint32_t b = a; b < 20; ++b) pairs.push_back({a, b});
    const Rounds all{pairs, 20};
    Rounds some = all;
    const auto selected = [&](std::uint32_t i) { return pairs[i].a % 3 == 0 || pairs[i].b == 7; };
    some.keep(selected);
    ASSERT_EQ(some.starts().size(), all.starts().size());
    for (std::size_t round = 0; round + 1 < all.starts().size(); ++round) {
        std::vector<std::uint32_t> wanted;
        for (std::size_t i = all.starts()[round]; i < all.starts()[round + 1]; ++i)
            if (selected(all.order()[i])) wanted.push_back(all.order()[i]);
        const auto found = some.order().subspan(some.starts()[round], some.starts()[round + 1] - some.starts()[round]);
        EXPECT_EQ((std::vector<std::uint32_t>{found.begin(), found.end()}), wanted) << round;
    }
    EXPECT_EQ(some.order().size(), some.starts().back());
}

}  // namespace
}  // namespace orrery::test
