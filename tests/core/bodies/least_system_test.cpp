// SPDX-License-Identifier: MIT
// The minimal BodySystem: a system with only the required functions is measured like the others.
#include <gtest/gtest.h>

#include <cmath>

#include "core/bodies/engine_system.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/menu.hpp"
#include "core/presets/presets.hpp"

namespace orrery::test {
namespace {

class NoTime final : public Stopwatch {
public:
    void start() override {}
    void hold() override {}
    double seconds() override { return 1; }
};

class LeastSystem final : public EngineSystem {
public:
    LeastSystem(AnyEngine engine, Bodies bodies)
        : EngineSystem{std::move(engine), orrery::engine("direct", Backend::kCpu), bodies, Precision::kDouble},
          bodies_{std::move(bodies)},
          accelerations_(bodies_.size()) {}

    std::size_t count() const override { return bodies_.size(); }
    void move(std::span<const Move> moves) override {
        for (const Move& move : moves)
            for (std::size_t i = 0; i < count(); ++i) {
                Vec4d& x = bodies_.position_mass[i];
                Vec3d& v = bodies_.velocity[i];
                if (move.op == Move::Op::kDrift)
                    x = {x.x + move.dt * v.x, x.y + move.dt * v.y, x.z + move.dt * v.z, x.w};
                if (move.op == Move::Op::kKick) v = v + move.dt * xyz(accelerations_[i]);
            }
    }
    std::uint64_t begin_forces(const Gravity& gravity, Potential potential) override {
        return engine<Host, double>().begin({bodies_.position_mass.data(), accelerations_.data(), count()}, gravity,
                                            potential, {});
    }
    void run_forces(std::uint64_t first, std::uint64_t last) override { engine<Host, double>().run(first, last, {}); }
    void wait() override {}
    Stopwatch& clock() override { return clock_; }
    Bodies bodies() const override { return bodies_; }
    const Bodies& labels() const override { return labels_; }
    void set_fields(std::vector<BodyField> fields) override { labels_.fields = std::move(fields); }
    std::vector<Vec4d> accelerations() const override { return accelerations_; }
    std::vector<BodySample> sample(std::span<const std::uint32_t> which) const override {
        std::vector<BodySample> samples;
        for (const std::uint32_t i : which)
            samples.push_back({bodies_.position_mass[i], bodies_.velocity[i], xyz(accelerations_[i])});
        return samples;
    }
    BodyState save() const override { return state_of(bodies_); }
    void restore(const BodyState& state) override { bodies_ = bodies_of(state); }
    void restore_history(const Gravity&, std::uint64_t) override {}
    void fill(Frame&, const Coloring&) const override {}

private:
    Bodies bodies_, labels_;
    std::vector<Vec4d> accelerations_;
    NoTime clock_;
};

class LeastSystemTest : public ::testing::Test {
protected:
    static EngineConfig config() { return {.engine = "direct", .precision = Precision::kDouble}; }
    static void evaluate(BodySystem& system, const Gravity& gravity) {
        system.run_forces(0, system.begin_forces(gravity, Potential::kSkip));
    }
    Scene scene = make_preset("plummer", {.bodies = 300});
    LeastSystem least{engine("direct", Backend::kCpu).make(config()), scene.bodies};
};

TEST_F(LeastSystemTest, IsMeasuredLikeOtherSystems) {
    const auto other = make_body_system(config(), scene.bodies);
    for (BodySystem* system : {static_cast<BodySystem*>(&least), other.get()}) {
        evaluate(*system, scene.gravity);
        system->kick(0.1), system->drift(0.1);
        evaluate(*system, scene.gravity);
    }
    EXPECT_EQ(least.accelerations(), other->accelerations());
    const Gravity wrong{.constant = 1.01, .softening = scene.gravity.softening};
    EXPECT_NEAR(least.force_error(wrong, 50).rms, other->force_error(wrong, 50).rms, 1e-13);  // SIMD sums
    EXPECT_GT(least.force_error(wrong, 50).rms, 0.005);
    EXPECT_LT(least.force_error(scene.gravity, 50).rms, 1e-13);
    const Vec3d off = least.reference(scene.gravity, 17) - other->reference(scene.gravity, 17);
    EXPECT_LE(std::sqrt(dot(off, off)), 1e-13);
    EXPECT_EQ(least.centre_of_mass(), other->centre_of_mass());
    EXPECT_EQ(least.net_force(), other->net_force());
    EXPECT_EQ(least.engine_choice(), other->engine_choice());
    EXPECT_EQ(least.history_key(), 0u);
    EXPECT_TRUE(least.engine_cells(100).empty());
}

TEST_F(LeastSystemTest, FindsFirstNonFiniteBody) {
    EXPECT_EQ(least.first_not_finite(), std::nullopt);
    Bodies lost = scene.bodies;
    lost.velocity[40].y = std::nan("");
    least.restore(state_of(lost));
    EXPECT_EQ(least.first_not_finite(), 40u);
    lost.position_mass[200].x = -INFINITY;
    least.restore(state_of(lost));
    EXPECT_EQ(least.first_not_finite(), 200u) << "positions first";
    lost = scene.bodies;
    lost.position_mass[3] = {1e308, 1e308, 1e308, 1};
    least.restore(state_of(lost));
    EXPECT_EQ(least.first_not_finite(), std::nullopt) << "large coordinates are finite";
}

TEST_F(LeastSystemTest, LacksOptionalCapabilities) {
    EXPECT_EQ(least.step_queue(), nullptr);
    EXPECT_EQ(least.steps(), nullptr);
    EXPECT_THROW(require_steps(least), std::logic_error);
    EXPECT_FALSE(least.copy()->state().bytes.empty());
}

}  // namespace
}  // namespace orrery::test
