// SPDX-License-Identifier: MIT
#include "core/bodies/interpolation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/pool.hpp"
#include "core/base/random.hpp"
#include "core/bodies/body_state.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/support/needs_device.hpp"

namespace orrery::test {
namespace {

/// Test motion: for each body a cubic polynomial x(t), and its derivative.
class Cubics {
public:
    explicit Cubics(std::size_t bodies) {
        Random random{7};
        for (std::size_t i = 0; i < 4 * bodies; ++i)
            coefficients_.push_back({random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5});
    }
    TimedBodies at(double t) const {
        TimedBodies state{.time = t, .bodies = {}};
        for (std::size_t i = 0; i < coefficients_.size(); i += 4) {
            const Vec3d *c = &coefficients_[i], zero{};
            Vec3d x = zero, v = zero;
            for (int k = 3; k >= 0; --k) v = t * v + x, x = t * x + c[k];
            state.bodies.add(x, v, 1 + static_cast<double>(i));
        }
        return state;
    }

private:
    std::vector<Vec3d> coefficients_;
};

Interpolation between(const TimedBodies& from, const TimedBodies& to, Pool& pool) {
    return {std::make_shared<TimedBodies>(from), std::make_shared<TimedBodies>(to), velocities_mislead(from, to, pool),
            pool};
}

struct Errors {
    double position = 0, velocity = 0;
};

Errors largest_errors(const Bodies& found, const Bodies& expected) {
    Errors most;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        most.position = std::max(most.position, length(xyz(found.position_mass[i]) - xyz(expected.position_mass[i])));
        most.velocity = std::max(most.velocity, length(found.velocity[i] - expected.velocity[i]));
    }
    return most;
}

TEST(Interpolation, IsExactForCubicMotion) {
    const Cubics cubics{10'000};  // several chunks of bodies
    Pool pool{2, false};
    const TimedBodies from = cubics.at(-0.75), to = cubics.at(0.5);
    const Interpolation way = between(from, to, pool);
    EXPECT_FALSE(way.straight());
    for (const double t : {-0.75, -0.7, -0.1, 0.0, 0.25, 0.4999}) {
        const Errors errors = largest_errors(bodies_of(way.at(t, Precision::kDouble)), cubics.at(t).bodies);
        EXPECT_LT(errors.position, 1e-14) << t;
        EXPECT_LT(errors.velocity, 1e-14) << t;
    }
    EXPECT_EQ(bodies_of(way.at(0, Precision::kDouble)).position_mass[9'999].w, from.bodies.position_mass[9'999].w);
}

/// In a box of edge 1, bodies that leave through its sides are where they would be without it, less whole edges; a body
/// outside the box is not wrapped.
TEST(Interpolation, WrapsBodiesInAPeriodicBox) {
    const Cubics cubics{500};
    Pool pool{2, false};
    const auto wrapped = [](Vec3d x) {
        return Vec3d{x.x - std::floor(x.x), x.y - std::floor(x.y), x.z - std::floor(x.z)};
    };
    const auto in_box = [&](double t) {
        TimedBodies state = cubics.at(t);
        state.box = 1;
        for (Vec4d& p : state.bodies.position_mass) {
            const Vec3d x = wrapped(xyz(p));
            p = {x.x, x.y, x.z, p.w};
        }
        state.bodies.position_mass[7].x += 3;
        return state;
    };
    const TimedBodies from = in_box(-0.2), to = in_box(0.2);
    int through = 0;
    for (std::size_t i = 0; i < from.bodies.size(); ++i)
        through += length(xyz(to.bodies.position_mass[i]) - xyz(from.bodies.position_mass[i])) > 0.5;
    EXPECT_GT(through, 100);
    const Interpolation way = between(from, to, pool);
    EXPECT_FALSE(way.straight());
    for (const double t : {-0.2, -0.1, 0.0, 0.13}) {
        const Bodies found = bodies_of(way.at(t, Precision::kDouble)), free = cubics.at(t).bodies;
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (i == 7) continue;
            const Vec3d x = xyz(found.position_mass[i]), off = x - xyz(free.position_mass[i]);
            for (const double o : {off.x, off.y, off.z}) ASSERT_NEAR(o, std::round(o), 1e-14) << i;
            for (const double c : {x.x, x.y, x.z}) ASSERT_TRUE(c >= 0 && c <= 1) << i << ' ' << c;
            ASSERT_LT(length(found.velocity[i] - free.velocity[i]), 1e-14) << i;
        }
        EXPECT_GT(found.position_mass[7].x, 3) << t;
    }
}

/// The faces belong to the box.
TEST(Interpolation, InsideBoxIncludesTheFaces) {
    const double box = 2;
    for (const double x : {0.0, 1.0, box})
        for (const double y : {0.0, box})
            for (const double z : {0.0, box}) EXPECT_TRUE(inside_box({x, y, z}, box)) << x << y << z;
    for (const double beyond : {std::nextafter(0.0, -1.0), std::nextafter(box, 3.0)})
        for (const Vec3d& x : {Vec3d{beyond, 1, 1}, Vec3d{1, beyond, 1}, Vec3d{1, 1, beyond}}) {
            EXPECT_FALSE(inside_box(x, box)) << beyond;
            EXPECT_FALSE(through_sides(x, {1, 1, 1}, box));
            EXPECT_FALSE(through_sides({1, 1, 1}, x, box));
        }
    EXPECT_TRUE(through_sides({1, 1, 1}, {0, 0, 0}, box));
    EXPECT_FALSE(through_sides({0, 0, 0}, {0, 0, 0}, 0)) << "there is no box";
    // Opposite ends of an edge are the same point.
    const PhasePoint from{{0.5, 0, 0}, {}}, to{{0.5, box, 0}, {}};
    EXPECT_EQ(interpolated(from, to, {0.25, 1, box, true}).x, (Vec3d{0.5, 0, 0}));
    EXPECT_EQ(interpolated(from, to, {0.25, 1, 0, true}).x, (Vec3d{0.5, 0.5, 0}));
}

TEST(Interpolation, IsRoundedOnceInSinglePrecision) {
    const Cubics cubics{100};
    Pool pool{1, false};
    const TimedBodies from = cubics.at(0), to = cubics.at(1);
    const Interpolation way = between(from, to, pool);
    const Bodies exact = bodies_of(way.at(0.3, Precision::kDouble)),
                 rounded = bodies_of(way.at(0.3, Precision::kSingle));
    for (std::size_t i = 0; i < exact.size(); ++i)
        EXPECT_EQ(rounded.position_mass[i], convert<double>(convert<float>(exact.position_mass[i])));
}

TEST(Interpolation, IsLinearWhenVelocitiesAreInconsistent) {
    Pool pool{1, false};
    TimedBodies from{.time = 1, .bodies = {}}, to{.time = 3, .bodies = {}};
    for (const double y : {0.0, 5.0}) {
        from.bodies.add({0, y, 0}, {0, 40, 0}, 1);
        to.bodies.add({2, y, 0}, {0, 20, 0}, 1);
    }
    const Interpolation way = between(from, to, pool);
    EXPECT_TRUE(way.straight());
    const Bodies middle = bodies_of(way.at(1.5, Precision::kDouble));
    EXPECT_EQ(middle.position_mass[1], (Vec4d{0.5, 5, 0, 1}));
    EXPECT_EQ(middle.velocity[1], (Vec3d{0, 35, 0}));
}

/// Errors of interpolation, against a run, between two of its states `steps` apart.
Errors errors_against_a_run(int steps) {
    Scene scene = make_preset("figure-eight", {});
    scene.dt = 1e-3;
    Simulation run{scene, {.precision = Precision::kDouble}, "yoshida6"};
    const auto go = [&](int by) {
        for (int i = 0; i < by; ++i) run.step();
        return TimedBodies{.time = run.now().time, .bodies = run.system().bodies()};
    };
    const TimedBodies from = go(0), quarter = go(steps / 4), to = go(steps - steps / 4);
    Pool pool{1, false};
    return largest_errors(bodies_of(between(from, to, pool).at(quarter.time, Precision::kDouble)), quarter.bodies);
}

TEST(Interpolation, PositionErrorScalesWithFourthPowerOfTheInterval) {
    const Errors wide = errors_against_a_run(80), narrow = errors_against_a_run(40);
    EXPECT_NEAR(wide.position / narrow.position, 16, 1.6);
    EXPECT_NEAR(wide.velocity / narrow.velocity, 8, 0.8);
}

/// Simulations that display interpolated states, wherever their bodies are stored.
class EveryBackendShows : public testing::TestWithParam<std::pair<Backend, Precision>> {
protected:
    void SetUp() override {
        if (GetParam().first == Backend::kCuda && !cuda_info().available) skip_or_fail(cuda_info().reason);
    }
    static Simulation simulation_of(const TimedBodies& first) {
        const auto [backend, precision] = GetParam();
        return {Scene{.id = "cubics", .bodies = first.bodies},
                {.engine = "direct", .backend = backend, .precision = precision},
                "leapfrog"};
    }
    /// Bit for bit, except where a device stores snapshots in float.
    static void expect_state(const Simulation& shown, const Interpolation& way, double time) {
        const auto [backend, precision] = GetParam();
        const BodyState found = shown.snapshot().bodies, expected = way.at(time, precision);
        ASSERT_EQ(found.bytes.size(), expected.bytes.size());
        if (backend == Backend::kCpu || precision == Precision::kDouble || way.whole()) {
            EXPECT_EQ(found.bytes, expected.bytes) << time;
            return;
        }
        const Bodies got = bodies_of(found), wanted = bodies_of(expected);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            ASSERT_LT(length(xyz(got.position_mass[i]) - xyz(wanted.position_mass[i])), 2e-6) << i << ' ' << time;
            ASSERT_LT(length(got.velocity[i] - wanted.velocity[i]), 4e-6) << i << ' ' << time;
            ASSERT_EQ(got.position_mass[i].w, wanted.position_mass[i].w);
        }
    }
};

/// More than two moments, in either direction, some of which the host releases; the number of bodies is no multiple of
/// the bodies per thread or per copy.
TEST_P(EveryBackendShows, InterpolatedStatesOfTheHost) {
    constexpr std::size_t kBodies = (std::size_t{1} << 18) + 77;
    const Cubics cubics{kBodies};
    Pool pool{2, false};
    std::vector<Interpolation::Moment> moments;
    for (int i = 0; i < 4; ++i) moments.push_back(std::make_shared<TimedBodies>(cubics.at(0.25 * i)));
    Simulation shown = simulation_of(*moments.front());
    for (const auto& [from, to] : {std::pair{0, 1}, {1, 2}, {2, 3}, {0, 1}, {3, 3}, {0, 3}, {0, 0}}) {
        if (from == 0 && to == 3) moments[1].reset(), moments[0] = std::make_shared<TimedBodies>(cubics.at(0));
        const Interpolation way{moments[static_cast<std::size_t>(from)], moments[static_cast<std::size_t>(to)], false,
                                pool};
        const double time = (2 * way.from()->time + way.to()->time) / 3;
        shown.show(way, time, 1);
        expect_state(shown, way, time);
    }
    EXPECT_EQ(shown.now().steps, 7);
}

TEST_P(EveryBackendShows, LinearPathsAndPeriodicBoxes) {
    const Cubics cubics{1000};
    Pool pool{2, false};
    const auto moment = [&](double t) {
        auto state = std::make_shared<TimedBodies>(cubics.at(t));
        state->box = 1;
        for (Vec4d& p : state->bodies.position_mass) p.x -= std::floor(p.x), p.y -= std::floor(p.y);
        return state;
    };
    const auto from = moment(0), to = moment(0.5);
    Simulation shown = simulation_of(*from);
    for (const bool straight : {false, true}) {
        const Interpolation way{from, to, straight, pool};
        for (const double time : {0.1, 0.25, 0.4999}) {
            shown.show(way, time, 0);
            expect_state(shown, way, time);
        }
    }
}

/// Continuing from a displayed snapshot gives the bits of a run started from it, even after earlier steps.
TEST_P(EveryBackendShows, StatesThatContinueLikeAFreshRun) {
    const Cubics cubics{700};
    Pool pool{2, false};
    const auto first = std::make_shared<TimedBodies>(cubics.at(0)),
               then = std::make_shared<TimedBodies>(cubics.at(0.3));
    Simulation shown = simulation_of(*first), opened = simulation_of(*then);
    shown.step();
    shown.show({first, then, false, pool}, 0.2, 1);
    shown.show({then, then, false, pool}, 0.3, 1);
    for (int i = 0; i < 3; ++i) shown.step(), opened.step();
    EXPECT_EQ(shown.snapshot().bodies.bytes, opened.snapshot().bodies.bytes);
}

INSTANTIATE_TEST_SUITE_P(, EveryBackendShows,
                         testing::Values(std::pair{Backend::kCpu, Precision::kSingle},
                                         std::pair{Backend::kCpu, Precision::kDouble},
                                         std::pair{Backend::kCuda, Precision::kSingle},
                                         std::pair{Backend::kCuda, Precision::kDouble}),
                         [](const auto& of) {
                             return std::string{of.param.first == Backend::kCuda ? "cuda" : "cpu"} +
                                    (of.param.second == Precision::kSingle ? "_single" : "_double");
                         });

}  // namespace
}  // namespace orrery::test
