// SPDX-License-Identifier: MIT
// The BodySystem interface in every memory space.
#include "core/bodies/body_system.hpp"

#include <cmath>
#include <limits>
#include <map>

#include "core/analysis/diagnostics.hpp"
#include "core/base/error.hpp"
#include "core/bodies/sampling.hpp"
#include "tests/support/every_engine.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

class EveryBodySystem : public NeedsEngine {
protected:
    std::unique_ptr<BodySystem> system(const Bodies& bodies) const {
        return make_body_system(GetParam().config(), bodies);
    }
};

TEST_P(EveryBodySystem, RoundTripsBodies) {
    Bodies bodies = rounded(ball(100), GetParam().precision);
    for (Vec3d& v : bodies.velocity) v = {double(float(v.x)), double(float(v.y)), double(float(v.z))};
    bodies.names.assign(100, "star");
    const Bodies back = system(bodies)->bodies();
    EXPECT_EQ(back.position_mass, bodies.position_mass);
    EXPECT_EQ(back.velocity, bodies.velocity);
    EXPECT_EQ(back.names, bodies.names);
}

TEST_P(EveryBodySystem, DriftsAndKicks) {
    Bodies bodies;
    bodies.add({1, 2, 3}, {4, 5, 6}, 1);
    bodies.add({3, 2, 3}, {0, 0, 0}, 4);
    const auto s = system(bodies);
    s->drift(0.5);
    EXPECT_EQ(s->bodies().position_mass[0], (Vec4d{3, 4.5, 6, 1}));
    const auto fresh = system(bodies);
    const std::uint64_t items = fresh->begin_forces({}, Potential::kSkip);
    fresh->run_forces(0, items);
    fresh->kick(2);  // a = 4 / 2² = 1
    fresh->wait();
    EXPECT_NEAR(fresh->bodies().velocity[0].x, 6, 1e-5);
    EXPECT_NEAR(fresh->bodies().velocity[1].x, -0.5, 1e-5);
}

/// ball(count), cached across engines because creating many bodies takes longer than copying them.
const Bodies& large_ball(std::size_t count) {
    static std::map<std::size_t, Bodies> made;
    const auto found = made.find(count);
    return found != made.end() ? found->second : made.emplace(count, ball(count)).first->second;
}

/// Reference for move(): the moves applied one by one in the precision of the state, with one or two roundings each.
Bodies moved(Bodies bodies, const std::vector<Vec4d>& acceleration, std::span<const Move> moves) {
    for (const Move& one : moves)
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            Vec4d& x = bodies.position_mass[i];
            Vec3d& v = bodies.velocity[i];
            if (one.op == Move::Op::kKick) v = v + one.dt * xyz(acceleration[i]);
            if (one.op == Move::Op::kDrift) x = {x.x + one.dt * v.x, x.y + one.dt * v.y, x.z + one.dt * v.z, x.w};
        }
    return bodies;
}

TEST_P(EveryBodySystem, MoveInOnePassEqualsSeparateMoves) {
    using enum Move::Op;
    const std::vector<Move> moves{{kKick, 0.3},  {kStepEnd}, {kKick, 0.7},  {kDrift, 1.1}, {kKick, -0.2},
                                  {kDrift, 0.4}, {kStepEnd}, {kDrift, 0.1}, {kKick, 0.1},  {kDrift, -0.3}};
    const auto together = system(ball(1000)), apart = system(ball(1000));
    const Bodies before = together->bodies();
    for (const auto& s : {together.get(), apart.get()}) {
        s->run_forces(0, s->begin_forces({.softening = 0.1}, Potential::kSkip));
        if (s->step_queue()) s->step_queue()->begin_checks();
    }
    together->move(moves);
    for (const Move& one : moves) apart->move({&one, 1});
    const std::vector<Vec4d> acceleration = apart->accelerations();
    const Bodies expected = moved(before, acceleration, moves), one = together->bodies(), many = apart->bodies();
    if (GetParam().entry->repeats(GetParam().config())) {
        EXPECT_EQ(one.position_mass, many.position_mass);
        EXPECT_EQ(one.velocity, many.velocity);
    }
    const double tolerance = GetParam().precision == Precision::kSingle ? 1e-5 : 1e-13;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_NEAR(many.position_mass[i].y, expected.position_mass[i].y, tolerance) << i;
        ASSERT_NEAR(many.velocity[i].z, expected.velocity[i].z, tolerance) << i;
    }
    if (together->step_queue()) {
        EXPECT_FALSE(together->step_queue()->first_lost());
    }
}

TEST_P(EveryBodySystem, ChecksForNonFiniteBodiesAtStepEnds) {
    if (!system(ball(2))->step_queue()) GTEST_SKIP() << "has no step queue; see first_not_finite()";
    using enum Move::Op;
    const double huge = GetParam().precision == Precision::kSingle ? 3e38 : 1.7e308;
    Bodies bodies = ball(3000);
    bodies.velocity[7].x = huge, bodies.velocity[2900].x = huge, bodies.velocity[11].x = 0.6 * huge;
    const auto s = system(bodies);
    const std::vector<Move> step{{kDrift, 0.4}, {kStepEnd}};
    s->step_queue()->begin_checks();
    s->move(step), s->move(step);
    EXPECT_FALSE(s->step_queue()->first_lost());
    s->move(step);  // 1.2 times the largest number
    ASSERT_TRUE(s->step_queue()->first_lost());
    EXPECT_EQ(s->step_queue()->first_lost()->ends, 2u);
    EXPECT_EQ(s->step_queue()->first_lost()->body, 7u);
    for (int i = 0; i < 20; ++i) s->move(step);
    EXPECT_EQ(s->step_queue()->first_lost()->ends, 2u) << "the first step end counts";
    s->step_queue()->begin_checks();
    EXPECT_FALSE(s->step_queue()->first_lost());
    s->move(std::vector<Move>{{kStepEnd}});
    EXPECT_EQ(s->step_queue()->first_lost()->ends, 0u);
    // A lost position is reported before a lost velocity.
    bodies = ball(3000);
    bodies.velocity[5].y = std::numeric_limits<double>::infinity();
    bodies.position_mass[2999].z = std::numeric_limits<double>::quiet_NaN();
    const auto other = system(bodies);
    other->step_queue()->begin_checks();
    other->move(std::vector<Move>{{kStepEnd}});
    EXPECT_EQ(other->step_queue()->first_lost()->body, 2999u);
}

TEST_P(EveryBodySystem, CopiesHoldTheStateAtTheTimeOfTheCall) {
    const std::size_t many = GetParam().few_on_host(15'000, 300'000);
    const auto s = system(large_ball(many));
    const BodyState before = s->save();
    const auto copy = s->copy();
    s->drift(1);
    const auto later = s->copy();
    s->drift(1);
    EXPECT_EQ(copy->state().bytes, before.bytes);
    EXPECT_NE(later->state().bytes, before.bytes);
    const Bodies same = bodies_of(copy->state()), original = system(large_ball(many))->bodies();
    EXPECT_EQ(same.position_mass, original.position_mass);
    EXPECT_EQ(same.velocity, original.velocity);
}

TEST_P(EveryBodySystem, ReferenceEqualsSumOverAllBodies) {
    const std::size_t many = GetParam().few_on_host(20'000, 200'000);  // several blocks on a device
    const auto s = system(large_ball(many));
    const std::vector<Vec4d> bodies = s->bodies().position_mass;
    const std::size_t i = many * 7 / 18;
    Vec3d sum{};
    for (std::size_t j = 0; j < bodies.size(); ++j) {
        const Vec3d off = xyz(bodies[j]) - xyz(bodies[i]);
        const double r2 = dot(off, off) + 0.01;
        if (j != i) sum = sum + bodies[j].w / (r2 * std::sqrt(r2)) * off;
    }
    const Vec3d found = s->reference({.softening = 0.1}, i);
    EXPECT_NEAR(found.x, sum.x, 1e-10);
    EXPECT_NEAR(found.y, sum.y, 1e-10);
    EXPECT_NEAR(found.z, sum.z, 1e-10);
}

TEST_P(EveryBodySystem, MeasuresTheNetForce) {
    const auto s = system(ball(GetParam().few_on_host(700, 2000)));
    EXPECT_EQ(s->net_force(), 0) << "no forces yet";
    s->run_forces(0, s->begin_forces({.softening = 0.1}, Potential::kSkip));
    EXPECT_NEAR(s->net_force(), net_force(s->bodies().position_mass, s->accelerations()), 1e-15);
}

TEST_P(EveryBodySystem, FindsFirstNonFiniteBody) {
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        Bodies bodies = ball(3000);
        EXPECT_EQ(system(bodies)->first_not_finite(), std::nullopt);
        bodies.velocity[2999].y = bad;
        EXPECT_EQ(system(bodies)->first_not_finite(), 2999u);
        bodies.position_mass[17].z = bad;
        EXPECT_EQ(system(bodies)->first_not_finite(), 17u);
    }
}

TEST_P(EveryBodySystem, MeasuresItsOwnForceError) {
    const std::size_t count = GetParam().few_on_host(900, 2000);
    const Bodies bodies = rounded(ball(count), GetParam().precision);
    const auto s = system(bodies);
    const Gravity gravity{.constant = 3, .softening = 0.01};
    const std::uint64_t items = s->begin_forces(gravity, Potential::kSkip);
    s->run_forces(0, items);
    s->wait();
    const ForceError all = s->force_error(gravity, 5000);
    EXPECT_EQ(all.samples, count);
    EXPECT_LE(all.rms, GetParam().tolerance());
    EXPECT_LE(all.median, all.p99);
    EXPECT_LE(all.p99, all.max);
    // Against another law the error must be large.
    EXPECT_GT(s->force_error({.constant = 3.03, .softening = 0.01}, 100).rms, 0.005);
}

TEST_P(EveryBodySystem, FillsAFrame) {
    Bodies bodies = ball(5000);
    for (Vec4d& x : bodies.position_mass) x.y += 10;
    Frame frame;
    system(bodies)->fill(frame, {});
    EXPECT_EQ(frame.count, 5000u);
    EXPECT_NEAR(frame.extent.centre.y, 10, 0.1);
    EXPECT_NEAR(frame.extent.radius, 2.5, 0.2);  // 90 % of a 3-D normal distribution lie within 2.50 σ
    EXPECT_GT(frame.extent.scalar_high, frame.extent.scalar_low);
    if (GetParam().entry->backend == Backend::kCuda) return;
    const Vec3d v = bodies.velocity[42];
    EXPECT_NEAR(frame.host[42].w, std::sqrt(dot(v, v)), 1e-6);
    EXPECT_NEAR(frame.host[42].y, bodies.position_mass[42].y, 1e-5);
}

TEST_P(EveryBodySystem, MeasuresElapsedTime) {
    const auto s = system(ball(GetParam().few_on_host(500, 2000)));
    s->clock().start();
    const std::uint64_t items = s->begin_forces({}, Potential::kSkip);
    s->run_forces(0, items);
    EXPECT_GT(s->clock().stop(), 1e-7);
}

TEST_P(EveryBodySystem, SaveAndRestoreAreBitwiseExact) {
    const auto s = system(ball(300));
    const std::uint64_t items = s->begin_forces({.softening = 0.1}, Potential::kSkip);
    s->run_forces(0, items);
    s->kick(0.1);
    s->wait();
    const BodyState state = s->save();
    EXPECT_EQ(state.count, 300u);
    const Bodies before = s->bodies();
    const std::vector<Vec4d> accelerations = s->accelerations();
    s->drift(0.3);
    s->kick(0.3);
    ASSERT_NE(s->bodies().position_mass, before.position_mass);
    s->restore(state);
    EXPECT_EQ(s->bodies().position_mass, before.position_mass);
    EXPECT_EQ(s->bodies().velocity, before.velocity);
    EXPECT_EQ(s->accelerations(), accelerations);
    EXPECT_EQ(s->save().bytes, state.bytes);
}

TEST_P(EveryBodySystem, SamplesSelectedBodies) {
    const Gravity gravity{.softening = 0.1};
    const auto s = system(ball(300));
    const std::uint64_t items = s->begin_forces(gravity, Potential::kSkip);
    s->run_forces(0, items);
    s->wait();
    const Bodies all = s->bodies();
    const std::vector<Vec4d> accelerations = s->accelerations();
    const std::vector<std::uint32_t> which{299, 0, 17};
    const auto samples = s->sample(which);
    ASSERT_EQ(samples.size(), 3u);
    Vec4d sum{};
    for (const Vec4d& x : all.position_mass)
        sum = {sum.x + x.w * x.x, sum.y + x.w * x.y, sum.z + x.w * x.z, sum.w + x.w};
    for (std::size_t k = 0; k < which.size(); ++k) {
        EXPECT_EQ(samples[k].position_mass, all.position_mass[which[k]]);
        EXPECT_EQ(samples[k].velocity, all.velocity[which[k]]);
        EXPECT_EQ(samples[k].acceleration, xyz(accelerations[which[k]]));
        const Vec3d reference = s->reference(gravity, which[k]), error = reference - samples[k].acceleration;
        EXPECT_LE(std::sqrt(dot(error, error) / dot(reference, reference)), 20 * GetParam().tolerance());
    }
    const Vec3d centre = (1 / sum.w) * xyz(sum), off = s->centre_of_mass() - centre;
    EXPECT_LT(std::sqrt(dot(off, off)), 1e-13);
    EXPECT_TRUE(s->sample({}).empty());
}

TEST_P(EveryBodySystem, RefusesAnEmptySystem) { EXPECT_THROW(system({}), Error); }

INSTANTIATE_TEST_SUITE_P(Menu, EveryBodySystem, ::testing::ValuesIn(every_engine()), case_name);

TEST(Compare, TreatsNanAsInfiniteError) {
    const std::vector<Vec4d> reference{{1, 0, 0, 0}}, nan{{std::nan(""), 0, 0, 0}}, zero{{0, 0, 0, 0}};
    EXPECT_TRUE(std::isinf(compare(nan, reference).rms));
    EXPECT_TRUE(std::isinf(compare(nan, reference).max));
    EXPECT_EQ(compare(zero, zero).rms, 0);
    EXPECT_TRUE(std::isinf(compare(reference, zero).rms));
    EXPECT_DOUBLE_EQ(compare(zero, reference).rms, 1);
}

TEST(SampleIndices, AreDistinctAndSpread) {
    EXPECT_EQ(sample_indices(3, 10), (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(sample_indices(10, 5), (std::vector<std::size_t>{0, 2, 4, 6, 8}));
    EXPECT_TRUE(sample_indices(0, 5).empty());
}

}  // namespace
}  // namespace orrery::test
