// SPDX-License-Identifier: MIT
// Steps queued, recorded and replayed on a device equal steps taken in slices, for every engine with every integrator,
// bit by bit if the engine is reproducible.
#include <cmath>

#include "core/base/error.hpp"
#include "core/integrators/integrators.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/compatibility.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/support/every_engine.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

std::vector<EngineCase> of_both_laws() {
    std::vector<EngineCase> cases = every_engine();
    for (const EngineCase& c : every_engine(Law::kAxilrodTeller)) cases.push_back(c);
    return cases;
}

class EveryEngineQueues : public NeedsEngine {
protected:
    Scene scene() const {
        // Enough for several slices per evaluation.
        const std::size_t enough = on_device() ? 1500 : GetParam().slow_on_purpose() ? 100 : everyday(200, 400);
        return GetParam().entry->law == Law::kPairs ? make_preset("plummer", {.bodies = enough})
                                                    : make_preset("argon-cluster", {.bodies = 60});
    }
    bool on_device() const { return GetParam().entry->backend == Backend::kCuda; }
    bool repeats() const { return GetParam().entry->repeats(GetParam().config()); }
    bool offers(const IntegratorEntry& integrator) const {
        return why_incompatible(integrator, GetParam().config()).empty();
    }
};

/// A budget of a fraction of an evaluation: nothing is queued.
void step_in_slices(Simulation& simulation) {
    while (!simulation.advance(std::chrono::duration<double>{simulation.forces().last_seconds() / 3})) {
    }
}

void expect_the_same(const Simulation& a, const Simulation& b, bool bits, std::string_view what) {
    EXPECT_EQ(a.now().steps, b.now().steps) << what;
    EXPECT_EQ(a.now().moment, b.now().moment) << what;
    EXPECT_EQ(a.now().time, b.now().time) << what;
    EXPECT_EQ(a.forces().fresh(), b.forces().fresh()) << what;
    if (bits) {
        EXPECT_EQ(a.forces().body_forces(), b.forces().body_forces()) << what;
        EXPECT_EQ(a.snapshot().bodies.bytes, b.snapshot().bodies.bytes) << what;
        return;
    }
    const Bodies x = a.system().bodies(), y = b.system().bodies();
    double apart = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        apart = std::max(apart, std::abs(x.position_mass[i].x - y.position_mass[i].x));
    EXPECT_LT(apart, 1e-3) << what;
}

TEST_P(EveryEngineQueues, TheSameStepsAsInSlices) {
    // Enough for a recording and some remaining steps; the host records nothing.
    const std::uint64_t steps = on_device() ? 55 : GetParam().on_software_gl() ? 10 : everyday(18, 55);
    std::size_t line = 0;
    for (const IntegratorEntry& integrator : integrators()) {
        if (!offers(integrator) || !has_turn(GetParam(), line++, 3)) continue;
        Simulation sliced{scene(), GetParam().config(), integrator.id};
        Simulation queued{scene(), GetParam().config(), integrator.id};
        for (std::uint64_t i = 0; i < steps; ++i) step_in_slices(sliced);
        std::uint64_t longest = 0;
        for (std::uint64_t taken = 0; taken < steps;) {
            const std::uint64_t more = queued.take_steps(1h, steps - taken);
            ASSERT_GE(more, 1u);
            longest = std::max(longest, more);
            taken += more;
        }
        EXPECT_EQ(longest > 32, on_device() && integrator.splits()) << integrator.id << ": " << longest << " queued";
        expect_the_same(sliced, queued, repeats(), integrator.id);
    }
}

// Steps that start without current forces, with another dt, backward, or with other gravity.
TEST_P(EveryEngineQueues, TheSameStepsAfterEveryChangeOfSettings) {
    Simulation sliced{scene(), GetParam().config()}, queued{scene(), GetParam().config()};
    const std::uint64_t steps = GetParam().few_on_host(10, 40);
    const auto both = [&](const auto& change) {
        change(sliced), change(queued);
        const std::uint64_t to = sliced.now().moment + steps;
        while (sliced.now().moment < to) step_in_slices(sliced);
        while (queued.now().moment < to) queued.take_steps(1h, to - queued.now().moment);
        expect_the_same(sliced, queued, repeats(), fmt::format("at step {}", to));
    };
    both([](Simulation&) {});
    both([](Simulation& s) { s.set_dt(0.5 * s.scene().dt); });
    both([](Simulation& s) { s.set_reversed(true); });
    both([](Simulation& s) { s.set_gravity({.constant = 0.5, .softening = 0.1}); });
    both([](Simulation& s) { s.set_color_by(ColorBy::kPotential); });
    for (const char* id : {"leapfrog-block", "hermite4"})
        if (offers(integrator(id))) both([id](Simulation& s) { s.set_integrator(id); });
    both([](Simulation& s) { s.set_integrator("leapfrog-dkd"); });
    both([](Simulation& s) { s.restore(s.snapshot()); });
}

TEST_P(EveryEngineQueues, AndNamesTheNonFiniteBodyAndItsStep) {
    if (!repeats()) GTEST_SKIP() << "the first non-finite body is random";
    Scene lost = scene();
    lost.bodies.velocity[42].y = GetParam().precision == Precision::kSingle ? 8e36 : 4e306;
    lost.dt = 1;
    Simulation sliced{lost, GetParam().config()}, queued{lost, GetParam().config()};
    while (!sliced.lost()) {
        ASSERT_LT(sliced.now().steps, 200);
        step_in_slices(sliced);
    }
    const auto found = *sliced.lost();
    EXPECT_EQ(found.step, sliced.now().steps);
    try {
        while (queued.now().steps < 200) queued.take_steps(1h, 100);
        FAIL() << "no body became non-finite";
    } catch (const Error& error) {
        const std::string expected =
            fmt::format("body {} is no longer finite after step {} (time {:g});", found.body, found.step, found.time);
        EXPECT_NE(std::string{error.what()}.find(expected), std::string::npos) << error.what() << "\nnot: " << expected;
    }
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryEngineQueues, ::testing::ValuesIn(of_both_laws()), case_name);

}  // namespace
}  // namespace orrery::test
