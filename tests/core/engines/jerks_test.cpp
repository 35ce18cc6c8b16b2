// SPDX-License-Identifier: MIT
// Jerks of every engine that provides them, against a plain loop and against differences of forces; and the convergence
// of Hermite's scheme with them.
#include "tests/support/jerks.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

#include "core/analysis/diagnostics.hpp"
#include "core/base/error.hpp"
#include "core/bodies/body_system.hpp"
#include "core/integrators/integrators.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

/// Aarseth 2003, Gravitational N-Body Simulations, eq. 2.9 and 2.10, softened, in a plain loop in double.
AccelerationsAndJerks plain(const Bodies& bodies, const Gravity& gravity) {
    AccelerationsAndJerks all;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        Vec3d acceleration{}, jerk{};
        double potential = 0;
        for (std::size_t j = 0; j < bodies.size(); ++j) {
            const Vec3d x = xyz(bodies.position_mass[j]) - xyz(bodies.position_mass[i]);
            const Vec3d v = bodies.velocity[j] - bodies.velocity[i];
            const double r2 = dot(x, x) + gravity.softening * gravity.softening;
            if (j == i || r2 == 0) continue;
            const double factor = gravity.constant * bodies.position_mass[j].w / (r2 * std::sqrt(r2));
            acceleration = acceleration + factor * x;
            jerk = jerk + factor * (v - 3 * dot(x, v) / r2 * x);
            potential -= factor * r2;
        }
        all.acceleration.push_back({acceleration.x, acceleration.y, acceleration.z, potential});
        all.jerk.push_back({jerk.x, jerk.y, jerk.z, 0});
    }
    return all;
}

/// √(Σ|a − b|² / Σ|b|²) of x, y and z over `rows`.
double difference(const std::vector<Vec4d>& a, const std::vector<Vec4d>& b, const std::vector<std::uint32_t>& rows) {
    double off = 0, all = 0;
    for (const std::uint32_t i : rows) {
        const Vec3d d = xyz(a[i]) - xyz(b[i]);
        off += dot(d, d), all += dot(xyz(b[i]), xyz(b[i]));
    }
    return all > 0 ? std::sqrt(off / all) : std::sqrt(off);
}

std::vector<std::uint32_t> all_rows(std::size_t count) {
    std::vector<std::uint32_t> rows(count);
    std::iota(rows.begin(), rows.end(), 0u);
    return rows;
}

class EveryJerkEngine : public NeedsEngine {
protected:
    bool in_double() const { return GetParam().precision == Precision::kDouble; }
    EngineConfig config() const {
        EngineConfig config = GetParam().config();
        config.threads = 1;
        return config;
    }

    void expect_plain(const Bodies& bodies, const Gravity& gravity, const std::vector<std::uint32_t>& rows,
                      double tolerance) const {
        const AccelerationsAndJerks found = jerks_of(GetParam(), bodies, gravity, rows),
                                    wanted = plain(bodies, gravity);
        EXPECT_LE(difference(found.acceleration, wanted.acceleration, rows), tolerance)
            << rows.size() << " of " << bodies.size();
        EXPECT_LE(difference(found.jerk, wanted.jerk, rows), tolerance) << rows.size() << " of " << bodies.size();
        for (const std::uint32_t i : rows)
            ASSERT_NEAR(found.acceleration[i].w, wanted.acceleration[i].w,
                        tolerance * std::abs(wanted.acceleration[i].w))
                << i;
        for (std::uint32_t i = 0, next = 0; i < bodies.size(); ++i) {
            if (next < rows.size() && rows[next] == i)
                ++next;
            else
                ASSERT_TRUE(found.acceleration[i] == Vec4d{} && found.jerk[i] == Vec4d{})
                    << "not requested: body " << i;
        }
    }
};

TEST_P(EveryJerkEngine, MatchesPlainLoopForRequestedRows) {
    const double least = in_double() ? 1e-13 : 1e-5;
    for (const std::size_t count : {1, 2, 7, 16, 31, 64, 65, 300, 1000, everyday(2100, 5000)}) {
        Scene scene = make_preset("plummer", {count, 4});
        Bodies& bodies = scene.bodies;
        for (std::size_t i = 0; i < count; ++i)
            bodies.position_mass[i].w *= 1 + 0.1 * static_cast<double>(i % 7);  // unequal masses
        for (Vec4d& x : bodies.position_mass) x = convert<double>(convert<float>(x));
        std::vector<std::uint32_t> some;
        for (std::uint32_t i = 0; i < count; ++i)
            if (i % 3 != 1) some.push_back(i);
        for (const auto& rows : {some, all_rows(count), std::vector<std::uint32_t>{std::uint32_t(count - 1)}})
            expect_plain(bodies, scene.gravity, rows, least);
        if (!in_double()) continue;
        if (count > 2) bodies.position_mass[1] = bodies.position_mass[0];
        scene.gravity = {.constant = 2, .softening = 0};
        for (const auto& rows : {some, all_rows(count)}) expect_plain(bodies, scene.gravity, rows, 10 * least);
    }
}

TEST_P(EveryJerkEngine, ExcludesSelfPotential) {
    Scene scene = make_preset("plummer", {300, 4});
    for (Vec4d& x : scene.bodies.position_mass) x = convert<double>(convert<float>(x));
    scene.gravity.softening = in_double() ? 1e-18 : 1e-7;
    std::vector<std::uint32_t> some;
    for (std::uint32_t i = 0; i < 300; i += 7) some.push_back(i);
    for (const auto& rows : {some, all_rows(300)})
        expect_plain(scene.bodies, scene.gravity, rows, in_double() ? 1e-12 : 1e-5);
}

/// In double only: rounding in single precision hides finite differences and orders of convergence.
class EveryJerkEngineInDouble : public EveryJerkEngine {};

/// (a(t + h) − a(t − h))/2h of the same engine, with bodies moved along their velocities.
TEST_P(EveryJerkEngineInDouble, JerkMatchesFiniteDifferences) {
    const Scene scene = make_preset("plummer", {300, 2});
    const auto rows = all_rows(scene.bodies.size());
    const double h = 1e-5;
    const auto moved = [&](double by) {
        Bodies bodies = scene.bodies;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const Vec3d at = xyz(bodies.position_mass[i]) + by * bodies.velocity[i];
            bodies.position_mass[i] = {at.x, at.y, at.z, bodies.position_mass[i].w};
        }
        return jerks_of(GetParam(), bodies, scene.gravity, rows).acceleration;
    };
    const std::vector<Vec4d> before = moved(-h), after = moved(h);
    std::vector<Vec4d> change;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const Vec3d d = 1 / (2 * h) * (xyz(after[i]) - xyz(before[i]));
        change.push_back({d.x, d.y, d.z, 0});
    }
    EXPECT_LE(difference(jerks_of(GetParam(), scene.bodies, scene.gravity, rows).jerk, change, rows), 1e-6);
}

/// Two bodies of mass ½ on a circular orbit of separation 1: the period is 2π.
double miss_after_a_period(const EngineConfig& config, std::string_view integrator_id, int steps) {
    Scene scene;
    scene.bodies.add({0.5, 0, 0}, {0, 0.5, 0}, 0.5);
    scene.bodies.add({-0.5, 0, 0}, {0, -0.5, 0}, 0.5);
    const bool individual = integrator(integrator_id).individual;
    const double step = 2 * std::numbers::pi / steps;
    if (individual) scene.adaptive = step * step;
    const int intervals = individual ? 8 : steps;
    scene.dt = 2 * std::numbers::pi / intervals;
    Simulation simulation{scene, config, integrator_id};
    for (int i = 0; i < intervals; ++i) simulation.step();
    const Vec3d d = xyz(simulation.system().bodies().position_mass[0]) - Vec3d{0.5, 0, 0};
    return std::sqrt(dot(d, d));
}

TEST_P(EveryJerkEngineInDouble, HermiteConvergesWithFourthOrder) {
    for (const std::string_view id : {"hermite4", "hermite4-block"}) {
        const double coarse = miss_after_a_period(config(), id, 200), fine = miss_after_a_period(config(), id, 400);
        EXPECT_NEAR(std::log2(coarse / fine), 4, 0.1) << id;
    }
}

/// A cluster with a wide range of time steps; softened only enough for the closest pairs.
Scene cluster() {
    Scene scene = make_preset("plummer", {300, 9});
    scene.gravity.softening = 0.01;
    return scene;
}

TEST_P(EveryJerkEngine, TakesSameStepsAsDirect) {
    for (const std::string_view id : {"hermite4", "hermite4-block"}) {
        Scene scene = cluster();
        scene.dt = id == "hermite4" ? 1.0 / 1024 : 1.0 / 32;
        const int steps = id == "hermite4" ? 64 : 4;
        Simulation simulation{scene, config(), id};
        Simulation direct{scene, {.precision = Precision::kDouble, .threads = 1}, id};
        for (int i = 0; i < steps; ++i) simulation.step(), direct.step();
        const Bodies here = simulation.system().bodies(), there = direct.system().bodies();
        EXPECT_LE(difference(here.position_mass, there.position_mass, all_rows(here.size())),
                  in_double() ? 1e-11 : 1e-5)
            << id;
        const double share =
            static_cast<double>(simulation.forces().body_forces()) / static_cast<double>(direct.forces().body_forces());
        EXPECT_NEAR(share, 1, in_double() ? 0.001 : 0.05) << id;
        EXPECT_EQ(simulation.now().time, direct.now().time);
    }
}

TEST_P(EveryJerkEngine, ConservesEnergyOfACluster) {
    const EngineConfig exact{.precision = Precision::kDouble, .threads = 1};
    for (const std::string_view id : {"hermite4", "hermite4-block"}) {
        Scene scene = cluster();
        scene.dt = id == "hermite4" ? 1.0 / 512 : 1.0 / 16;
        const double before = diagnose(scene.bodies, scene.gravity, exact).total();
        Simulation simulation{scene, config(), id};
        while (simulation.now().time < 0.5 - 1e-9) simulation.step();
        const double after = diagnose(simulation.system().bodies(), scene.gravity, exact).total();
        EXPECT_LT(std::abs(after / before - 1), in_double() ? (id == "hermite4" ? 2e-7 : 5e-6) : 2e-5) << id;
    }
}

TEST_P(EveryJerkEngine, RestartsPartialStepWhenEngineChanges) {
    Scene scene = make_preset("plummer", {300, 1});
    scene.dt = 0.01;
    if (!GetParam().entry->repeats(config())) GTEST_SKIP() << "is not reproducible";
    for (const std::string_view id : {"hermite4", "hermite4-block"}) {
        Simulation whole{scene, config(), id}, cut{scene, config(), id};
        whole.step(), cut.step();
        while (!cut.within_step()) ASSERT_FALSE(cut.advance(std::chrono::nanoseconds{1}));
        cut.set_engine(config());
        EXPECT_FALSE(cut.within_step());
        cut.step(), whole.step();
        EXPECT_EQ(cut.system().bodies().position_mass, whole.system().bodies().position_mass);
        EXPECT_EQ(cut.now().time, whole.now().time);
    }
}

std::vector<EngineCase> those_in_double() {
    std::vector<EngineCase> cases = every_jerk_engine();
    std::erase_if(cases, [](const EngineCase& c) { return c.precision != Precision::kDouble; });
    return cases;
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryJerkEngine, ::testing::ValuesIn(every_jerk_engine()), case_name);
INSTANTIATE_TEST_SUITE_P(Menu, EveryJerkEngineInDouble, ::testing::ValuesIn(those_in_double()), case_name);

TEST(Jerks, AreUnavailableInMixedPrecision) {
    const Scene scene = make_preset("plummer", {100, 1});
    for (const EngineEntry& entry : engines()) {
        if (!entry.jerk || !entry.mixed || !unavailable(entry).empty()) continue;
        EngineConfig config{.engine = std::string{entry.id}, .backend = entry.backend};
        config.precision = Precision::kMixed;
        EXPECT_THROW((Simulation{scene, config, "hermite4"}), Error);
    }
}

}  // namespace
}  // namespace orrery::test
