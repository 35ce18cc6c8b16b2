// SPDX-License-Identifier: MIT
// Bodies that live on the ranks that own them: each body has one owner, cells and their points have the same moments,
// and forces, momentum and energy are those of all bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <numeric>
#include <tuple>
#include <vector>

#include "core/analysis/diagnostics.hpp"
#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/bodies/body_source.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/owned/domain_cell.hpp"
#include "core/bodies/owned/part_rows.hpp"
#include "core/cuda/info.hpp"
#include "core/presets/presets.hpp"
#include "core/ranks/measured_ranks.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/support/needs_device.hpp"
#include "tests/support/runs_long.hpp"
#include "tests/support/thread_ranks.hpp"

namespace orrery::test {
namespace {

constexpr std::array kOwnerCounts{1, 2, 4, 5};

PartRows<float> rows_of(const Bodies& bodies, RankPart part) {
    PartRows<float> rows;
    for (std::uint64_t i = part.first; i < part.last; ++i) {
        rows.position_mass.push_back(convert<float>(bodies.position_mass[i]));
        const Vec3d v = bodies.velocity[i];
        rows.velocity.push_back({float(v.x), float(v.y), float(v.z), 0});
        rows.ids.push_back(i);
    }
    return rows;
}

TEST(PartRows, EveryBodyGetsOneOwnerAndAllGetEqualNumbers) {
    const Bodies bodies = make_preset("collision", {.bodies = 10007}).bodies;
    for (const int count : kOwnerCounts) {
        std::mutex mutex;
        std::vector<int> owners(bodies.size());
        ThreadRanks::run(count, [&](Ranks& ranks) {
            Pool pool{1, false};
            PartRows<float> rows = rows_of(bodies, part_of(bodies.size(), &ranks));
            redistribute(ranks, pool, rows);
            const double fair = static_cast<double>(bodies.size()) / count;
            EXPECT_NEAR(static_cast<double>(rows.count()), fair, 0.01 * fair + 2);
            const std::lock_guard lock{mutex};
            for (std::size_t i = 0; i < rows.count(); ++i) {
                ++owners[rows.ids[i]];
                EXPECT_EQ(rows.position_mass[i], convert<float>(bodies.position_mass[rows.ids[i]]));
                EXPECT_EQ(rows.velocity[i].x, float(bodies.velocity[rows.ids[i]].x));
            }
        });
        EXPECT_EQ(std::ranges::count(owners, 1), std::ssize(bodies.position_mass)) << count << " ranks";
    }
}

/// Bodies with equal keys are divided too.
TEST(PartRows, CoincidentBodiesAreDividedByTheirIds) {
    ThreadRanks::run(4, [](Ranks& ranks) {
        Pool pool{1, false};
        PartRows<float> rows;
        if (ranks.first())
            for (std::uint64_t i = 0; i < 1000; ++i)
                rows.position_mass.push_back({1, 2, 3, 1}), rows.velocity.push_back({}), rows.ids.push_back(999 - i);
        redistribute(ranks, pool, rows);
        ASSERT_EQ(rows.count(), 250u);
        for (std::size_t i = 0; i < rows.count(); ++i)
            EXPECT_EQ(rows.ids[i], 250u * static_cast<unsigned>(ranks.rank()) + i);
    });
}

/// The bodies of the last rank cost three times as much as the others.
TEST(PartRows, CutsDivideTheCostOfBodies) {
    constexpr int kRanks = 4;
    const Bodies bodies = make_preset("uniform-sphere", {.bodies = 20000}).bodies;
    std::array<double, kRanks> counts{};
    ThreadRanks::run(kRanks, [&](Ranks& ranks) {
        Pool pool{1, false};
        PartRows<float> rows = rows_of(bodies, part_of(bodies.size(), &ranks));
        redistribute(ranks, pool, rows);
        redistribute(ranks, pool, rows, ranks.rank() + 1 == kRanks ? 3 : 1);
        counts[static_cast<std::size_t>(ranks.rank())] = static_cast<double>(rows.count());
    });
    const double each = (3 * 5000 + 3 * 5000) / 4.0;  // the cost of a rank
    for (int r = 0; r < 2; ++r) EXPECT_NEAR(counts[static_cast<std::size_t>(r)], each, 0.01 * each);
    EXPECT_NEAR(counts[3], each / 3, 0.01 * each);
    EXPECT_EQ(counts[0] + counts[1] + counts[2] + counts[3], 20000);
}

TEST(PartRows, ExchangeDeliversEveryMessage) {
    for (const std::size_t count : {1u, 2u, 3u, 4u, 5u})
        ThreadRanks::run(static_cast<int>(count), [count](Ranks& ranks) {
            const auto own = static_cast<std::size_t>(ranks.rank());
            std::vector<std::size_t> bytes;
            for (std::size_t i = 0; i < count * count; ++i) bytes.push_back(i / count == i % count ? 0 : i * 7 % 5);
            std::vector<std::byte> sent, wanted;
            for (std::size_t r = 0; r < count; ++r) {
                sent.insert(sent.end(), bytes[own * count + r], static_cast<std::byte>(own * 16 + r));
                wanted.insert(wanted.end(), bytes[r * count + own], static_cast<std::byte>(r * 16 + own));
            }
            std::vector<std::byte> received(wanted.size());
            exchange(ranks, sent, received, bytes);
            EXPECT_EQ(received, wanted);
        });
}

TEST(PartOfBodies, ReadsTheBodiesOfItsRangeWithTheirLabels) {
    Bodies bodies = make_preset("collision", {.bodies = 100}).bodies;
    bodies.ids.resize(bodies.size());
    std::iota(bodies.ids.begin(), bodies.ids.end(), std::uint64_t{1000});
    const BodiesInMemory source{bodies};
    const PartOfBodies part{source, 30, 40};
    const Bodies read = all_bodies(part);
    ASSERT_EQ(read.size(), 40u);
    for (std::size_t i = 0; i < read.size(); ++i) {
        EXPECT_EQ(read.position_mass[i], bodies.position_mass[30 + i]);
        EXPECT_EQ(read.velocity[i], bodies.velocity[30 + i]);
        EXPECT_EQ(read.ids[i], bodies.ids[30 + i]);
    }
    EXPECT_EQ(part.masses_from(39).end, 40u);
    EXPECT_EQ(part.masses_from(5).mass, bodies.position_mass[35].w);
}

struct Moments {
    double mass = 0;
    Vec3d first{0, 0, 0};
    SecondMoments second;
};
template <class Each>
Moments moments_of(std::size_t count, Vec3d about, const Each& each) {
    Moments sum;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec4d body = each(i);
        const Vec3d d = xyz(body) - about;
        sum.mass += body.w, sum.first = sum.first + body.w * d;
        sum.second.add(body.w, d);
    }
    return sum;
}

TEST(DomainCell, PointsHaveTheMassCentreAndSecondMomentsOfTheBodies) {
    const Bodies bodies = make_preset("plummer", {.bodies = 1000}).bodies;
    std::vector<Vec4d> all = bodies.position_mass, none(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i].w *= 1 + 0.5 * std::sin(double(i));
    const CellLevels levels{all.size()};
    ASSERT_EQ(levels.count, 3);
    std::vector<DomainCell<double>> cells(levels.all());
    for (std::uint64_t i = 0; i < levels.cells(0); ++i)
        cells[i] = cell_of_bodies(&all[kCellBodies * i], &none[kCellBodies * i], levels.bodies_of(0, i), 1e9);
    for (int level = 1; level < levels.count; ++level)
        for (std::uint64_t i = 0; i < levels.cells(level); ++i) {
            const std::uint64_t first = kCellChildren * i;
            cells[levels.first[level] + i] = cell_of_cells(
                &cells[levels.first[level - 1] + first], std::min(kCellChildren, levels.cells(level - 1) - first),
                [&](std::uint64_t k) { return levels.bodies_of(level - 1, first + k); });
        }
    std::uint64_t each = kCellBodies;
    for (int level = 0; level < levels.count; ++level, each *= kCellChildren)
        for (std::uint64_t i = 0; i < levels.cells(level); ++i) {
            const DomainCell<double>& cell = cells[levels.first[level] + i];
            const Vec3d about = in_double(cell.centre);
            const Moments wanted =
                moments_of(levels.bodies_of(level, i), about, [&](std::size_t k) { return all[each * i + k]; });
            const Moments found = moments_of(static_cast<std::size_t>(points_of(cell)), about, [&](std::size_t k) {
                const DomainSource<double> p = point_of(cell, static_cast<int>(k));
                return Vec4d{p.x, p.y, p.z, p.mass};
            });
            const double near = 1e-9 * (wanted.second.xx + wanted.second.yy + wanted.second.zz);
            EXPECT_NEAR(found.mass, wanted.mass, 1e-12 * wanted.mass);
            EXPECT_NEAR(length(wanted.first), 0, 1e-9 * wanted.mass);
            EXPECT_NEAR(length(found.first), 0, 1e-9 * wanted.mass);
            EXPECT_NEAR(found.second.xx, wanted.second.xx, near);
            EXPECT_NEAR(found.second.xy, wanted.second.xy, near);
            EXPECT_NEAR(found.second.xz, wanted.second.xz, near);
            EXPECT_NEAR(found.second.yy, wanted.second.yy, near);
            EXPECT_NEAR(found.second.yz, wanted.second.yz, near);
            EXPECT_NEAR(found.second.zz, wanted.second.zz, near);
        }
}

class OwnedBodies : public testing::TestWithParam<std::tuple<Backend, const char*, const char*, Precision>> {
protected:
    void SetUp() override {
        if (backend() == Backend::kCuda && !cuda_info().available) skip_or_fail(cuda_info().reason);
    }
    static Backend backend() { return std::get<0>(GetParam()); }
    static Scene scene() {
        return make_preset(std::get<2>(GetParam()),
                           {.bodies = backend() == Backend::kCpu ? everyday(5000u, 40000u) : 60000u});
    }
    static EngineConfig config() {
        EngineConfig config{
            .engine = std::get<1>(GetParam()), .backend = backend(), .precision = std::get<3>(GetParam())};
        config.threads = 1;
        config.tree.accuracy = kAccuracy;
        return config;
    }
    /// Runs work(system, ranks) on ranks that own their bodies.
    template <class Work>
    static void on_ranks(int count, const Bodies& bodies, const EngineConfig& config, const Work& work) {
        ThreadRanks::run(count, [&](Ranks& ranks) {
            ranks.own_bodies = true;
            const BodiesInMemory source{bodies};
            const RankPart part = part_of(bodies.size(), &ranks);
            const auto system =
                make_body_system(config, PartOfBodies{source, part.first, part.count()}, Urgency::kNormal, &ranks);
            work(*system, ranks);
        });
    }
    static void evaluate(BodySystem& system, const Gravity& gravity) {
        system.run_forces(0, system.begin_forces(gravity, Potential::kSkip));
        system.wait();
    }
    static constexpr double kAccuracy = 1e-3;
};

/// Without accelerations to compare with, with them, and after a step.
TEST_P(OwnedBodies, ForcesAreAsAccurateAsRequested) {
    const Scene scene = this->scene();
    for (const int count : kOwnerCounts)
        on_ranks(count, scene.bodies, config(), [&](BodySystem& system, Ranks& ranks) {
            ASSERT_EQ(system.count(), scene.bodies.size());
            EXPECT_TRUE(system.shared());
            EXPECT_LE(static_cast<double>(system.part()->own_count()),
                      1.3 * static_cast<double>(system.count()) / ranks.count());
            for (int i = 0; i < 3; ++i) {
                evaluate(system, scene.gravity);
                const ForceError error = system.force_error(scene.gravity, 500);
                EXPECT_LE(error.rms, 1.5 * kAccuracy) << "evaluation " << i << " on " << count << " ranks";
                EXPECT_LE(system.net_force(), 2e-6);
                if (i == 1) system.kick(scene.dt), system.drift(scene.dt);
            }
        });
}

TEST_P(OwnedBodies, EnergyIncludesTheBodiesOfAllRanks) {
    const Scene scene = this->scene();
    const Diagnostics wanted = diagnose(scene.bodies, scene.gravity, Backend::kCpu);
    on_ranks(3, scene.bodies, config(), [&](BodySystem& system, Ranks&) {
        Pool pool{1, false};
        evaluate(system, scene.gravity);
        const auto before = system.accelerations();
        const Diagnostics found = diagnose(pool, *system.part(), scene.gravity);
        EXPECT_NEAR(found.kinetic, wanted.kinetic, 1e-5 * wanted.kinetic);
        EXPECT_NEAR(found.potential, wanted.potential, 2e-4 * std::abs(wanted.potential));
        EXPECT_NEAR(found.mass, wanted.mass, 1e-5 * wanted.mass);
        EXPECT_NEAR(length(found.momentum - wanted.momentum), 0, 1e-5 * wanted.momentum_scale);
        EXPECT_EQ(system.accelerations(), before);
    });
}

TEST_P(OwnedBodies, GatheredBodiesAreInTheOrderOfTheScene) {
    const Scene scene = this->scene();
    on_ranks(3, scene.bodies, config(), [&](BodySystem& system, Ranks& ranks) {
        const Bodies all = system.bodies();
        ASSERT_EQ(all.size(), ranks.first() ? scene.bodies.size() : 0);
        for (std::size_t i = 0; i < all.size(); i += 7)
            EXPECT_FLOAT_EQ(float(all.position_mass[i].x), float(scene.bodies.position_mass[i].x));
        EXPECT_EQ(all.ids, ranks.first() ? scene.bodies.ids : decltype(all.ids){});
    });
}

TEST_P(OwnedBodies, MoveToTheirOwnersWithAllColumns) {
    const Scene scene = this->scene();
    on_ranks(4, scene.bodies, config(), [&](BodySystem& system, Ranks& ranks) {
        evaluate(system, scene.gravity);
        system.kick(50 * scene.dt), system.drift(50 * scene.dt);
        const auto ids = system.labels().ids;
        const Bodies before = system.bodies();
        std::vector<std::uint32_t> all(system.count());
        std::iota(all.begin(), all.end(), 0u);
        const auto moments = [&] {  // of positions, velocities and accelerations, whatever the order
            double sum = 0;
            for (const BodySample& body : system.sample(all))
                sum += body.position_mass.x * (body.velocity.y + 3 * body.acceleration.z) + body.velocity.x;
            return sum;
        };
        const double wanted = moments();
        system.part()->redistribute();
        EXPECT_NE(system.labels().ids, ids);
        EXPECT_NEAR(static_cast<double>(system.part()->own_count()),
                    static_cast<double>(system.count()) / ranks.count(), 0.01 * static_cast<double>(system.count()));
        const Bodies after = system.bodies();
        EXPECT_EQ(after.position_mass, before.position_mass);
        EXPECT_EQ(after.velocity, before.velocity);
        EXPECT_NEAR(moments(), wanted, 1e-9 * static_cast<double>(system.count()));
        system.forget_history();  // accelerations of other places
        evaluate(system, scene.gravity);
        EXPECT_LE(system.force_error(scene.gravity, 500).rms, 1.5 * kAccuracy);
    });
}

/// Long steps, so that bodies move to other ranks; the middle state is restored on other systems.
TEST_P(OwnedBodies, RestoredStatesContinueToTheSameBits) {
    Scene scene = this->scene();
    scene.dt *= 20;
    EngineConfig engine = config();
    engine.tree.order = std::get<1>(GetParam()) == std::string_view{"fmm"} ? 4 : 1;
    engine.tree.keep_accuracy = true;
    constexpr int kHalf = 4;
    const auto steps = [](Simulation& simulation) {
        for (int i = 0; i < kHalf; ++i) simulation.step();
    };
    ThreadRanks::run(3, [&](Ranks& ranks) {
        ranks.own_bodies = true;
        const BodiesInMemory source{scene.bodies};
        const RankPart part = part_of(source.size(), &ranks);
        Scene settings = scene;
        settings.bodies = {};
        Simulation whole{settings, PartOfBodies{source, part.first, part.count()}, engine, {}, &ranks};
        whole.allow_tuning(false);
        const std::vector<std::uint64_t> ids = whole.system().labels().ids;
        steps(whole);
        const Snapshot middle = whole.snapshot();
        Scene own = settings;
        own.bodies = whole.system().part()->own_bodies();
        steps(whole);

        ranks.in_place = true;
        Simulation resumed{own, engine, {}, &ranks};
        ranks.in_place = false;
        resumed.allow_tuning(false);
        resumed.restore(middle);
        steps(resumed);
        const Snapshot wanted = whole.snapshot(), found = resumed.snapshot();
        EXPECT_EQ(found.bodies.bytes, wanted.bodies.bytes) << "rank " << ranks.rank();
        EXPECT_EQ(resumed.system().labels().ids, whole.system().labels().ids);
        if (backend() == Backend::kCpu && std::get<2>(GetParam()) == std::string_view{"collision"}) {
            EXPECT_NE(whole.system().labels().ids, ids) << "no bodies have moved to other ranks";
        }
    });
}

TEST_P(OwnedBodies, RepeatedRunsGiveTheSameBits) {
    Scene scene = this->scene();
    scene.dt *= 20;
    EngineConfig engine = config();
    engine.tree.order = std::get<1>(GetParam()) == std::string_view{"fmm"} ? 4 : 1;
    std::array<std::vector<std::byte>, 2> states;
    for (std::vector<std::byte>& state : states)
        ThreadRanks::run(2, [&](Ranks& ranks) {
            ranks.own_bodies = true;
            const BodiesInMemory source{scene.bodies};
            const RankPart part = part_of(source.size(), &ranks);
            Scene settings = scene;
            settings.bodies = {};
            Simulation simulation{settings, PartOfBodies{source, part.first, part.count()}, engine, {}, &ranks};
            simulation.allow_tuning(false);
            for (int i = 0; i < 4; ++i) simulation.step();
            if (!ranks.first()) return;
            const auto& bytes = simulation.snapshot().bodies.bytes;
            state.assign(std::as_bytes(std::span{bytes}).begin(), std::as_bytes(std::span{bytes}).end());
        });
    EXPECT_FALSE(states[0].empty());
    EXPECT_EQ(states[0], states[1]);
}

TEST_P(OwnedBodies, EvaluationsConsistOfPhases) {
    const Scene scene = this->scene();
    on_ranks(2, scene.bodies, config(), [&](BodySystem& system, Ranks&) {
        evaluate(system, scene.gravity);
        system.clock().start();
        evaluate(system, scene.gravity);
        const double all = system.clock().stop();
        const std::vector<Phase> phases = system.engine_report().phases;
        ASSERT_GT(phases.size(), 6u);
        EXPECT_EQ(phases.front().name, "cells");
        EXPECT_EQ(phases[3].name, "exchange");
        EXPECT_EQ(phases.back().name, "balance");
        double sum = 0;
        for (const Phase& phase : phases) {
            EXPECT_GE(phase.seconds, 0) << phase.name;
            sum += phase.seconds;
        }
        EXPECT_LE(sum, 1.001 * all);
    });
}

/// Each rank has the vertices of its bodies, and all the extent that one process has.
TEST_P(OwnedBodies, FramesShowOwnBodiesInTheExtentOfAll) {
    const Scene scene = this->scene();
    EngineConfig one = config();
    one.engine = "direct";
    Frame whole;
    const auto alone = make_body_system(one, scene.bodies);
    alone->fill(whole, {.by = ColorBy::kSpeed});
    std::mutex mutex;
    std::size_t vertices = 0;
    on_ranks(3, scene.bodies, config(), [&](BodySystem& system, Ranks&) {
        Frame frame;
        system.fill(frame, {.by = ColorBy::kSpeed});
        EXPECT_EQ(frame.extent.centre, whole.extent.centre);
        EXPECT_EQ(frame.extent.radius, whole.extent.radius);
        EXPECT_EQ(frame.extent.scalar_low, whole.extent.scalar_low);
        EXPECT_EQ(frame.extent.scalar_high, whole.extent.scalar_high);
        EXPECT_EQ(frame.count, system.part()->own_count());
        const std::lock_guard lock{mutex};
        vertices += frame.count;
    });
    EXPECT_EQ(vertices, scene.bodies.size());
}

std::string owned_case(const testing::TestParamInfo<OwnedBodies::ParamType>& info) {
    std::string text = std::string{name(std::get<0>(info.param))} + '_' + std::get<1>(info.param) + '_' +
                       std::get<2>(info.param) + '_' + std::string{name(std::get<3>(info.param))};
    std::ranges::replace(text, '-', '_');
    return text;
}
INSTANTIATE_TEST_SUITE_P(Cases, OwnedBodies,
                         testing::Combine(testing::Values(Backend::kCpu, Backend::kCuda),
                                          testing::Values("fmm", "tree"), testing::Values("plummer", "collision"),
                                          testing::Values(Precision::kSingle)),
                         owned_case);
INSTANTIATE_TEST_SUITE_P(Double, OwnedBodies,
                         testing::Combine(testing::Values(Backend::kCpu, Backend::kCuda), testing::Values("fmm"),
                                          testing::Values("cold-sphere"), testing::Values(Precision::kDouble)),
                         owned_case);

/// The received sources lie near the surface of a domain, so there are fewer per body the more bodies it has.
TEST(OwnedBodiesOnCpu, ReceivedBytesGrowMoreSlowlyThanBodies) {
    const auto bytes_of_body = [](std::size_t bodies) {
        const Scene scene = make_preset("uniform-sphere", {.bodies = bodies});
        EngineConfig config{.engine = "tree"};
        config.threads = 1, config.tree.accuracy = 1e-2;
        double bytes = 0;
        ThreadRanks::run(2, [&](Ranks& plain) {
            plain.own_bodies = true;
            MeasuredRanks ranks{plain};
            const BodiesInMemory source{scene.bodies};
            const RankPart part = part_of(source.size(), &ranks);
            const auto system =
                make_body_system(config, PartOfBodies{source, part.first, part.count()}, Urgency::kNormal, &ranks);
            for (int i = 0; i < 2; ++i) {
                ranks.restart();
                system->run_forces(0, system->begin_forces(scene.gravity, Potential::kSkip));
            }
            if (plain.first()) bytes = static_cast<double>(ranks.costs().received);
        });
        return bytes / static_cast<double>(bodies);
    };
    const double few = bytes_of_body(8000), many = bytes_of_body(128000);
    EXPECT_GT(many, 0);
    EXPECT_LT(many, 0.6 * few);
    EXPECT_LT(many, 8);  // a rank that shares an evaluation of all bodies receives half of 16 bytes
}

/// Half of the bodies are on a line, where each has fewer interactions than in a sphere.
TEST(OwnedBodiesOnCpu, WaitingForTheSlowestRankMovesBodies) {
    Scene scene = make_preset("plummer", {.bodies = 8000});
    for (std::size_t i = 4000; i < 8000; ++i) {
        Vec4d& x = scene.bodies.position_mass[i];
        x = {20 + 1e-2 * static_cast<double>(i), 1e-3 * x.y, 1e-3 * x.z, x.w};
    }
    EngineConfig config{.engine = "tree"};
    config.threads = 1, config.tree.accuracy = 1e-4;
    constexpr int kRanks = 2;
    std::array<std::size_t, kRanks> before{}, after{};
    std::array<double, kRanks> work_before{}, work_after{};
    ThreadRanks::run(kRanks, [&](Ranks& ranks) {
        ranks.own_bodies = true;
        const BodiesInMemory source{scene.bodies};
        const RankPart part = part_of(source.size(), &ranks);
        const auto system =
            make_body_system(config, PartOfBodies{source, part.first, part.count()}, Urgency::kNormal, &ranks);
        const auto own = static_cast<std::size_t>(ranks.rank());
        const auto evaluate = [&](std::size_t& bodies, double& work) {
            system->run_forces(0, system->begin_forces(scene.gravity, Potential::kSkip));
            const EngineReport report = system->engine_report();
            bodies = system->part()->own_count();
            work = (280 + report.with_bodies + report.with_cells) * static_cast<double>(bodies);
        };
        for (int i = 0; i < 2; ++i) evaluate(before[own], work_before[own]);
        for (int i = 0; i < 10; ++i) evaluate(after[own], work_after[own]);
    });
    const auto unequal = [](const std::array<double, kRanks>& work) {
        return std::ranges::max(work) * kRanks / (work[0] + work[1]);
    };
    EXPECT_NE(after, before);
    EXPECT_EQ(after[0] + after[1], before[0] + before[1]);
    EXPECT_LT(unequal(work_after), unequal(work_before));
}

TEST(OwnedBodiesOnCpu, RefuseFeaturesThatNeedAllBodies) {
    const Scene scene = make_preset("plummer", {.bodies = 1000});
    const auto why = [&](const EngineConfig& config, const Bodies& bodies) {
        std::string text;
        ThreadRanks::run(2, [&](Ranks& ranks) {
            ranks.own_bodies = true;
            try {
                make_body_system(config, bodies, Urgency::kNormal, &ranks);
            } catch (const Error& error) {
                if (ranks.first()) text = error.what();
                EXPECT_EQ(error.blame(), Blame::kUsage);
            }
        });
        return text;
    };
    EXPECT_NE(why({.engine = "direct"}, scene.bodies).find("--engine fmm or tree"), std::string::npos);
    EXPECT_NE(why({.engine = "fmm", .precision = Precision::kMixed}, scene.bodies).find("single or double"),
              std::string::npos);
    Bodies named = scene.bodies;
    named.names.assign(named.size(), "x");
    EXPECT_NE(why({.engine = "fmm"}, named).find("--ranks all"), std::string::npos);
    EXPECT_NE(why({.engine = "fmm"}, make_preset("plummer", {.bodies = 20}).bodies).find("128 bodies"),
              std::string::npos);
}

}  // namespace
}  // namespace orrery::test
