// SPDX-License-Identifier: MIT
// Every engine in every precision, at lengths, masses and softenings from 1e-20 to 1e20: correct, or refused with a
// reason.
#include "core/bodies/representable.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/sampling.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/support/every_engine.hpp"

namespace orrery::test {
namespace {

Bodies scaled(Bodies bodies, double length, double mass) {
    for (Vec4d& body : bodies.position_mass) body = {length * body.x, length * body.y, length * body.z, mass * body.w};
    return bodies;
}

class EveryRange : public NeedsEngine {
protected:
    bool in_double() const { return GetParam().precision == Precision::kDouble; }
    /// True if the bodies are accepted; then accelerations and potentials must be correct.
    bool holds(const Bodies& bodies, const Gravity& gravity) const {
        const std::string what = unrepresentable(bodies, gravity, GetParam().config());
        if (!what.empty()) return false;
        const Bodies held = rounded(bodies, GetParam().precision);
        const auto found = accelerations(GetParam().config(), held, gravity, Potential::kCompute),
                   wanted = accelerations({.engine = "reference", .precision = Precision::kDouble}, held, gravity,
                                          Potential::kCompute);
        EXPECT_LE(compare(found, wanted).rms, 2 * GetParam().tolerance());
        const double tolerance = std::max(4 * GetParam().tolerance(), in_double() ? 1e-12 : 1e-5);
        // Fixed-point sums on a GPU have one resolution for all bodies.
        double largest = 0;
        for (const Vec4d& each : wanted) largest = std::max(largest, std::abs(each.w));
        const bool fixed_point = GetParam().config().deterministic && GetParam().entry->backend == Backend::kCuda;
        for (std::size_t i = 0; i < found.size(); ++i)
            EXPECT_NEAR(found[i].w, wanted[i].w, tolerance * (fixed_point ? largest : std::abs(wanted[i].w)))
                << "potential of body " << i;
        return true;
    }
};

TEST_P(EveryRange, ComputesOrRefusesInAnyUnits) {
    const Bodies ball_of_one = ball(150);
    int held = 0;
    for (const double length : {1e-20, 1e-10, 1.0, 1e10, 1e20})
        for (const double mass : {1e-20, 1.0, 1e20})
            for (const double softening : {0.0, 0.02, 3.0}) {
                SCOPED_TRACE(fmt::format("lengths of {:g}, masses of {:g}, softening {}", length, mass, softening));
                held += holds(scaled(ball_of_one, length, mass), {.softening = length * softening});
            }
    EXPECT_GE(held, in_double() ? 45 : GetParam().entry->own_units ? 27 : 9);
}

TEST_P(EveryRange, AcceptsAnySofteningForBodiesOfOrderOne) {
    const Bodies bodies = ball(150);
    for (const double softening : {0.0, 1e-20, 1e-15, 1e-10, 1e-5, 1.0, 1e5, 1e10})
        EXPECT_TRUE(holds(bodies, {.softening = softening})) << softening;
    const bool held = holds(bodies, {.softening = 1e20});
    EXPECT_EQ(held, in_double());
}

TEST_P(EveryRange, AcceptsOneDistantBody) {
    Bodies bodies = ball(150);
    bodies.add({1e6, 0, 0}, {}, 1e-3);
    EXPECT_TRUE(holds(bodies, {.softening = 1e-3}));
    bodies.position_mass.back().x = 1e15;
    const bool refused = GetParam().precision == Precision::kMixed ||
                         (GetParam().precision == Precision::kSingle && GetParam().entry->own_units);
    EXPECT_NE(holds(bodies, {.softening = 1e-3}), refused);
}

TEST_P(EveryRange, AcceptsManyCoincidentBodies) {
    Bodies bodies = ball(60);
    for (std::size_t i = 0; i < 40; ++i) bodies.position_mass[i] = {0.5, 0.25, 0.125, bodies.position_mass[i].w};
    for (const double softening : {0.0, 0.05}) EXPECT_TRUE(holds(bodies, {.softening = softening}));
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryRange, ::testing::ValuesIn(every_engine()), case_name);

std::string refusal_of(const Bodies& bodies, const Gravity& gravity, Precision precision) {
    try {
        require_representable(bodies, gravity, {.engine = "direct", .precision = precision});
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(Representable, RefusalsNameTheCauseAndTheRemedy) {
    const Bodies metres = scaled(ball(64), 1e20, 1e30), light = scaled(ball(64), 1, 1e-50),
                 tiny = scaled(ball(64), 1e-15, 1), thin = scaled(ball(64), 1e15, 1);
    const auto says = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text << "\nwithout: " << part;
    };
    for (const auto& [bodies, part] : {std::pair{metres, "their squares exceed"},
                                       {light, "has a mass of"},
                                       {tiny, "count as touching"},
                                       {thin, "masses over cubes of distances"}}) {
        const std::string single = refusal_of(bodies, {}, Precision::kSingle);
        says(single, part), says(single, "--precision double"), says(single, "'direct' in single precision");
        EXPECT_EQ(refusal_of(bodies, {}, Precision::kDouble), "");
    }
    says(refusal_of(scaled(ball(64), 1e200, 1), {}, Precision::kDouble), "use other units");
}

TEST(Representable, RefusesMassesWhoseSumIsInfinite) {
    const Bodies heavy = scaled(ball(64), 1e20, 1e39);
    for (const char* engine : {"tree", "fmm", "tree-locks"}) {
        EXPECT_NE(unrepresentable(heavy, {}, {.engine = engine}).find("total mass of"), std::string::npos) << engine;
        EXPECT_EQ(unrepresentable(heavy, {}, {.engine = engine, .precision = Precision::kDouble}), "");
    }
}

TEST(Representable, ChecksTripletForces) {
    EXPECT_EQ(unrepresentable(ball(64), {}, {.engine = "triplet"}), "");
    EXPECT_NE(unrepresentable(scaled(ball(64), 1e20, 1), {}, {.engine = "triplet"}), "");
    EXPECT_NE(unrepresentable(scaled(ball(64), 1e6, 1), {}, {.engine = "triplet"}).find("forces of triplets"),
              std::string::npos);
}

TEST(Representable, SimulationsAreRefusedAtConstruction) {
    Scene scene = make_preset("plummer", {.bodies = 64});
    scene.bodies = scaled(scene.bodies, 1e20, 1);
    scene.gravity.softening *= 1e20;
    EXPECT_THROW((Simulation{scene, {.engine = "direct"}}), Error);
    Simulation simulation{scene, {.engine = "direct", .precision = Precision::kDouble}};
    EXPECT_THROW(simulation.set_engine({.engine = "half"}), Error);
    EXPECT_EQ(simulation.engine_config().precision, Precision::kDouble);
}

}  // namespace
}  // namespace orrery::test
