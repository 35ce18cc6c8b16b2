// SPDX-License-Identifier: MIT
// Every integrator on random smooth systems: its order, reversibility and conservation.
#include <array>
#include <cmath>

#include "core/simulation/simulation.hpp"
#include "tests/support/property.hpp"

namespace orrery::test {
namespace {

/// A few bodies of total mass below 2 with ε = 1: no frequency exceeds √(4 G M/ε³) < 2.9.
Scene any_system() {
    Scene scene;
    const int count = any_in(2, 5);
    std::mt19937_64 random{static_cast<unsigned>(any_in(0, 1 << 30))};  // one seed, so that few numbers have to shrink
    const auto any = [&](double low, double high) { return std::uniform_real_distribution{low, high}(random); };
    for (int i = 0; i < count; ++i) {
        const double x = any(-1, 1), y = any(-1, 1), z = any(-1, 1);
        const double vx = any(-0.5, 0.5), vy = any(-0.5, 0.5), vz = any(-0.5, 0.5);
        scene.bodies.add({x, y, z}, {vx, vy, vz}, any(0.2, 0.5));
    }
    scene.gravity.softening = 1;
    return scene;
}

/// Positions, then velocities.
using State = std::vector<double>;

State state_of(const Simulation& simulation) {
    const Bodies bodies = simulation.system().bodies();
    State state;
    for (const Vec4d& x : bodies.position_mass) state.insert(state.end(), {x.x, x.y, x.z});
    for (const Vec3d& v : bodies.velocity) state.insert(state.end(), {v.x, v.y, v.z});
    return state;
}

double distance(const State& a, const State& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum);
}

EngineConfig exact_engine() { return {.precision = Precision::kDouble, .threads = 1}; }

class IntegratorProperties : public testing::TestWithParam<IntegratorEntry> {
protected:
    bool symplectic() const { return GetParam().doc.find("symplectic") != std::string_view::npos; }
    static State after(const Scene& scene, int steps, std::string_view integrator) {
        Simulation simulation{scene, exact_engine(), integrator};
        for (int i = 0; i < steps; ++i) simulation.step();
        return state_of(simulation);
    }
    /// The state after one unit of time; individual steps are proportional to √η, and at most the shared step.
    State after_one(Scene scene, int steps) const {
        const int intervals = GetParam().individual ? steps / 4 : steps;
        if (GetParam().individual) scene.adaptive = 1.0 / (steps * steps);
        scene.dt = 1.0 / intervals;
        return after(scene, intervals, GetParam().id);
    }
};

/// The exponent over a factor of four in the step, against 512 steps of sixth order. Individual steps are powers of
/// two, which makes their errors scatter: there, averages over a dozen systems.
TEST_P(IntegratorProperties, ErrorScalesWithItsOrder) {
    check(GetParam().individual ? Cases{3, 400} : Cases{12, 2000}, [this] {
        const int order = GetParam().order, steps = order == 1 ? 128 : order == 2 ? 32 : order == 4 ? 16 : 8;
        const int systems = GetParam().individual ? 12 : 1;
        double power = 0;
        for (int i = 0; i < systems; ++i) {
            Scene scene = any_system();
            scene.dt = 1.0 / 512;
            const State exact = after(scene, 512, "yoshida6");
            const double coarse = distance(after_one(scene, steps), exact);
            const double fine = distance(after_one(scene, 4 * steps), exact);
            RC_PRE(fine > 1e-12);  // above rounding
            power += std::log2(coarse / fine) / 2 / systems;
        }
        RC_ASSERT(power >= order - 0.4);
    });
}

/// Forward and back, up to rounding: each stage rounds once, and its rounding grows as e^(λt) over the remaining time.
TEST_P(IntegratorProperties, IsReversible) {
    if (!GetParam().reversible) GTEST_SKIP() << "is not reversible";
    check({12, 2000}, [this] {
        Scene scene = any_system();
        scene.dt = any_real(0.001, 0.1);
        const int steps = any_in(1, 1 + static_cast<int>(1 / scene.dt));
        Simulation simulation{scene, exact_engine(), GetParam().id};
        const State before = state_of(simulation);
        for (int i = 0; i < steps; ++i) simulation.step();
        const double moved = distance(state_of(simulation), before);
        simulation.set_reversed(true);
        for (int i = 0; i < steps; ++i) simulation.step();
        const double roundings = 2.0 * steps * static_cast<double>(GetParam().stages.size());
        const double bound = roundings * 0x1p-52 * std::exp(2.9 * 2 * steps * scene.dt);
        RC_ASSERT(distance(state_of(simulation), before) <= bound);
        RC_ASSERT(moved > 100 * bound);
    });
}

/// The largest entry of MᵀΩM − Ω: M is the derivative of one step by central differences of eighth order, Ω the area
/// form m dx∧dv.
double lost_area(const Scene& scene, const auto& step) {
    static constexpr std::array<double, 4> kStencil{4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    constexpr double h = 0x1p-6;
    const std::size_t half = 3 * scene.bodies.size(), n = 2 * half;
    std::vector<State> columns;
    for (std::size_t at = 0; at < n; ++at) {
        State column(n, 0.0);
        for (std::size_t k = 0; k < 2 * kStencil.size(); ++k) {
            Scene moved = scene;
            const double by = (k % 2 == 0 ? h : -h) * static_cast<double>(k / 2 + 1);
            const std::size_t body = at % half / 3;
            Vec4d& x = moved.bodies.position_mass[body];
            Vec3d& v = moved.bodies.velocity[body];
            const std::array<double*, 3> places{&x.x, &x.y, &x.z}, velocities{&v.x, &v.y, &v.z};
            *(at < half ? places : velocities)[at % 3] += by;
            const State there = step(moved);
            for (std::size_t i = 0; i < n; ++i) column[i] += (k % 2 == 0 ? 1 : -1) * kStencil[k / 2] / h * there[i];
        }
        columns.push_back(column);
    }
    double worst = 0;
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b) {
            double area = 0;
            for (std::size_t i = 0; i < half; ++i) {
                const double m = scene.bodies.position_mass[i / 3].w;
                area += m * (columns[a][i] * columns[b][half + i] - columns[a][half + i] * columns[b][i]);
            }
            const double m = scene.bodies.position_mass[a % half / 3].w;
            worst = std::max(worst, std::abs(area - (b == a + half ? m : a == b + half ? -m : 0)));
        }
    return worst;
}

/// A symplectic step preserves areas in phase space, up to the rounding of the differences: 2.1 E/h, E the rounding of
/// a step. Other integrators must not, or this test could not fail.
TEST_P(IntegratorProperties, PreservesPhaseSpaceAreaIfSymplectic) {
    if (GetParam().individual && !GetParam().jerk)
        GTEST_SKIP() << "preserves areas only between changes of steps, where it is not differentiable";
    check({10, 1000}, [this] {
        Scene scene = any_system();
        scene.dt = any_real(0.1, 0.3);
        const double lost = lost_area(scene, [this](const Scene& moved) { return after(moved, 1, GetParam().id); });
        if (symplectic())
            RC_ASSERT(lost <= 1e-11);
        else
            RC_ASSERT(lost >= 1e-10);
    });
}

INSTANTIATE_TEST_SUITE_P(Menu, IntegratorProperties, testing::ValuesIn(integrators().begin(), integrators().end()),
                         [](const auto& line) {
                             std::string name{line.param.id};
                             std::erase(name, '-');
                             return name;
                         });

}  // namespace
}  // namespace orrery::test
