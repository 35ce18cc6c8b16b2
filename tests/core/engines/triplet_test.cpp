// SPDX-License-Identifier: MIT
// The triple-dipole force: every engine of that law against a plain triple loop, and that loop against the energy.
#include <algorithm>
#include <cmath>
#include <list>

#include "core/analysis/diagnostics.hpp"
#include "core/base/error.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/sampling.hpp"
#include "core/engines/choices.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/support/every_engine.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

/// ν w (1 + 3 cos cos cos)/(r r r)³ over all triplets, cosines by scalar products: the published law without softening.
double printed_energy(const std::vector<Vec4d>& bodies, double nu) {
    const auto cosine = [](Vec3d at, Vec3d a, Vec3d b) {
        const Vec3d u = a - at, v = b - at;
        return dot(u, v) / std::sqrt(dot(u, u) * dot(v, v));
    };
    double sum = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            for (std::size_t k = 0; k < j; ++k) {
                const Vec3d a = xyz(bodies[i]), b = xyz(bodies[j]), c = xyz(bodies[k]);
                const double r = std::sqrt(dot(a - b, a - b) * dot(b - c, b - c) * dot(c - a, c - a));
                const double angles = cosine(a, b, c) * cosine(b, c, a) * cosine(c, a, b);
                sum += nu * bodies[i].w * bodies[j].w * bodies[k].w * (1 + 3 * angles) / (r * r * r);
            }
    return sum;
}

/// ⅓ Σ m φ.
double energy_of(const std::vector<Vec4d>& bodies, const std::vector<Vec4d>& accelerations) {
    double sum = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) sum += bodies[i].w * accelerations[i].w / 3;
    return sum;
}

/// Checks that m·a is minus the gradient of energy(bodies), by central differences.
template <class Energy>
void expect_gradient(std::vector<Vec4d> bodies, const std::vector<Vec4d>& accelerations, const Energy& energy,
                     double step, double tolerance) {
    double largest = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        largest = std::max(largest, bodies[i].w * std::sqrt(dot(xyz(accelerations[i]), xyz(accelerations[i]))));
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (double Vec4d::*axis : {&Vec4d::x, &Vec4d::y, &Vec4d::z}) {
            const double here = bodies[i].*axis;
            bodies[i].*axis = here + step;
            const double ahead = energy(bodies);
            bodies[i].*axis = here - step;
            const double behind = energy(bodies);
            bodies[i].*axis = here;
            EXPECT_NEAR(bodies[i].w * accelerations[i].*axis, (behind - ahead) / (2 * step), tolerance * largest) << i;
        }
}

TEST(TripletReference, IsTheGradientOfThePublishedEnergy) {
    const std::vector<Vec4d> bodies = ball(9).position_mass;
    const auto accelerations = reference_accelerations(Law::kAxilrodTeller, bodies, {.constant = 2, .softening = 0});
    const auto energy = [](const auto& at) { return printed_energy(at, 2); };
    EXPECT_NEAR(energy_of(bodies, accelerations), energy(bodies), 1e-12 * std::abs(energy(bodies)));
    expect_gradient(bodies, accelerations, energy, 1e-6, 1e-7);
}

TEST(TripletReference, IsTheGradientOfTheSoftenedEnergy) {
    const std::vector<Vec4d> bodies = ball(9).position_mass;
    const Gravity law{.constant = 2, .softening = 0.3};
    const auto accelerations = reference_accelerations(Law::kAxilrodTeller, bodies, law);
    const auto energy = [&](const auto& at) {
        return energy_of(at, reference_accelerations(Law::kAxilrodTeller, at, law));
    };
    expect_gradient(bodies, accelerations, energy, 1e-5, 1e-7);
}

class EveryTripletEngine : public NeedsEngine {
protected:
    std::vector<Vec4d> found(const Bodies& bodies, const Gravity& law, Potential potential = Potential::kSkip) const {
        return accelerations(GetParam().config(), bodies, law, potential);
    }
    /// Cached for the other engines, which are tested with the same bodies.
    static const std::vector<Vec4d>& wanted(const Bodies& bodies, const Gravity& law) {
        struct Known {
            std::vector<Vec4d> bodies;
            Gravity law;
            std::vector<Vec4d> accelerations;
        };
        static std::list<Known> all;
        for (const Known& known : all)
            if (known.law == law && known.bodies == bodies.position_mass) return known.accelerations;
        all.push_back(
            {bodies.position_mass, law, reference_accelerations(Law::kAxilrodTeller, bodies.position_mass, law)});
        return all.back().accelerations;
    }
    bool single() const { return GetParam().precision != Precision::kDouble; }  // of the arithmetic
};

TEST_P(EveryTripletEngine, AgreesWithTripleLoopForAnyNumberOfBodies) {
    for (const std::size_t count : {1, 2, 3, 4, 15, 16, 17, 31, 32, 33, 64, 65, 255, 257, 290})  // around tile sizes
        for (const double softening : {0.2, 0.05}) {
            if (count > 64 && (softening == 0.2 || count == 290) && !runs_long()) continue;
            const Bodies bodies = rounded(ball(count), GetParam().precision);
            const Gravity law{.constant = 1.5, .softening = softening};
            EXPECT_LE(compare(found(bodies, law), wanted(bodies, law)).rms, GetParam().tolerance())
                << count << " bodies, softening " << softening;
        }
}

TEST_P(EveryTripletEngine, NeedsNoSofteningAtAnyScale) {
    for (const double scale : {1.0, 1e-2, 30.0}) {
        Bodies bodies = ball(150);
        for (Vec4d& b : bodies.position_mass) b = {scale * b.x, scale * b.y, scale * b.z, b.w};
        bodies = rounded(bodies, GetParam().precision);
        const Gravity law{.constant = std::pow(scale, 10), .softening = 0};
        EXPECT_LE(compare(found(bodies, law), wanted(bodies, law)).rms, 2 * GetParam().tolerance()) << scale;
    }
}

/// An equilateral triangle repels, E = 11/8 r^(-9); on a line E = -2/(r·r·2r)³, and the middle body has no
/// acceleration.
TEST_P(EveryTripletEngine, MatchesAnalyticTriangleAndLine) {
    const double r = 1.25, force = 9 * 11.0 / 8 * std::pow(r, -10) / std::sqrt(3.0);
    Bodies triangle;
    triangle.add({0, 0, 0}, {}, 1), triangle.add({r, 0, 0}, {}, 1),
        triangle.add({r / 2, r * std::sqrt(0.75), 0}, {}, 1);
    const auto a = found(triangle, {.constant = 1, .softening = 0}, Potential::kCompute);
    EXPECT_NEAR(a[2].y, force, 1e-5 * force);
    EXPECT_NEAR(a[2].x, 0, 1e-6);
    EXPECT_NEAR(a[0].w, 11.0 / 8 * std::pow(r, -9), 1e-6);
    Bodies line;
    line.add({-r, 0, 0}, {}, 1), line.add({0, 0, 0}, {}, 1), line.add({r, 0, 0}, {}, 1);
    const auto b = found(line, {.constant = 1, .softening = 0}, Potential::kCompute);
    EXPECT_NEAR(b[1].x, 0, 1e-6);
    EXPECT_NEAR(b[0].x, 9 * 0.25 * std::pow(r, -10) / 2, 1e-6) << "attracted by the others";
    EXPECT_NEAR(b[1].w, -0.25 * std::pow(r, -9), 1e-6);
}

TEST_P(EveryTripletEngine, HasNoNetForceOrTorque) {
    const Bodies bodies = rounded(ball(300), GetParam().precision);
    const auto a = found(bodies, {.softening = 0.1});
    Vec3d torque{};
    double scale = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const Vec3d at = xyz(bodies.position_mass[i]), f = bodies.position_mass[i].w * xyz(a[i]);
        torque = torque + cross(at, f);
        scale += std::sqrt(dot(at, at) * dot(f, f));
    }
    EXPECT_LE(net_force(bodies.position_mass, a), single() ? 1e-6 : 1e-14);
    EXPECT_LE(std::sqrt(dot(torque, torque)) / scale, single() ? 1e-6 : 1e-14);
}

TEST_P(EveryTripletEngine, IsTheGradientOfItsPotential) {
    if (single()) GTEST_SKIP() << "finite differences need double precision";
    const Bodies bodies = ball(40);
    const Gravity law{.constant = 3, .softening = 0.2};
    const auto energy = [&](const std::vector<Vec4d>& at) {
        Bodies moved = bodies;
        moved.position_mass = at;
        return energy_of(at, found(moved, law, Potential::kCompute));
    };
    expect_gradient(bodies.position_mass, found(bodies, law), energy, 1e-5, 1e-6);
}

TEST_P(EveryTripletEngine, ComputesThePotentialOnRequest) {
    const Bodies bodies = rounded(ball(133), GetParam().precision);
    const Gravity law{.constant = 2, .softening = 0.1};
    const auto with = found(bodies, law, Potential::kCompute), reference = wanted(bodies, law);
    double largest = 0;
    for (const Vec4d& each : reference) largest = std::max(largest, std::abs(each.w));
    for (std::size_t i = 0; i < with.size(); ++i)
        EXPECT_NEAR(with[i].w, reference[i].w,
                    (single() ? 1e-5 : 1e-12) * std::max(std::abs(reference[i].w), 1e-3 * largest));
    EXPECT_LE(compare(with, reference).rms, GetParam().tolerance());
}

TEST_P(EveryTripletEngine, SkipsCoincidentBodiesAndAcceleratesMasslessOnes) {
    Bodies bodies = rounded(ball(100), GetParam().precision);
    bodies.position_mass[70] = bodies.position_mass[3];
    bodies.position_mass[99] = {0, 0, 0, 1};
    bodies.position_mass[50].w = 0;
    for (const double softening : {0.0, 0.1}) {
        const Gravity law{.softening = softening};
        const auto a = found(bodies, law), reference = wanted(bodies, law);
        EXPECT_LE(compare(a, reference).rms, 2 * GetParam().tolerance()) << softening;
        const std::vector<Vec4d> own{a[50]}, own_wanted{reference[50]};
        EXPECT_LE(compare(own, own_wanted).rms, 100 * GetParam().tolerance()) << softening;
    }
}

TEST_P(EveryTripletEngine, AgreesForEveryMapRootAndTileSize) {
    const Gravity law{.softening = 0.1};
    for (const std::size_t count : {20, 200}) {
        const Bodies bodies = rounded(ball(count), GetParam().precision);
        const auto reference = wanted(bodies, law);
        for (const int rows : {0, 16, 32}) {
            if (rows == 16 && GetParam().entry->backend == Backend::kCuda) continue;  // CUDA has one tile size
            for (EngineConfig config : with_every_map(*GetParam().entry, GetParam().config())) {
                config.tile_size = rows;
                const auto a = accelerations(config, bodies, law);
                EXPECT_LE(compare(a, reference).rms, GetParam().tolerance()) << config.map3 << ' ' << config.root;
                EXPECT_EQ(map_in_force(config), config.map3);
            }
        }
    }
}

TEST_P(EveryTripletEngine, IsIndependentOfSlicingAndAbandonedWork) {
    const Bodies bodies = ball(310);
    const Gravity law{.softening = 0.1};
    const auto whole = found(bodies, law);
    EngineConfig config = GetParam().config();
    config.threads = 1;
    const auto system = make_body_system(config, bodies);
    system->begin_forces({.constant = 7}, Potential::kSkip);
    system->run_forces(0, 1);
    const std::uint64_t items = system->begin_forces(law, Potential::kSkip);
    for (std::uint64_t first = 0, step = 1; first < items; first += step, step = step * 2 + 1)
        system->run_forces(first, std::min(items, first + step));
    system->wait();
    if (GetParam().entry->repeats(config)) {
        EXPECT_EQ(system->accelerations(), whole);
        for (int run = 0; run < 5; ++run) EXPECT_EQ(found(bodies, law), whole);
    }
    EXPECT_LE(compare(system->accelerations(), whole).rms, GetParam().tolerance());
}

TEST_P(EveryTripletEngine, ErrorIsMeasuredAgainstTheSameLaw) {
    const Bodies bodies = rounded(ball(200), GetParam().precision);
    const auto system = make_body_system(GetParam().config(), bodies);
    const Gravity law{.constant = 3, .softening = 0.1};
    system->run_forces(0, system->begin_forces(law, Potential::kSkip));
    system->wait();
    const ForceError error = system->force_error(law, 500);
    EXPECT_EQ(error.samples, 200u);
    EXPECT_LE(error.rms, GetParam().tolerance());
    EXPECT_GT(system->force_error({.constant = 3.03, .softening = 0.1}, 100).rms, 0.005);
}

TEST_P(EveryTripletEngine, RefusesPairMapsAndInvalidTiles) {
    EngineConfig config = GetParam().config();
    config.map3 = "lambda";
    EXPECT_THROW(make_body_system(config, ball(3)), Error) << "a map of pairs";
    config = GetParam().config();
    config.tile_size = 512;
    EXPECT_THROW(make_body_system(config, ball(3)), Error);
}

TEST_P(EveryTripletEngine, ConservesEnergyOfTheArgonCluster) {
    Scene scene = make_preset("argon-cluster", {.bodies = 100});
    const EngineConfig by = energy_engine(Law::kAxilrodTeller, GetParam().entry->backend);
    const Gravity law = scene.gravity;
    const double before = diagnose(scene.bodies, law, by).total();
    Simulation simulation{std::move(scene), GetParam().config()};
    double largest = 0;
    for (int step = 0; step < 200; ++step) {
        simulation.step();
        if (step % 20 != 19) continue;
        const Diagnostics now = diagnose(simulation.system().bodies(), law, by);
        largest = std::max(largest, now.potential);
        EXPECT_NEAR(now.total(), before, 1e-3 * before) << "step " << step;
    }
    EXPECT_GT(largest, 0.8 * before) << "the three-body force stops the infall";
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryTripletEngine, ::testing::ValuesIn(every_engine(Law::kAxilrodTeller)), case_name);

std::vector<EngineCase> those_in_mixed() {
    std::vector<EngineCase> cases = every_engine(Law::kAxilrodTeller);
    std::erase_if(cases, [](const EngineCase& c) { return c.precision != Precision::kMixed; });
    return cases;
}

class MixedTriplets : public EveryTripletEngine {
protected:
    double error_in(Precision precision, const Bodies& bodies, const Gravity& law) const {
        EngineConfig config = GetParam().config();
        config.precision = precision;
        return compare(accelerations(config, bodies, law), wanted(bodies, law)).rms;
    }
};

/// Pairs 3e-6 apart, a distance that floats resolve to one digit, in a ball of size 1: most triplets have one short
/// side.
TEST_P(MixedTriplets, ResolveDistancesNearFloatPrecision) {
    Bodies bodies;
    const Bodies places = ball(40);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Vec4d at = places.position_mass[i];
        const double turn = static_cast<double>(i);
        bodies.add(xyz(at), {}, at.w);
        bodies.add(xyz(at) + Vec3d{3e-6 * std::cos(turn), 3e-6 * std::sin(turn), 1e-6}, {}, at.w);
    }
    EXPECT_LE(error_in(Precision::kMixed, bodies, {.softening = 0}), 2 * GetParam().tolerance());
    EXPECT_GT(error_in(Precision::kSingle, bodies, {.softening = 0}), 0.01);
}

/// A ball of size 1 far from the origin of coordinates.
TEST_P(MixedTriplets, AreAccurateFarFromTheOrigin) {
    Bodies bodies = ball(150);
    for (Vec4d& at : bodies.position_mass) at.x += 1e5, at.y -= 3e5;
    EXPECT_LE(error_in(Precision::kMixed, bodies, {.softening = 0.1}), 2 * GetParam().tolerance());
    EXPECT_GT(error_in(Precision::kSingle, bodies, {.softening = 0.1}), 0.01);
}

INSTANTIATE_TEST_SUITE_P(Menu, MixedTriplets, ::testing::ValuesIn(those_in_mixed()), case_name);

TEST(AffordableSamples, AreFewerForLargerSystems) {
    EXPECT_EQ(affordable_samples(Law::kPairs, 1024, 1 << 20, 3e9), 1024u);
    EXPECT_EQ(affordable_samples(Law::kAxilrodTeller, 1024, 100, 3e8), 1024u);
    EXPECT_EQ(affordable_samples(Law::kAxilrodTeller, 1024, 4096, 3e8), 35u);
    EXPECT_EQ(affordable_samples(Law::kAxilrodTeller, 1024, 1 << 20, 3e8), 1u);
}

}  // namespace
}  // namespace orrery::test
