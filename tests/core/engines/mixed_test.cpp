// SPDX-License-Identifier: MIT
// Mixed precision: state in double, differences of positions exact, arithmetic in float.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "core/base/error.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/sampling.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/support/every_engine.hpp"

namespace orrery::test {
namespace {

/// The engines that offer mixed precision.
std::vector<EngineCase> every_mixed_engine() {
    std::vector<EngineCase> cases;
    for (const EngineCase& c : every_engine())
        if (c.precision == Precision::kMixed) cases.push_back(c);
    return cases;
}

EngineConfig with(EngineConfig config, Precision precision) {
    config.precision = precision;
    return config;
}

class Mixed : public NeedsEngine {
protected:
    double error_of(Precision precision, const Bodies& bodies, const Gravity& gravity) const {
        const EngineConfig reference{.engine = "reference", .precision = Precision::kDouble};
        return compare(accelerations(with(GetParam().config(), precision), bodies, gravity),
                       accelerations(reference, bodies, gravity))
            .rms;
    }
};

/// Pairs 1e-7 apart in a ball of size 1: floats, whose spacing there is 6e-8, do not resolve their separation.
TEST_P(Mixed, ResolvesDistancesBelowFloatPrecision) {
    Bodies bodies;
    const Bodies places = ball(300);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Vec4d at = places.position_mass[i];
        const double turn = static_cast<double>(i);
        const Vec3d to{1e-7 * std::cos(turn), 1e-7 * std::sin(turn), 3e-8};
        bodies.add(xyz(at), {}, at.w);
        bodies.add(xyz(at) + to, {}, at.w);
    }
    EXPECT_LE(error_of(Precision::kMixed, bodies, {.softening = 0}), 2 * GetParam().tolerance());
    if (GetParam().entry->id != "reference") {
        EXPECT_GT(error_of(Precision::kSingle, bodies, {.softening = 0}), 0.01);
    }
}

/// A ball of size 1 far from the origin of coordinates.
TEST_P(Mixed, IsAccurateFarFromTheOrigin) {
    Bodies bodies = ball(1000);
    for (Vec4d& at : bodies.position_mass) at.x += 1e5, at.y -= 3e5;
    EXPECT_LE(error_of(Precision::kMixed, bodies, {.softening = 0.01}), 2 * GetParam().tolerance());
}

/// A planet's orbit in up to a thousand steps: in single precision its energy drifts due to rounding of the position.
TEST_P(Mixed, ConservesEnergyAsWellAsDouble) {
    const int steps = GetParam().on_software_gl() ? 150 : 1000;
    const auto drift = [steps](Precision precision) {
        const EngineConfig config = with(GetParam().config(), precision);
        Scene scene;
        scene.bodies.add({0, 0, 0}, {0, 0, 0}, 1);
        scene.bodies.add({1, 0, 0}, {0, 1, 0}, 0);
        scene.gravity = {.softening = 0};
        scene.dt = 2 * std::numbers::pi / 1000;
        Simulation simulation{scene, config, "yoshida4"};
        for (int step = 0; step < steps; ++step) simulation.step();
        const auto state = simulation.system().bodies();
        const Vec3d at = xyz(state.position_mass[1]), v = state.velocity[1];
        return std::abs(0.5 * dot(v, v) - 1 / std::sqrt(dot(at, at)) + 0.5);
    };
    const double in_mixed = drift(Precision::kMixed);
    EXPECT_LE(in_mixed, 1e-7);
    EXPECT_LT(5 * in_mixed, drift(Precision::kSingle));
}

INSTANTIATE_TEST_SUITE_P(Menu, Mixed, ::testing::ValuesIn(every_mixed_engine()), case_name);

TEST(Precisions, EveryEngineOffersEveryPrecision) {
    for (const EngineEntry& entry : engines())
        for (const Precision precision : precisions())
            EXPECT_EQ(offers(entry, precision), precision != Precision::kMixed || !entry.has(Capability::kKernel))
                << entry.id;
}

TEST(Precisions, UnsupportedPrecisionIsRefused) {
    EngineEntry entry = engines().front();
    entry.capabilities = {};
    EXPECT_NO_THROW(require_precision(entry, Precision::kDouble));
    EXPECT_THAT([&] { require_precision(entry, Precision::kMixed); },
                ::testing::ThrowsMessage<Error>(::testing::HasSubstr("has no mixed precision")));
}

TEST(Precisions, ParseFromTheirNames) {
    for (const Precision precision : precisions()) EXPECT_EQ(parse_precision(name(precision)), precision);
    EXPECT_THROW(parse_precision("half"), Error);
}

}  // namespace
}  // namespace orrery::test
