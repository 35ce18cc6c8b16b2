// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/presets/presets.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery {

/// GoogleTest would print the bytes of each entry, a thousand times at every start.
void PrintTo(const PresetEntry& preset, std::ostream* out) { *out << preset.id; }

}  // namespace orrery

namespace orrery::test {
namespace {

class EveryPreset : public testing::TestWithParam<PresetEntry> {
protected:
    static Scene make(std::size_t bodies = 0, std::uint64_t seed = 1) {
        return make_preset(GetParam().id, {bodies, seed});
    }
    /// make(bodies), cached across cases: a galaxy takes a second on two cores.
    static const Scene& made(std::size_t bodies) {
        static std::map<std::pair<std::string, std::size_t>, Scene> scenes;
        const std::pair key{std::string{GetParam().id}, bodies};
        if (const auto found = scenes.find(key); found != scenes.end()) return found->second;
        return scenes.emplace(key, make(bodies)).first->second;
    }
    static std::vector<std::size_t> counts() {
        if (GetParam().fixed_count) return {GetParam().default_bodies};
        return {1, 2, 3, 4, 5, 7, 10, 31, 100, 1000, GetParam().default_bodies};
    }
};

double total_mass(const Bodies& bodies) {
    double sum = 0;
    for (const Vec4d& p : bodies.position_mass) sum += p.w;
    return sum;
}

TEST_P(EveryPreset, HasTheRequestedNumberOfValidBodies) {
    EXPECT_EQ(make().bodies.size(), GetParam().default_bodies);
    for (const std::size_t count : counts()) {
        SCOPED_TRACE(count);
        const Scene& scene = made(count);
        EXPECT_EQ(scene.bodies.size(), count);
        validate(scene.bodies, scene.id);  // finite, masses positive
        EXPECT_EQ(scene.id, GetParam().id);
        EXPECT_EQ(scene.label, GetParam().label);
        EXPECT_TRUE(scene.bodies.names.empty() || scene.bodies.names.size() == count);
        EXPECT_GT(scene.dt, 0);
        EXPECT_GE(scene.gravity.softening, 0);
        EXPECT_LT(scene.gravity.softening, 0.5);
        EXPECT_GE(scene.steps_per_frame, 1);
        EXPECT_EQ(scene.gravity.constant, 1);
    }
}

TEST_P(EveryPreset, HasTheSameMassForAnyCount) {
    const std::string_view id = GetParam().id;
    const double expected = id == "figure-eight" || id.starts_with("orbit-") ? 3
                            : id == "pythagorean"                            ? 12
                            : id == "scattering"                             ? 1.5
                            : id == "solar-system"                           ? 1.00134
                                                                             : 1;
    const bool of_ones = id == "argon-drop" || id == "salt-melt";  // atoms of mass 1
    for (const std::size_t count : counts())
        EXPECT_NEAR(total_mass(made(count).bodies), of_ones ? static_cast<double>(count) : expected, 1e-5) << count;
}

TEST_P(EveryPreset, IsCentredAndAtRest) {
    for (const std::size_t count : counts()) {
        SCOPED_TRACE(count);
        const Bodies& bodies = made(count).bodies;
        Vec3d place{}, momentum{};
        for (std::size_t i = 0; i < count; ++i) {
            const Vec4d& p = bodies.position_mass[i];
            place = place + p.w * xyz(p);
            momentum = momentum + p.w * bodies.velocity[i];
        }
        EXPECT_LT(std::sqrt(dot(place, place)), 1e-12);
        EXPECT_LT(std::sqrt(dot(momentum, momentum)), 1e-12);
    }
}

TEST_P(EveryPreset, OneBodyIsAtRestInTheCentre) {
    if (GetParam().fixed_count) return;
    const Bodies& one = made(1).bodies;
    EXPECT_EQ(one.position_mass[0], (Vec4d{0, 0, 0, 1}));
    EXPECT_EQ(one.velocity[0], (Vec3d{0, 0, 0}));
}

TEST_P(EveryPreset, DependsOnlyOnTheSeed) {
    const std::size_t count = GetParam().fixed_count ? GetParam().default_bodies : 1000;
    const Bodies one = make(count, 7).bodies, again = make(count, 7).bodies, other = make(count, 8).bodies;
    EXPECT_EQ(one.position_mass, again.position_mass);
    EXPECT_EQ(one.velocity, again.velocity);
    const bool seeded = !GetParam().fixed_count || GetParam().id == "scattering";
    EXPECT_EQ(one.position_mass == other.position_mass && one.velocity == other.velocity, !seeded);
}

TEST_P(EveryPreset, FixedCountRefusesAnotherCount) {
    if (!GetParam().fixed_count) return;
    try {
        make(GetParam().default_bodies + 1);
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.blame(), Blame::kUsage);
        EXPECT_NE(std::string{error.what()}.find(GetParam().id), std::string::npos) << error.what();
    }
}

/// A bearable wait on two cores. Only with ORRERY_LONG=1: tests/tools/long.sh.
TEST_P(EveryPreset, CreatesTenMillionBodiesInTenSeconds) {
    if (!runs_long()) GTEST_SKIP() << "takes a minute over the menu; set ORRERY_LONG=1";
    if (GetParam().fixed_count) GTEST_SKIP() << "always has the same bodies";
    const auto start = std::chrono::steady_clock::now();
    const Scene scene = make_preset(GetParam().id, {10'000'000, 1});
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::printf("%s: %.1f s\n", std::string{GetParam().id}.c_str(), taken.count());
    EXPECT_EQ(scene.bodies.size(), 10'000'000u);
    EXPECT_LE(taken.count(), 10);
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryPreset, testing::ValuesIn(presets().begin(), presets().end()),
                         [](const auto& instance) {
                             std::string name{instance.param.id};
                             std::erase(name, '-');
                             return name;
                         });

}  // namespace
}  // namespace orrery::test
