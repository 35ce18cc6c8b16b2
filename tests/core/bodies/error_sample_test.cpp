// SPDX-License-Identifier: MIT
// The error over all bodies, estimated from a few hundred, and the reference that it is measured against.
#include "core/bodies/error_sample.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "core/base/random.hpp"
#include "core/cuda/info.hpp"
#include "core/gl/info.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/force_evaluation.hpp"
#include "tests/support/every_engine.hpp"
#include "tests/support/known_references.hpp"
#include "tests/support/needs_device.hpp"

namespace orrery::test {
namespace {

constexpr std::chrono::hours kWhole{1};

std::unique_ptr<BodySystem> evaluated_tree(const Scene& scene, const EngineConfig& config) {
    auto system = make_body_system(config, scene.bodies);
    for (int i = 0; i < 2; ++i) system->run_forces(0, system->begin_forces(scene.gravity, Potential::kSkip));
    return system;
}

double estimated(const BodySystem& system, const Gravity& gravity) {
    ErrorSample sample;
    sample.begin(system);
    EXPECT_TRUE(sample.work(system, gravity, kWhole));
    return sample.rms();
}

class EveryErrorSample : public testing::TestWithParam<const char*> {
protected:
    static EngineConfig config() {
        return {.engine = GetParam(), .precision = Precision::kSingle, .tree = {.accuracy = 1e-3}};
    }
    struct Judged {
        Scene scene;
        KnownReferences all;
    };
    /// Cached across engines.
    static Judged& made(const std::string& preset, unsigned seed) {
        static std::map<std::pair<std::string, unsigned>, Judged> kept;
        const std::pair key{preset, seed};
        if (const auto found = kept.find(key); found != kept.end()) return found->second;
        Scene scene = make_preset(preset, {.bodies = everyday(3000, 6000) + seed, .seed = seed});
        KnownReferences all{scene, scene.bodies.size()};
        return kept.emplace(key, Judged{std::move(scene), std::move(all)}).first->second;
    }
};

TEST_P(EveryErrorSample, UsesAllBodiesWhenThereAreFew) {
    for (const std::size_t bodies : {1u, 2u, 700u, 1024u}) {
        const Scene scene = make_preset("collision", {.bodies = bodies});
        const auto system = evaluated_tree(scene, config());
        const double exact = system->force_error(scene.gravity, bodies).rms;
        EXPECT_NEAR(estimated(*system, scene.gravity), exact, 1e-3 * exact) << bodies;
    }
}

/// Within 2.5 standard errors, with heavy tails and without bias.
TEST_P(EveryErrorSample, EstimatesTheErrorOfAllBodies) {
    for (const std::string preset : {"plummer", "hernquist", "disc-galaxy", "zeldovich"}) {
        if (preset == "hernquist" && !runs_long()) continue;  // as cuspy as the bulge of the galaxy
        double sum = 0;
        for (unsigned seed = 1; seed <= 4; ++seed) {
            Judged& judged = made(preset, seed);
            const Scene& scene = judged.scene;
            const auto system = evaluated_tree(scene, config());
            const double exact = judged.all.error_of(*system).rms, ratio = estimated(*system, scene.gravity) / exact;
            EXPECT_NEAR(ratio, 1, 0.25) << preset << ' ' << seed;
            sum += ratio;
        }
        EXPECT_NEAR(sum / 4, 1, 0.15) << preset;
    }
}

TEST_P(EveryErrorSample, IsBitwiseEqualHoweverItIsSliced) {
    const Scene scene = make_preset("plummer", {.bodies = 40'000});  // more than the number of candidates
    EngineConfig one = config();
    one.threads = 1;
    const auto system = evaluated_tree(scene, config()), by_one_thread = evaluated_tree(scene, one);
    const double whole = estimated(*system, scene.gravity);
    EXPECT_GT(whole, 0);
    EXPECT_EQ(estimated(*by_one_thread, scene.gravity), whole);
    ErrorSample sample;
    sample.begin(*system);
    int slices = 1;
    while (!sample.work(*system, scene.gravity, std::chrono::nanoseconds{1})) ++slices;
    EXPECT_GT(slices, 10);
    EXPECT_EQ(sample.rms(), whole);
}

/// Light bodies around a star, with more of them on one side: their forces on it nearly cancel.
Scene star_and_disc(std::size_t bodies, double mass) {
    Scene scene{.id = "star", .label = ""};
    scene.bodies.add({0, 0, 0}, {}, 1);
    Random random{11};
    for (std::size_t i = 1; i < bodies; ++i) {
        const double r = 1 + 4 * random.uniform(), turn = 6.2831853 * random.uniform();
        const double lopsided = 1 + 0.1 * std::cos(turn);
        scene.bodies.add({r * std::cos(turn), r * std::sin(turn), 0.01 * r * random.normal()}, {},
                         lopsided * mass / static_cast<double>(bodies));
    }
    scene.gravity.softening = 1e-3;
    return scene;
}

TEST_P(EveryErrorSample, IncludesTheDominantBody) {
    for (const std::size_t count : {700u, 6000u}) {
        const Scene scene = star_and_disc(count, 1e-3);
        EngineConfig coarse = config();
        coarse.precision = Precision::kDouble;
        coarse.tree = {.theta = 1.0};
        const auto system = evaluated_tree(scene, coarse);
        ASSERT_EQ(system->heavy_bodies(), std::vector<std::uint32_t>{0});
        ErrorSample sample;
        sample.begin(*system);
        ASSERT_TRUE(sample.work(*system, scene.gravity, kWhole));
        const Vec3d found = xyz(system->accelerations()[0]), wanted = system->reference(scene.gravity, 0);
        const double off = length(found - wanted) / length(wanted);
        EXPECT_NEAR(sample.of_heavy(), off, 1e-9 * off) << count;
        EXPECT_EQ(sample.error(), std::max(sample.rms(), sample.of_heavy()));
    }
}

TEST_P(EveryErrorSample, KeepsAccuracyForTheDominantBodyOnceSettled) {
    for (const double mass : {1e-2, 1e-3, 1e-5}) {
        const Scene scene = star_and_disc(1401, mass);
        EngineConfig kept = config();
        kept.precision = Precision::kDouble;
        kept.tree.keep_accuracy = true;
        const auto system = make_body_system(kept, scene.bodies);
        settle_accuracy(*system, scene.gravity);
        system->run_forces(0, system->begin_forces(scene.gravity, Potential::kSkip));
        const Vec3d found = xyz(system->accelerations()[0]), wanted = system->reference(scene.gravity, 0);
        EXPECT_LE(length(found - wanted), 1.2e-3 * length(wanted)) << mass;
    }
}

INSTANTIATE_TEST_SUITE_P(Approximations, EveryErrorSample, testing::Values("tree", "fmm"));

TEST(ErrorSample, IsZeroWithoutAccelerations) {
    Bodies bodies;
    for (int i = 0; i < 2000; ++i) bodies.add({0.1 * i, 0, 0}, {}, 0);
    const Scene scene{.id = "", .label = "", .bodies = bodies};
    const auto system = evaluated_tree(scene, {.engine = "tree"});
    EXPECT_EQ(estimated(*system, scene.gravity), 0);
}

class EveryReference : public testing::TestWithParam<Backend> {
protected:
    void SetUp() override {
        if (GetParam() == Backend::kCuda && !cuda_info().available) skip_or_fail(cuda_info().reason);
        if (GetParam() == Backend::kGl && !gl_compute_info().available) skip_or_fail(gl_compute_info().reason);
    }
    static void expect_plain_sums(const Bodies& all, Precision precision, double softening,
                                  const std::vector<std::uint32_t>& which) {
        const Bodies bodies = rounded(all, precision);
        const Gravity gravity{.constant = 1.7, .softening = softening};
        const auto system =
            make_body_system({.engine = "direct", .backend = GetParam(), .precision = precision}, bodies);
        const auto found = system->references(gravity, which);
        ASSERT_EQ(found.size(), which.size());
        for (std::size_t k = 0; k < which.size(); ++k) {
            const Vec4d plain = reference_acceleration(Law::kPairs, bodies.position_mass.data(),
                                                       bodies.position_mass.size(), which[k], gravity);
            const Vec3d off = xyz(found[k]) - xyz(plain);
            EXPECT_LE(std::sqrt(dot(off, off)), 1e-13 * std::sqrt(dot(xyz(plain), xyz(plain)))) << which[k];
        }
    }
};

TEST_P(EveryReference, EqualsPlainSums) {
    for (const std::size_t count : {1u, 2u, 15u, 33u, 257u})
        for (const double softening : {0.0, 0.05})
            for (const Precision precision : {Precision::kSingle, Precision::kDouble}) {
                Bodies bodies = ball(count);
                if (count > 2) bodies.position_mass[1] = bodies.position_mass[0];  // they coincide
                std::vector<std::uint32_t> which(count);
                std::iota(which.rbegin(), which.rend(), 0u);
                expect_plain_sums(bodies, precision, softening, which);
            }
}

TEST_P(EveryReference, AddsTheSharesOfManyBodies) {
    expect_plain_sums(ball(150'001), Precision::kSingle, 0.05, {0, 77, 65'536, 150'000});
}

INSTANTIATE_TEST_SUITE_P(Backends, EveryReference, testing::ValuesIn(backends().begin(), backends().end()),
                         [](const auto& each) { return std::string{name(each.param)}; });

}  // namespace
}  // namespace orrery::test
