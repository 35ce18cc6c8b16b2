// SPDX-License-Identifier: MIT
// Inputs that break tree codes and the fast multipole method: coincident bodies, lines, extreme scales, masses of all
// sizes and none.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/bodies/body_system.hpp"
#include "core/bodies/sampling.hpp"
#include "tests/support/every_engine.hpp"

namespace orrery::test {
namespace {

class TreeExtremes : public NeedsEngine {
protected:
    static EngineConfig tree() { return GetParam().config(); }
    static bool walks() { return GetParam().entry->id == "tree"; }

    /// The largest error over two orders and both acceptance criteria.
    double error(const Bodies& bodies, const Gravity& gravity) const {
        const EngineConfig reference{.engine = "direct", .precision = Precision::kDouble};
        const Bodies held = rounded(bodies, GetParam().precision);
        const auto wanted = accelerations(reference, held, gravity);
        double worst = 0;
        const TreeConfig low = walks() ? TreeConfig{.theta = 0.3, .order = 1} : TreeConfig{.theta = 0.3, .order = 4};
        for (const TreeConfig& knobs : {TreeConfig{}, TreeConfig{.theta = 0.5}, low}) {
            EngineConfig config = tree();
            config.tree = knobs;
            const double rms = compare(accelerations(config, held, gravity), wanted).rms;
            worst = std::isnan(rms) ? rms : std::max(worst, rms);
        }
        return worst;
    }
};

constexpr double kTolerance = 1.5e-3;

TEST_P(TreeExtremes, HandlesManyCoincidentBodies) {
    Bodies bodies;
    const int crowd = GetParam().few_on_host(1300, 3000);
    for (int i = 0; i < crowd; ++i) bodies.add({1, 2, 3}, {}, 1);
    for (const double softening : {0.0, 0.1})
        for (const Vec4d& a : accelerations(tree(), bodies, {.softening = softening}))
            ASSERT_EQ(xyz(a), (Vec3d{0, 0, 0}));
    const auto deep = accelerations(tree(), bodies, {.softening = 0.5}, Potential::kCompute);
    for (const Vec4d& a : deep) ASSERT_NEAR(a.w, -(crowd - 1) / 0.5, 0.1);  // every other body at distance ε

    for (int i = 0; i < crowd; ++i) bodies.add({4, 2, 3}, {}, 1);  // the same number at a second position
    bodies.add({0, 0, 0}, {}, 1e-6);
    EXPECT_LE(error(bodies, {.softening = 0.1}), 1e-5);
    EXPECT_LE(error(bodies, {.softening = 0}), 1e-5);
}

TEST_P(TreeExtremes, HandlesManyCoincidentBodiesInACloud) {
    Bodies bodies = ball(2000);
    for (int i = 0; i < 500; ++i) bodies.position_mass[static_cast<std::size_t>(3 * i)] = {0.1, 0.2, 0.3, 1e-3};
    EXPECT_LE(error(bodies, {.softening = 0.05}), 2 * kTolerance);
    EXPECT_LE(error(bodies, {.softening = 0}), 2 * kTolerance);
}

/// The pairs' mutual attraction dominates. A cell with all bodies seems exact next to it, but contains the partner.
TEST_P(TreeExtremes, ResolvesClosePairs) {
    Bodies bodies;
    for (const Vec4d& at : ball(500).position_mass) {
        bodies.add(xyz(at), {}, at.w);
        bodies.add(xyz(at) + Vec3d{2e-5, 1e-5, 0}, {}, at.w);
    }
    EXPECT_LE(error(bodies, {.softening = 0}), kTolerance);
}

TEST_P(TreeExtremes, HandlesBodiesOnALineOrInAPlane) {
    Bodies line, plane;
    for (int i = 0; i < 2000; ++i) {
        line.add({0.001 * i, 0.001 * i, 0}, {}, 1 + i % 3);
        plane.add({std::sin(0.7 * i) * std::sqrt(i), 5, std::cos(0.7 * i) * std::sqrt(i)}, {}, 1);
    }
    // Fewer dimensions have fewer cells, whose errors cancel less.
    EXPECT_LE(error(line, {.softening = 0.001}), 2 * kTolerance);
    EXPECT_LE(error(plane, {.softening = 0.01}), 2 * kTolerance);
}

TEST_P(TreeExtremes, WorksAtAnyScale) {
    std::size_t line = 0;
    for (const double scale : {1e-15, 1e-6, 1e6, 1e15}) {
        for (const double mass : {1e-6, 1.0, 1e12}) {
            if (!has_turn(GetParam(), line++, 3)) continue;
            Bodies bodies = ball(GetParam().on_software_gl() ? 700 : 1500);
            for (Vec4d& body : bodies.position_mass)
                body = {scale * body.x, scale * body.y, scale * body.z, mass * body.w};
            const Gravity gravity{.constant = scale * scale / mass, .softening = 0.02 * scale};
            EXPECT_LE(error(bodies, gravity), kTolerance) << scale << ' ' << mass;
        }
    }
}

TEST_P(TreeExtremes, IsAccurateFarFromTheOrigin) {
    Bodies bodies = ball(2000);
    for (Vec4d& body : bodies.position_mass) body.x += 3000, body.y -= 5000;
    EXPECT_LE(error(bodies, {.softening = 0.05}), kTolerance);
}

TEST_P(TreeExtremes, HandlesAnyMasses) {
    Bodies bodies = ball(2000);
    std::mt19937_64 random{3};
    for (Vec4d& body : bodies.position_mass)
        body.w = std::pow(10.0, -12 * std::uniform_real_distribution<double>{}(random));
    EXPECT_LE(error(bodies, {.softening = 0.05}), kTolerance);
    Bodies system = ball(500);  // a sun, and planets of 1e-12 of its mass
    for (Vec4d& body : system.position_mass) body.w = 1e-12;
    system.add({0.01, 0, 0}, {}, 1);
    EXPECT_LE(error(system, {.softening = 0.001}), kTolerance);
}

TEST_P(TreeExtremes, HandlesMasslessBodies) {
    Bodies bodies = ball(2000);
    for (std::size_t i = 0; i < 1500; ++i) bodies.position_mass[i].w = 0;
    EXPECT_LE(error(bodies, {.softening = 0.05}), kTolerance);
    for (Vec4d& body : bodies.position_mass) body.w = 0;
    for (const double softening : {0.0, 0.05})
        for (const Vec4d& a : accelerations(tree(), bodies, {.softening = softening}, Potential::kCompute))
            ASSERT_EQ(a, (Vec4d{0, 0, 0, 0}));
}

/// A non-finite body must end the run in one error line, not in N² pairs.
TEST_P(TreeExtremes, NonFiniteBodyDoesNotSlowTheWalk) {
    for (const double lost : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        const std::size_t count = GetParam().on_software_gl() ? 3000 : 20000;
        Bodies bodies = ball(count);
        bodies.position_mass[0].y = bodies.position_mass[777].x = lost;
        const auto system = make_body_system(tree(), bodies);
        system->run_forces(0, system->begin_forces({.softening = 0.01}, Potential::kSkip));
        system->wait();
        EXPECT_LT(system->engine_report().with_bodies, static_cast<double>(count) / 4);
        EXPECT_GT(system->engine_report().cells, count / 64);
    }
}

TEST_P(TreeExtremes, HandlesFewBodies) {
    for (const std::size_t count : {1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 129}) {
        const Bodies bodies = ball(count);
        EXPECT_LE(error(bodies, {.softening = 0.01}), kTolerance) << count;
    }
    Bodies two;
    two.add({-1e-3, 0, 0}, {}, 1);
    two.add({1e-3, 0, 0}, {}, 1e-12);
    EXPECT_LE(error(two, {.softening = 0}), 1e-6);
}

/// The 1/r⁵ of a quadrupole, in units of the whole system, exceeds the range of float if distances or ε are small in
/// them.
TEST_P(TreeExtremes, HandlesOneDistantBody) {
    struct Case {
        double away, softening;
    };
    std::size_t line = 0;
    for (const Case c : {Case{1e2, 1e-6}, {1e3, 1e-5}, {1e4, 1e-4}, {1e6, 1e-2}, {1e8, 1e-3}, {1e8, 0}, {1e10, 1}}) {
        if (GetParam().on_software_gl() && !has_turn(GetParam(), line++, 3)) continue;
        for (const std::size_t count : {16, 1500}) {
            Bodies bodies = ball(count);
            bodies.add({c.away, -0.5 * c.away, 0}, {}, 1.0 / static_cast<double>(count));
            EXPECT_LE(error(bodies, {.softening = c.softening}), 2 * kTolerance)
                << count << " bodies, one at " << c.away << ", softening " << c.softening;
        }
    }
}

TEST_P(TreeExtremes, HandlesTwoDistantClusters) {
    Bodies bodies = ball(2000);
    for (std::size_t i = 0; i < 1000; ++i) {
        Vec4d& body = bodies.position_mass[i];
        body = {1e5 + body.x, body.y, body.z, 1e-3 * body.w};
    }
    EXPECT_LE(error(bodies, {.softening = 0.05}), kTolerance);
}

INSTANTIATE_TEST_SUITE_P(Menu, TreeExtremes, ::testing::ValuesIn([] {
                             std::vector<EngineCase> cases = every_engine();
                             std::erase_if(cases, [](const EngineCase& c) {
                                 return c.entry->id != "tree" && c.entry->id != "fmm";
                             });
                             return cases;
                         }()),
                         case_name);

}  // namespace
}  // namespace orrery::test
