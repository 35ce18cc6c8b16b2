// SPDX-License-Identifier: MIT
// Every engine with every pair law it computes besides gravity, against the plain loop; and refusals of other laws.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/analysis/diagnostics.hpp"
#include "core/base/error.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/sampling.hpp"
#include "core/engines/entries.hpp"
#include "core/physics/pair_law.hpp"
#include "core/presets/all.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/support/every_engine.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

struct LawCase {
    EngineCase engine;
    PairLaw law;
};

void PrintTo(const LawCase& c, std::ostream* out) {
    PrintTo(c.engine, out);
    *out << ' ' << pair_law(c.law).id;
}

std::vector<LawCase> every_law() {
    std::vector<LawCase> cases;
    for (const EngineCase& engine : every_engine())
        for (const PairLaw law : every_pair_law())
            if (law != PairLaw::kGravity && computes(*engine.entry, law) && engine.precision != Precision::kMixed &&
                !(engine.deterministic && engine.entry->backend == Backend::kCuda && engine.entry->id == "half"))
                cases.push_back({engine, law});
    return cases;
}

std::string law_name(const testing::TestParamInfo<LawCase>& info) {
    std::string name = case_name({info.param.engine, info.index}) + "_" + std::string{pair_law(info.param.law).id};
    std::ranges::replace(name, '-', '_');
    return name;
}

/// Ions of unequal masses and charges near the sites of a crystal, so that none are too close.
Bodies ions(std::size_t count) {
    std::mt19937_64 random{3};
    std::uniform_real_distribution<double> off{-0.1, 0.1}, mass{0.5, 1.5};
    Bodies bodies;
    for (const SaltSite& site : rock_salt_crystal(count)) {
        const Vec3d noise{off(random), off(random), off(random)};
        bodies.add(1.1 * site.at + noise, {0.1 * off(random), 0.1 * off(random), 0.1 * off(random)}, mass(random));
        bodies.charge.push_back(site.charge * mass(random));
    }
    return bodies;
}

class EveryLaw : public testing::TestWithParam<LawCase> {
protected:
    void SetUp() override {
        const std::string why = unavailable(*GetParam().engine.entry);
        if (!why.empty()) skip_or_fail(why);
    }
    bool single() const { return GetParam().engine.precision == Precision::kSingle; }
    /// High powers of the distance amplify rounding errors.
    double tolerance() const { return 7 * GetParam().engine.tolerance(); }
    Gravity gravity(double softening = 0.1) const {
        const bool spline = GetParam().law == PairLaw::kSpline;  // reach all pieces of the spline
        return {.constant = 1.3,
                .softening = spline ? 10 * softening : softening,
                .law = GetParam().law,
                .sigma = 1,
                .cut_off = 2.5};
    }
    Bodies held(std::size_t count) const {
        Bodies bodies = rounded(ions(count), GetParam().engine.precision);
        if (single())
            for (double& charge : bodies.charge) charge = static_cast<float>(charge);
        return bodies;
    }
    std::vector<Vec4d> found(const Bodies& bodies, const Gravity& by, Potential potential = Potential::kSkip) const {
        return accelerations(GetParam().engine.config(), bodies, by, potential);
    }
    bool refused(const Bodies& bodies) const {
        try {
            found(bodies, gravity());
        } catch (const Error& error) {
            return error.blame() == Blame::kUsage;
        }
        return false;
    }
    static std::vector<Vec4d> wanted(const Bodies& bodies, const Gravity& by) {
        return reference_accelerations(Law::kPairs, bodies.position_mass, by, bodies.charge.data());
    }
};

TEST_P(EveryLaw, AgreesWithPlainLoop) {
    for (const std::size_t count : {1, 2, 3, 17, 64, 133, everyday(530, 600), everyday(533, 1200)})
        for (const double softening : {0.0, 0.1}) {
            const Bodies bodies = held(count);
            // With few bodies, one whose forces nearly cancel is not averaged out.
            const double few = count < 17 ? 2 : 1;
            EXPECT_LE(compare(found(bodies, gravity(softening)), wanted(bodies, gravity(softening))).rms,
                      few * tolerance())
                << count << " bodies, softening " << softening;
        }
}

TEST_P(EveryLaw, ComputesThePotentialOnRequest) {
    const Bodies bodies = held(300);
    const auto with = found(bodies, gravity(), Potential::kCompute), reference = wanted(bodies, gravity());
    double largest = 0;
    for (const Vec4d& each : reference) largest = std::max(largest, std::abs(each.w));
    for (std::size_t i = 0; i < with.size(); ++i)
        EXPECT_NEAR(with[i].w, reference[i].w, (single() ? 2e-5 : 1e-12) * largest) << i;
    EXPECT_LE(compare(with, reference).rms, tolerance());
}

TEST_P(EveryLaw, HasNoNetForce) {
    const Bodies bodies = held(500);
    EXPECT_LE(net_force(bodies.position_mass, found(bodies, gravity())), single() ? 1e-5 : 1e-13);
}

TEST_P(EveryLaw, SkipsCoincidentBodies) {
    Bodies bodies = held(70);
    const Vec4d there = bodies.position_mass[3];
    bodies.position_mass[40] = {there.x, there.y, there.z, 1};
    bodies.position_mass[69] = {0, 0, 0, 1};  // where padding is
    for (const double softening : {0.0, 0.1})
        EXPECT_LE(compare(found(bodies, gravity(softening)), wanted(bodies, gravity(softening))).rms, tolerance());
}

TEST_P(EveryLaw, IsIndependentOfSlicing) {
    const EngineConfig config = GetParam().engine.config();
    const Bodies bodies = ions(400);
    const auto whole = found(bodies, gravity());
    const auto system = make_body_system(config, bodies);
    system->begin_forces({.constant = 7, .softening = 0.1}, Potential::kSkip);  // gravity, abandoned
    system->run_forces(0, 1);
    const std::uint64_t items = system->begin_forces(gravity(), Potential::kSkip);
    for (std::uint64_t first = 0, step = 1; first < items; first += step, step = step * 2 + 1)
        system->run_forces(first, std::min(items, first + step));
    system->wait();
    if (GetParam().engine.entry->repeats(config)) {
        EXPECT_EQ(system->accelerations(), whole);
    }
    EXPECT_LE(compare(system->accelerations(), whole).rms, tolerance());
}

TEST_P(EveryLaw, ErrorIsMeasuredAgainstTheSameLaw) {
    const Bodies bodies = held(200);
    const auto system = make_body_system(GetParam().engine.config(), bodies);
    system->run_forces(0, system->begin_forces(gravity(), Potential::kSkip));
    system->wait();
    EXPECT_LE(system->force_error(gravity(), 500).rms, tolerance());
    EXPECT_GT(system->force_error({.constant = 1.3, .softening = 0.1}, 100).rms, 0.01) << "gravity is another law";
}

TEST_P(EveryLaw, RefusesMasslessOrUnchargedBodies) {
    Bodies bodies = ions(10);
    bodies.position_mass[4].w = 0;
    EXPECT_EQ(refused(bodies), !attracts_masses(GetParam().law)) << "infinite acceleration";
    bodies = ions(10), bodies.charge.clear();
    EXPECT_EQ(refused(bodies), GetParam().law == PairLaw::kCoulomb) << "no charges";
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryLaw, testing::ValuesIn(every_law()), law_name);

class EveryMatter : public testing::TestWithParam<std::string_view> {};

// With leapfrog, whose energy error stays bounded.
TEST_P(EveryMatter, ConservesEnergy) {
    const Scene scene = make_preset(GetParam(), {.bodies = 250});
    const EngineConfig by{.engine = "half", .precision = Precision::kDouble};
    const EngineConfig energy = energy_engine(Law::kPairs, Backend::kCpu);
    const Diagnostics before = diagnose(scene.bodies, scene.gravity, energy);
    Simulation simulation{scene, by};
    double most = 0, least_kinetic = before.kinetic;
    for (int i = 0; i < 10; ++i) {
        while (simulation.now().steps < 30u * static_cast<unsigned>(i + 1)) simulation.step();
        const Diagnostics now = diagnose(simulation.system().bodies(), scene.gravity, energy);
        most = std::max(most, std::abs(now.total() - before.total()));
        least_kinetic = std::min(least_kinetic, now.kinetic);
    }
    EXPECT_LE(most, 2e-3 * before.kinetic);
    EXPECT_LE(least_kinetic, 0.7 * before.kinetic) << "the crystal absorbs half of the heat";
}

INSTANTIATE_TEST_SUITE_P(Presets, EveryMatter, testing::Values("argon-drop", "salt-melt"), [](const auto& tested) {
    return std::string{tested.param == "argon-drop" ? "argon_drop" : "salt_melt"};
});

std::string refusal(const auto& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(PairLaws, UnsupportedLawIsRefusedByName) {
    const Gravity atoms{.law = PairLaw::kLennardJones, .sigma = 1};
    const Bodies bodies = ions(20);
    for (const EngineEntry& entry : cpu_engines()) {
        const EngineConfig config{.engine = std::string{entry.id}};
        const std::string why = refusal([&] { accelerations(config, bodies, atoms); });
        if (computes(entry, PairLaw::kLennardJones)) {
            EXPECT_EQ(why, "") << entry.id;
        } else {
            EXPECT_THAT(why,
                        testing::AllOf(testing::HasSubstr(entry.id), testing::HasSubstr("lennard-jones"),
                                       testing::HasSubstr("direct on cpu"), testing::Not(testing::HasSubstr("\n"))));
        }
    }
    const EngineConfig mixed{.engine = "direct", .precision = Precision::kMixed};
    EXPECT_THAT(refusal([&] { accelerations(mixed, bodies, atoms); }), testing::HasSubstr("mixed"));
}

TEST(PairLaws, RejectedChangeLeavesSimulationUnchanged) {
    Simulation simulation{make_preset("argon-drop", {.bodies = 30}), {.engine = "direct"}};
    const Gravity atoms = simulation.scene().gravity;
    EXPECT_THROW(simulation.set_gravity({.law = PairLaw::kCoulomb}), Error) << "no charges";
    EXPECT_THROW(simulation.set_engine({.engine = "tree"}), Error);
    EXPECT_THROW(simulation.set_integrator("hermite4"), Error);
    EXPECT_THROW(simulation.set_integrator(simulation.scene().integrator, 0.1), Error);
    EXPECT_EQ(simulation.scene().gravity, atoms);
    simulation.step();
    simulation.set_gravity({.softening = 0.1});
    EXPECT_NO_THROW(simulation.set_engine({.engine = "tree"}));
    EXPECT_THROW(simulation.set_gravity(atoms), Error) << "trees do not compute this law";
    simulation.step();
    EXPECT_EQ(simulation.scene().gravity.law, PairLaw::kGravity);
}

}  // namespace
}  // namespace orrery::test
