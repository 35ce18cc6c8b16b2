// SPDX-License-Identifier: MIT
// Simulations shared by several ranks are bitwise equal to those of one.
#include "core/ranks/ranks.hpp"

#include <gmock/gmock.h>

#include <array>
#include <numeric>

#include "core/bodies/body_system.hpp"
#include "core/bodies/sampling.hpp"
#include "core/engines/choices.hpp"
#include "core/engines/part_of_grid.hpp"
#include "core/maps/maps.hpp"
#include "core/presets/presets.hpp"
#include "core/ranks/measured_ranks.hpp"
#include "core/simulation/compatibility.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/support/led_ranks.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

constexpr std::array kRanks{1, 2, 3, 7};

TEST(Ranks, PartsAreContiguousAndBalanced) {
    for (const std::uint64_t ranks : {1, 2, 3, 4, 7, 64, 1000})
        for (const std::uint64_t count : std::initializer_list<std::uint64_t>{0, 1, 2, 3, 63, 64, 1001, ~0ull / 2}) {
            std::uint64_t at = 0;
            for (std::uint64_t rank = 0; rank < ranks; ++rank) {
                const RankPart part = part_of(count, rank, ranks);
                EXPECT_EQ(part.first, at);
                EXPECT_GE(part.count(), count / ranks);
                EXPECT_LE(part.count(), (count + ranks - 1) / ranks);
                at = part.last;
            }
            EXPECT_EQ(at, count) << ranks;
        }
}

TEST(Ranks, GathersParts) {
    for (const int count : kRanks)
        ThreadRanks::run(count, [&](Ranks& ranks) {
            std::vector<int> whole(103), expected(103);
            std::iota(expected.begin(), expected.end(), 5);
            const RankPart part = part_of(11, &ranks);  // ten each, and three
            for (std::size_t i = part.first * 10; i < std::min<std::size_t>(part.last * 10, 103); ++i)
                whole[i] = expected[i];
            gather_parts(ranks, std::span{whole}, 11, 10);
            EXPECT_EQ(whole, expected) << count;
        });
}

/// Only one order of summation gives this sum.
TEST(Ranks, SumsAreInTheOrderOfRanks) {
    constexpr std::size_t size = 200'000;  // several chunks
    const auto term = [](int rank, std::size_t i) {
        return (rank % 2 == 0 ? 1.0f : -1.0f) *
               (1 + static_cast<float>((i * 7919 + static_cast<std::size_t>(rank)) % 1000) * 1e-3f) *
               (rank == 1 ? 1e7f : 1.0f);
    };
    for (const int count : kRanks) {
        std::vector<float> expected(size, 0.0f);
        for (int rank = 0; rank < count; ++rank)
            for (std::size_t i = 0; i < size; ++i) expected[i] += term(rank, i);
        ThreadRanks::run(count, [&](Ranks& ranks) {
            std::vector<float> totals(size, 99.0f);
            sum_in_order(ranks, std::span{totals}, 10, [&](std::size_t first, std::size_t last) {
                EXPECT_EQ(first % 10, 0u);
                for (std::size_t i = first; i < last; ++i) totals[i] += term(ranks.rank(), i);
            });
            EXPECT_EQ(totals, expected) << count;
        });
    }
}

/// Expects contiguous intervals that cover the whole grid, with a proportional number of useful blocks in each.
template <class Map>
void expect_even_parts(const Map& map, std::uint32_t side, std::uint64_t useful_blocks, std::string_view name) {
    const auto grid = map.grid(side);
    for (const std::uint64_t ranks : {1, 2, 3, 7}) {
        std::uint64_t at = 0;
        for (std::uint64_t rank = 0; rank < ranks; ++rank) {
            const RankPart part = part_of_grid(map, grid, side, useful_blocks, rank, ranks);
            ASSERT_EQ(part.first, at) << name << ' ' << side;
            ASSERT_LE(part.first, part.last) << name << ' ' << side;
            at = part.last;
            std::uint64_t own = 0;
            for (std::uint64_t i = part.first; i < part.last; ++i) own += useful(map(block_at(grid, i), side), side);
            const double even = static_cast<double>(useful_blocks) / static_cast<double>(ranks);
            EXPECT_NEAR(static_cast<double>(own), even, 2 + 0.01 * even) << name << ' ' << side << ' ' << ranks;
        }
        EXPECT_EQ(at, grid.count()) << name << ' ' << side;
    }
}

TEST(Ranks, GridsOfEveryMapAreDividedEvenly) {
    for (const std::uint32_t side : {1u, 2u, 5u, 33u, 600u})
        for (const MapEntry& entry : maps()) {
            const MapPlan plan{entry, roots().front(), side};
            expect_even_parts(plan.map(), side, triangular(side), entry.id);
        }
    for (const std::uint32_t side : {1u, 3u, 17u, 64u})
        for (const Map3Entry& entry : simplex3_maps())
            expect_even_parts(AnyMap3{entry.map, root_id<SqrtRoot>}, side, tetrahedral(side), entry.id);
}

/// An engine with a varying order of summation only has to give the same bits on all ranks.
class EveryEngineOfRanks : public NeedsEngineOfRanks {
protected:
    static std::vector<Vec4d> of_first(Ranks& ranks, std::vector<Vec4d> own) {
        ranks.broadcast(std::as_writable_bytes(std::span{own}), 0);
        return own;
    }
};

TEST_P(EveryEngineOfRanks, IsBitwiseEqualToOneRank) {
    const Gravity gravity{.constant = 1.5, .softening = 0.01};
    const bool triplets = GetParam().entry->law != Law::kPairs;
    for (const std::size_t count : {1, 5, 257,
                                    triplets                       ? 300
                                    : GetParam().slow_on_purpose() ? 500
                                                                   : GetParam().few_on_host(1001, 1501)}) {
        const Bodies bodies = ball(count);
        const auto wanted = accelerations(config(), bodies, gravity, Potential::kCompute);
        for (const int ranks : kRanks) {
            if (count > 257 && ranks != GetParam().few_on_host(3, ranks)) continue;
            ThreadRanks::run(ranks, [&](Ranks& these) {
                const auto system = make_body_system(config(), bodies, Urgency::kNormal, &these);
                for (int again = 0; again < 2; ++again) {  // a tree without a previous evaluation, then with one
                    const std::uint64_t items = system->begin_forces(gravity, Potential::kCompute);
                    for (std::uint64_t item = 0; item < items; item += 7)
                        system->run_forces(item, std::min(items, item + 7));
                    system->wait();
                    const std::vector<Vec4d> found = system->accelerations();
                    EXPECT_EQ(found, of_first(these, found)) << count << " bodies, " << ranks << " ranks";
                    if (again > 0) continue;
                    if (exact())
                        EXPECT_EQ(found, wanted) << count << " bodies, " << ranks << " ranks";
                    else
                        EXPECT_LE(compare(found, wanted).rms, GetParam().tolerance()) << count << ' ' << ranks;
                }
            });
        }
    }
}

/// The measured costs are those of the computation and, for `direct`, of sending the accelerations to the others.
TEST(Ranks, CostsAreMeasured) {
    const EngineConfig config{.engine = "direct", .precision = Precision::kDouble, .threads = 1};
    const Bodies bodies = ball(1536);
    const auto wanted = accelerations(config, bodies, {.softening = 0.01});
    ThreadRanks::run(3, [&](Ranks& ranks) {
        MeasuredRanks measured{ranks};
        for (int again = 0; again < 2; ++again) {
            measured.meet();
            measured.restart();
            EXPECT_EQ(accelerations(config, bodies, {.softening = 0.01}, Potential::kSkip, &measured), wanted);
            // The checksum of the bodies is sent before the forces.
            constexpr std::size_t kChecksum = 16;
            EXPECT_EQ(measured.costs().received, 1024 * sizeof(Vec4d) + kChecksum) << ranks.rank();
            EXPECT_GT(measured.costs().exchange, 0);
            EXPECT_GT(measured.costs().wait, 0);
        }
        // Ranks run one after the other: the last one waits for the others, and what they send counts once.
        measured.restart();
        std::vector<float> totals(1000);
        sum_in_order(measured, std::span{totals}, 1, [](std::size_t, std::size_t) {});
        EXPECT_EQ(measured.costs().received, (ranks.rank() == 1 ? 2u : 1u) * 4000) << ranks.rank();
    });
}

TEST_P(EveryEngineOfRanks, DividesEveryMap) {
    if (!GetParam().entry->walks_pairs()) GTEST_SKIP() << "uses no map of pairs";
    const Gravity gravity{.softening = 0.01};
    const Bodies bodies = ball(1501);
    for (EngineConfig asked : with_every_map(*GetParam().entry, config())) {
        asked.tile_size = 32;
        const auto wanted = accelerations(asked, bodies, gravity);
        ThreadRanks::run(3, [&](Ranks& these) {
            const auto system = make_body_system(asked, bodies, Urgency::kNormal, &these);
            system->run_forces(0, system->begin_forces(gravity, Potential::kSkip));
            system->wait();
            EXPECT_EQ(system->accelerations(), wanted) << asked.map << ' ' << asked.root;
        });
    }
}

TEST_P(EveryEngineOfRanks, TakesTheSameStepsWithEveryIntegrator) {
    const bool triplets = GetParam().entry->law != Law::kPairs;
    std::size_t line = 0;
    for (const IntegratorEntry& integrator : integrators()) {
        if (!why_incompatible(integrator, config()).empty() || !has_turn(GetParam(), line++, 3)) continue;
        Scene scene = make_preset("plummer", {.bodies = triplets ? 60u : everyday(250u, 500u)});
        if (triplets) scene = make_preset("argon-cluster", {.bodies = 60});
        Simulation one{scene, config(), integrator.id};
        for (int step = 0; step < 3; ++step) one.step();
        const Bodies wanted = one.system().bodies();
        for (const int count : {2, 3})
            ThreadRanks::run(count, [&](Ranks& ranks) {
                Simulation simulation{scene, config(), integrator.id, &ranks};
                for (int step = 0; step < 3; ++step) simulation.step();
                const Bodies found = simulation.system().bodies();
                EXPECT_EQ(found.position_mass, of_first(ranks, found.position_mass)) << integrator.id << ' ' << count;
                if (!exact()) return;
                EXPECT_EQ(found.position_mass, wanted.position_mass) << integrator.id << ' ' << count;
                EXPECT_EQ(found.velocity, wanted.velocity) << integrator.id << ' ' << count;
            });
    }
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryEngineOfRanks, testing::ValuesIn(every_engine_of_both_laws()), case_name);

}  // namespace
}  // namespace orrery::test
