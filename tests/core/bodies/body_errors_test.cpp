// SPDX-License-Identifier: MIT
// The force error of each body, and its way into frames.
#include "core/bodies/body_errors.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "core/base/pool.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery::test {
namespace {

double norm(Vec3d a) { return std::sqrt(dot(a, a)); }

EngineConfig coarse_tree(double theta) {
    return {.engine = "tree", .precision = Precision::kDouble, .tree = {.theta = theta, .order = 1}};
}

BodyErrors errors_of(const EngineConfig& config, const Scene& scene) {
    const auto system = make_body_system(config, scene.bodies);
    system->run_forces(0, system->begin_forces(scene.gravity, Potential::kSkip));
    system->wait();
    Pool pool{0, false};
    return body_errors(pool, system->save(), system->law(), scene.gravity, {});
}

TEST(BodyErrors, EqualTheDifferenceOfTwoEngines) {
    const Scene scene = make_preset("plummer", {.bodies = 3000});
    const auto found = accelerations(coarse_tree(0.9), scene.bodies, scene.gravity),
               exact = accelerations({.precision = Precision::kDouble}, scene.bodies, scene.gravity);
    const BodyErrors errors = errors_of(coarse_tree(0.9), scene);
    EXPECT_EQ(errors.samples, 0u);
    ASSERT_EQ(errors.each.size(), 3000u);
    double largest = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double expected = norm(xyz(found[i]) - xyz(exact[i])) / norm(xyz(exact[i]));
        ASSERT_NEAR(errors.each[i], expected, 1e-5 * expected + 1e-12) << i;
        largest = std::max(largest, expected);
    }
    EXPECT_GT(largest, 1e-3);
}

TEST(BodyErrors, OfDirectSummationAreRoundingErrors) {
    const Scene scene = make_preset("plummer", {.bodies = 2000});
    const BodyErrors in_double = errors_of({.precision = Precision::kDouble}, scene),
                     in_single = errors_of({.precision = Precision::kSingle}, scene);
    EXPECT_LT(std::ranges::max(in_double.each), 1e-12);
    EXPECT_LT(std::ranges::max(in_single.each), 1e-3);
    EXPECT_GT(std::ranges::max(in_single.each), 1e-8);
}

TEST(BodyErrors, AreFiniteWithoutForces) {
    Scene scene;
    scene.bodies.add({}, {}, 1);
    EXPECT_THAT(errors_of({}, scene).each, testing::ElementsAre(0));
    const BodyState state =
        pack<double>(std::vector<Vec4d>{{0, 0, 0, 1}}, std::vector<Vec4d>(1), std::vector<Vec4d>{{1, 0, 0, 0}});
    Pool pool{1, false};
    EXPECT_TRUE(std::isfinite(body_errors(pool, state, Law::kPairs, scene.gravity, {}).each[0]));
}

/// Triplets cost so much that a few hundred bodies are too many.
TEST(BodyErrors, OfManyBodiesComeFromASample) {
    const Scene scene = make_preset("plummer", {.bodies = 350});
    std::vector<Vec4d> found = reference_accelerations(Law::kAxilrodTeller, scene.bodies.position_mass, scene.gravity);
    const auto error_at = [](Vec4d x) { return x.x > 0 ? 0.01 : 0.1; };
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double scale = 1 + error_at(scene.bodies.position_mass[i]);
        found[i] = {scale * found[i].x, scale * found[i].y, scale * found[i].z, 0};
    }
    const BodyState state = pack<double>(scene.bodies.position_mass, std::vector<Vec4d>(350), found);
    Pool pool{0, false}, single{1, false};
    const BodyErrors errors = body_errors(pool, state, Law::kAxilrodTeller, scene.gravity, {});
    EXPECT_GT(errors.samples, 100u);
    EXPECT_LT(errors.samples, 350u);
    std::size_t right = 0;
    for (std::size_t i = 0; i < 350; ++i) {
        const double here = error_at(scene.bodies.position_mass[i]);
        EXPECT_TRUE(std::abs(errors.each[i] - 0.01) < 1e-6 || std::abs(errors.each[i] - 0.1) < 1e-6) << i;
        right += std::abs(errors.each[i] - here) < 1e-6 ? 1 : 0;
    }
    EXPECT_GE(right, errors.samples) << "measured bodies have their own error";
    EXPECT_GT(right, 310u) << "the others have that of a near one";
    EXPECT_EQ(body_errors(single, state, Law::kAxilrodTeller, scene.gravity, {}).each, errors.each);
}

TEST(BodyErrors, ColourFramesOnceTheyAreMeasured) {
    const Scene scene = make_preset("plummer", {.bodies = 1000});
    Simulation simulation{scene, coarse_tree(0.8)};
    simulation.set_color_by(ColorBy::kError);
    Frame frame;
    simulation.step();
    simulation.fill(frame);
    EXPECT_THAT(frame.no_color, testing::HasSubstr("not been measured"));
    const auto measured_largest = [&] {
        complete_colors(simulation);
        EXPECT_FALSE(simulation.forces().color_due());
        simulation.fill(frame);
        EXPECT_EQ(frame.no_color, "");
        EXPECT_EQ(frame.extent.color_by, ColorBy::kError);
        Pool pool{0, false};
        const BodyErrors errors =
            body_errors(pool, simulation.system().save(), Law::kPairs, simulation.scene().gravity, {});
        for (std::size_t i = 0; i < frame.count; ++i) EXPECT_EQ(frame.host[i].w, errors.each[i]);
        return std::ranges::max(errors.each);
    };
    const float coarse = measured_largest();
    simulation.set_engine(coarse_tree(0.2));
    EXPECT_TRUE(simulation.forces().color_due());
    EXPECT_LT(measured_largest(), coarse / 4) << "of the present forces, not those before";
    simulation.set_color_by(ColorBy::kSpeed);
    simulation.set_color_by(ColorBy::kError);
    simulation.fill(frame);
    EXPECT_NE(frame.no_color, "") << "old errors are not kept";
}

TEST(BodyErrors, DoNotAffectTheSteps) {
    const Scene scene = make_preset("plummer", {.bodies = 500});
    for (const char* id : {"leapfrog", "leapfrog-dkd", "hermite4"}) {
        const EngineConfig engine{.precision = Precision::kDouble};
        Simulation observed{scene, engine, id}, other{scene, engine, id};
        observed.set_color_by(ColorBy::kError);
        for (int step = 0; step < 3; ++step) {
            complete_colors(observed);
            observed.step(), other.step();
        }
        EXPECT_EQ(observed.system().save().bytes, other.system().save().bytes) << id;
    }
}

}  // namespace
}  // namespace orrery::test
