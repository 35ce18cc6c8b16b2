// SPDX-License-Identifier: MIT
// Every engine of the menu, on every backend and in every precision, through the same checks.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <list>

#include "core/base/error.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/sampling.hpp"
#include "core/cuda/info.hpp"
#include "core/engines/choices.hpp"
#include "core/engines/entries.hpp"
#include "core/physics/gravity.hpp"
#include "tests/support/every_engine.hpp"

namespace orrery::test {
namespace {

EngineConfig reference() { return {.engine = "reference", .precision = Precision::kDouble}; }

/// |Σ m a| / Σ |m a|: 0 if every action has its reaction.
double total_force(const Bodies& bodies, const std::vector<Vec4d>& a) {
    Vec3d sum{};
    double scale = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const Vec3d force = bodies.position_mass[i].w * xyz(a[i]);
        sum = sum + force;
        scale += std::sqrt(dot(force, force));
    }
    return std::sqrt(dot(sum, sum)) / scale;
}

/// Results of the reference, cached for the other engines, which are tested with the same bodies.
const std::vector<Vec4d>& wanted_of(const Bodies& bodies, const Gravity& gravity,
                                    Potential potential = Potential::kSkip) {
    struct Known {
        std::vector<Vec4d> bodies;
        Gravity gravity;
        Potential potential;
        std::vector<Vec4d> accelerations;
    };
    static std::list<Known> all;
    for (const Known& known : all)
        if (known.gravity.constant == gravity.constant && known.gravity.softening == gravity.softening &&
            known.potential == potential && known.bodies == bodies.position_mass)
            return known.accelerations;
    all.push_back({bodies.position_mass, gravity, potential, accelerations(reference(), bodies, gravity, potential)});
    return all.back().accelerations;
}

class EveryEngine : public NeedsEngine {
protected:
    ForceError error_of(const Bodies& bodies, const Gravity& gravity) const {
        return compare(accelerations(GetParam().config(), bodies, gravity), wanted_of(bodies, gravity));
    }
    /// Bit for bit if the engine is reproducible, otherwise within its tolerance.
    static void expect_same(const std::vector<Vec4d>& found, const std::vector<Vec4d>& wanted) {
        if (GetParam().entry->repeats(GetParam().config())) {
            EXPECT_EQ(found, wanted);
        }
        EXPECT_LE(compare(found, wanted).rms, GetParam().tolerance());
    }
};

TEST_P(EveryEngine, AgreesWithReferenceForAnyNumberOfBodies) {
    for (const std::size_t count :
         {1, 2, 3, 31, 32, 33, 63, 64, 65, 255, 257, 1000, 2049, 4099}) {  // around tile sizes
        if (count > (GetParam().on_software_gl() ? 1000u : GetParam().few_on_host(2049u, 4099u))) continue;
        const Bodies bodies = rounded(ball(count), GetParam().precision);
        EXPECT_LE(error_of(bodies, {.constant = 1.5, .softening = 0.01}).rms, GetParam().tolerance())
            << count << " bodies";
    }
}

TEST_P(EveryEngine, NeedsNoSoftening) {
    const Bodies bodies = rounded(ball(1000), GetParam().precision);
    EXPECT_LE(error_of(bodies, {.softening = 0}).rms, 2 * GetParam().tolerance());
}

TEST_P(EveryEngine, SkipsCoincidentBodies) {
    Bodies bodies = rounded(ball(100), GetParam().precision);
    bodies.position_mass[70] = bodies.position_mass[3];
    bodies.position_mass[99] = {0, 0, 0, 1};  // padding is at the origin too
    for (const double softening : {0.0, 1e-15, 0.05})
        EXPECT_LE(error_of(bodies, {.softening = softening}).rms, 4 * GetParam().tolerance())
            << "softening " << softening;
}

/// Massless bodies are attracted but do not attract, also when whole tiles or leaves are massless or only one body has
/// a mass.
TEST_P(EveryEngine, AcceleratesMasslessBodies) {
    for (const std::size_t massive : {1, 40, 700}) {
        Bodies bodies = rounded(ball(1000), GetParam().precision);
        Bodies alone;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (i * massive / 1000 == (i + 1) * massive / 1000) bodies.position_mass[i].w = 0;
            if (bodies.position_mass[i].w > 0) alone.add(xyz(bodies.position_mass[i]), {}, bodies.position_mass[i].w);
        }
        ASSERT_EQ(alone.size(), massive);
        const Gravity gravity{.constant = 1.5, .softening = 0.01};
        EXPECT_LE(error_of(bodies, gravity).rms, GetParam().tolerance()) << massive << " bodies have a mass";
        const std::vector<Vec4d>&all = wanted_of(bodies, gravity), &few = wanted_of(alone, gravity);
        for (std::size_t i = 0, j = 0; i < bodies.size(); ++i)
            if (bodies.position_mass[i].w > 0) {
                EXPECT_NEAR(all[i].x, few[j++].x, 1e-12) << i;
            }
    }
}

TEST_P(EveryEngine, GivesNewtonsForceOfTwoBodies) {
    Bodies bodies;
    bodies.add({0, 0, 0}, {}, 3);
    bodies.add({2, 0, 0}, {}, 5);
    const auto a = accelerations(GetParam().config(), bodies, {.constant = 1, .softening = 0});
    EXPECT_NEAR(a[0].x, 5.0 / 4, 2e-6);  // m / r²
    EXPECT_NEAR(a[1].x, -3.0 / 4, 2e-6);
    EXPECT_EQ(a[0].y, 0);
    EXPECT_EQ(a[1].z, 0);
}

TEST_P(EveryEngine, ComputesThePotentialOnRequest) {
    for (const double softening : {0.0, 0.05}) {
        const Bodies bodies = rounded(ball(777), GetParam().precision);
        const Gravity gravity{.constant = 2, .softening = softening};
        const auto found = accelerations(GetParam().config(), bodies, gravity, Potential::kCompute);
        const auto& wanted = wanted_of(bodies, gravity, Potential::kCompute);
        const double rounding = GetParam().precision == Precision::kDouble ? 1e-12 : 1e-5;
        const double tolerance =
            GetParam().entry->has_tree() ? GetParam().tolerance() : rounding;  // a tree's error is configurable
        for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_NEAR(found[i].w, wanted[i].w, tolerance * std::abs(wanted[i].w)) << "body " << i;
    }
}

/// With a small ε the self term of a body, m/ε, is far larger than its potential.
TEST_P(EveryEngine, ExcludesSelfPotential) {
    const bool in_double = GetParam().precision == Precision::kDouble;
    const double rounding = in_double ? 1e-12 : 1e-5,
                 tolerance = GetParam().entry->has_tree() ? GetParam().tolerance() : rounding;
    for (const std::size_t count : {1, 2, 33, 300}) {
        Bodies bodies = rounded(ball(count), GetParam().precision);
        bodies.position_mass[0].w = 100;  // one heavy body
        for (const double softening : {1e-4, in_double ? 1e-18 : 1e-7}) {
            const Gravity gravity{.constant = 2, .softening = softening};
            const auto found = accelerations(GetParam().config(), bodies, gravity, Potential::kCompute);
            const auto& wanted = wanted_of(bodies, gravity, Potential::kCompute);
            for (std::size_t i = 0; i < count; ++i)
                ASSERT_NEAR(found[i].w, wanted[i].w, tolerance * std::abs(wanted[i].w))
                    << "body " << i << " of " << count << ", softening " << softening;
        }
    }
}

TEST_P(EveryEngine, IncludesCoincidentBodiesInPotential) {
    Bodies bodies = rounded(ball(200), GetParam().precision);
    for (const std::size_t i : {70u, 71u, 199u}) {
        const Vec4d at = bodies.position_mass[3];
        bodies.position_mass[i] = {at.x, at.y, at.z, bodies.position_mass[i].w};
    }
    const double rounding = GetParam().precision == Precision::kDouble ? 1e-12 : 1e-5,
                 tolerance = GetParam().entry->has_tree() ? GetParam().tolerance() : rounding;
    for (const double softening : {1e-5, 0.05, 50.0}) {
        const Gravity gravity{.constant = 2, .softening = softening};
        const auto found = accelerations(GetParam().config(), bodies, gravity, Potential::kCompute);
        const auto& wanted = wanted_of(bodies, gravity, Potential::kCompute);
        for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_NEAR(found[i].w, wanted[i].w, tolerance * std::abs(wanted[i].w))
                << "body " << i << ", softening " << softening;
    }
}

TEST_P(EveryEngine, IsIndependentOfSlicing) {
    const Bodies bodies = ball(GetParam().slow_on_purpose() ? 1000 : GetParam().few_on_host(1500, 4500));
    const Gravity gravity{.softening = 0.02};
    const auto whole = accelerations(GetParam().config(), bodies, gravity);
    EngineConfig config = GetParam().config();
    config.threads = 1;
    const auto system = make_body_system(config, bodies);
    const std::uint64_t items = system->begin_forces(gravity, Potential::kSkip);
    for (std::uint64_t first = 0, step = 1; first < items; first += step, step = step * 2 + 1)
        system->run_forces(first, std::min(items, first + step));
    system->wait();
    expect_same(system->accelerations(), whole);
}

TEST_P(EveryEngine, CanBeAbandonedAndRestarted) {
    const Bodies bodies = ball(GetParam().slow_on_purpose() ? 700 : GetParam().few_on_host(1500, 3000));
    const Gravity gravity{.softening = 0.02};
    const auto system = make_body_system(GetParam().config(), bodies);
    system->begin_forces({.constant = 7}, Potential::kSkip);
    system->run_forces(0, 1);
    const std::uint64_t items = system->begin_forces(gravity, Potential::kSkip);
    system->run_forces(0, items);
    system->wait();
    expect_same(system->accelerations(), accelerations(GetParam().config(), bodies, gravity));
}

TEST_P(EveryEngine, RepeatsBitwiseIfDeclaredReproducible) {
    if (!GetParam().entry->repeats(GetParam().config())) GTEST_SKIP() << "its order of summation varies";
    const Bodies bodies = ball(GetParam().slow_on_purpose() ? 700 : GetParam().on_host() ? 2000 : 5000);
    const Gravity gravity{.softening = 0.01};
    const auto first = accelerations(GetParam().config(), bodies, gravity);
    for (int run = 1; run < GetParam().few_on_host(5, 10); ++run)
        ASSERT_EQ(accelerations(GetParam().config(), bodies, gravity), first) << run;
}

/// Engines that traverse a thread map.
class EveryMapEngine : public EveryEngine {};

TEST_P(EveryMapEngine, AgreesForEveryMapRootAndTileSize) {
    const Gravity gravity{.softening = 0.01};
    for (const std::size_t count : {std::size_t{100}, GetParam().few_on_host<std::size_t>(600, 1500)}) {
        Bodies bodies = rounded(ball(count), GetParam().precision);
        for (std::size_t i = count / 2; i < count; ++i) bodies.position_mass[i].w = 1.0 / 1024;  // equal within tiles
        const auto& wanted = wanted_of(bodies, gravity);
        for (const int rows : {32, 64, 128, 256, 384, 512, 768, 1024})
            for (EngineConfig config : with_every_map(*GetParam().entry, GetParam().config())) {
                config.tile_size = rows;
                const auto found = accelerations(config, bodies, gravity);
                EXPECT_LE(compare(found, wanted).rms, GetParam().tolerance())
                    << config.map << ' ' << config.root << ", tile size " << rows << ", " << count << " bodies";
                EXPECT_LE(total_force(bodies, found), 1e-6) << config.map << ' ' << config.root << ' ' << rows;
            }
    }
}

/// Strips cross ends of rows and, with bb, blocks without a tile; masses change within them.
TEST_P(EveryMapEngine, AgreesInStripsOfTiles) {
    if (!GetParam().entry->has(Capability::kStrips)) GTEST_SKIP() << "it takes no strips";
    const Gravity gravity{.softening = 0.01};
    Bodies bodies = rounded(ball(3000), GetParam().precision);
    for (std::size_t i = 600; i < 3000; ++i) bodies.position_mass[i].w = i < 1800 ? 1.0 / 4096 : 1.0 / 1024;
    const auto& wanted = wanted_of(bodies, gravity);
    for (const int strip : {2, 8, 64})
        for (const int side : {32, 64, 128, 512})
            for (EngineConfig config : with_every_map(*GetParam().entry, GetParam().config())) {
                config.tile_size = side, config.strip = strip;
                const auto found = accelerations(config, bodies, gravity);
                EXPECT_LE(compare(found, wanted).rms, GetParam().tolerance())
                    << config.map << ' ' << config.root << ", tile size " << side << ", strip " << strip;
                EXPECT_LE(total_force(bodies, found), 1e-6) << config.map << ' ' << side << ' ' << strip;
                if (GetParam().entry->repeats(config)) {
                    EXPECT_EQ(accelerations(config, bodies, gravity), found);
                }
            }
}

TEST_P(EveryMapEngine, RefusesStripsThatItDoesNotTake) {
    if (!GetParam().entry->has(Capability::kStrips)) GTEST_SKIP() << "it takes no strips";
    EngineConfig config = GetParam().config();
    config.strip = 3;
    EXPECT_THROW(make_body_system(config, ball(100)), Error);
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryEngine, ::testing::ValuesIn(every_engine()), case_name);

std::vector<EngineCase> with_maps() {
    std::vector<EngineCase> cases = every_engine();
    std::erase_if(cases, [](const EngineCase& c) { return !c.entry->walks_pairs(); });
    return cases;
}
INSTANTIATE_TEST_SUITE_P(Menu, EveryMapEngine, ::testing::ValuesIn(with_maps()), case_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EveryMapEngine);  // a build may have no such engine

TEST(EngineMenu, RefusesUnknownEngines) {
    try {
        engine("no-such", Backend::kCpu);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.blame(), Blame::kUsage);
        EXPECT_NE(std::string{error.what()}.find("'no-such'"), std::string::npos) << error.what();
        EXPECT_NE(std::string{error.what()}.find("direct"), std::string::npos)
            << "the error lists the menu: " << error.what();
    }
    EXPECT_THROW(engine("reference", Backend::kCuda), Error);
}

/// A build without CUDA lists every engine, so that a wrong backend is distinguished from a misspelt id.
TEST(EngineMenu, HasACpuVersionOfEveryEngine) {
    for (const EngineEntry& entry : cuda_engines())
        EXPECT_NE(find_engine(entry.id, Backend::kCpu), nullptr) << entry.id;
}

TEST(EngineMenu, HasUniqueEntries) {
    const auto menu = engines();
    for (std::size_t i = 0; i < menu.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_FALSE(menu[i].id == menu[j].id && menu[i].backend == menu[j].backend) << menu[i].id;
}

}  // namespace
}  // namespace orrery::test
