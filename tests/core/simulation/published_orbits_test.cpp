// SPDX-License-Identifier: MIT
// Orbits with published final states.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "core/analysis/diagnostics.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery::test {
namespace {

EngineConfig exact(bool compensated) {
    return {.engine = "direct",
            .backend = Backend::kCpu,
            .precision = Precision::kDouble,
            .threads = 1,
            .compensated = compensated};
}

/// Runs to this time; the last step ends there exactly.
void run_to(Simulation& simulation, double time) {
    const double dt = simulation.scene().dt;
    while (simulation.now().time < time) {
        simulation.set_dt(std::min(dt, time - simulation.now().time));
        simulation.step();
    }
}

double drift(Simulation& simulation, const Diagnostics& start) {
    const Diagnostics now = diagnose(simulation.system().bodies(), simulation.scene().gravity, Backend::kCpu);
    return std::abs((now.total() - start.total()) / start.total());
}

/// Rows of numbers of a table in ORRERY_DATA/proofs without its head; empty if the file is missing.
std::vector<std::vector<double>> table(const std::string& name) {
    const char* folder = std::getenv("ORRERY_DATA");
    std::ifstream file{std::filesystem::path{folder ? folder : ORRERY_DATA_DIR} / "proofs" / name};
    std::vector<std::vector<double>> rows;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#') || !(std::isdigit(static_cast<unsigned char>(line[0])) || line[0] == '-')) continue;
        std::istringstream cells{line};
        rows.emplace_back();
        for (std::string cell; std::getline(cells, cell, ',');)
            rows.back().push_back(std::strtod(cell.c_str(), nullptr));
    }
    return rows;
}

Scene scene_of(const std::vector<std::vector<double>>& rows) {
    Scene scene;
    double mass = 0;
    Vec3d place{}, momentum{};
    for (const auto& r : rows) {
        scene.bodies.add({r[1], r[2], r[3]}, {r[4], r[5], r[6]}, r[0]);
        mass += r[0], place = place + r[0] * Vec3d{r[1], r[2], r[3]},
                      momentum = momentum + r[0] * Vec3d{r[4], r[5], r[6]};
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Vec4d& body = scene.bodies.position_mass[i];
        body.x -= place.x / mass, body.y -= place.y / mass, body.z -= place.z / mass;
        scene.bodies.velocity[i] = scene.bodies.velocity[i] - (1 / mass) * momentum;
    }
    return scene;
}

struct Star {
    double mass, x, y, vx, vy, x_at_3, y_at_3;
};

// Test set for initial value problem solvers (Mazzia & Magherini 2008), "Pleiades": seven stars in a plane, G = 1.
constexpr std::array kPleiades = std::to_array<Star>({
    {1, 3, 3, 0, 0, 0.3706139143970502, -3.943437585517392},
    {2, 3, -3, 0, 0, 3.237284092057233, -3.2713809739725503},
    {3, -1, 2, 0, 0, -3.222559032418324, 5.225081843456543},
    {4, -3, 0, 0, -1.25, 0.659709145577531, -2.59061243497747},
    {5, 2, 0, 0, 1, 0.3425581707156584, 1.1982136933922751},
    {6, -2, -4, 1.75, 0, 1.562172101400631, -0.2429682344935824},
    {7, 2, 4, -1.5, 0, -0.7003092922212495, 1.09144924042898},
});

TEST(PublishedOrbits, PleiadesReachTheirPublishedPositions) {
    Scene scene;
    for (const Star& s : kPleiades) scene.bodies.add({s.x, s.y, 0}, {s.vx, s.vy, 0}, s.mass);
    scene.integrator = "yoshida6";
    scene.dt = 0.01, scene.adaptive = 0.005;
    Simulation simulation{scene, exact(true)};
    run_to(simulation, 3);
    const Bodies end = simulation.system().bodies();
    for (std::size_t i = 0; i < kPleiades.size(); ++i) {
        EXPECT_NEAR(end.position_mass[i].x, kPleiades[i].x_at_3, 1e-12) << i;
        EXPECT_NEAR(end.position_mass[i].y, kPleiades[i].y_at_3, 1e-12) << i;
    }
}

// Bounds of REBOUND's test_leapfrog.py; measured here: 8.2e-6, 1.7e-7, 1.4e-10.
TEST(PublishedOrbits, OuterPlanetsConserveEnergy) {
    const auto rows = table("outer_planets.csv");
    if (rows.empty()) GTEST_SKIP() << "the data are missing";
    for (const auto& [integrator, bound] : {std::pair{"leapfrog", 1e-3}, {"yoshida4", 3e-6}, {"yoshida6", 1e-9}}) {
        Scene scene = scene_of(rows);
        scene.integrator = integrator;
        scene.dt = 1;
        const Diagnostics start = diagnose(scene.bodies, scene.gravity, Backend::kCpu);
        Simulation simulation{scene, exact(false)};
        run_to(simulation, 1000);
        EXPECT_LT(drift(simulation, start), bound) << integrator;
    }
}

// Bound of REBOUND's test_trace.py: 5e-5.
TEST(PublishedOrbits, ManyEncountersAreResolved) {
    const auto rows = table("many_encounters.csv");
    if (rows.empty()) GTEST_SKIP() << "the data are missing";
    Scene scene = scene_of(rows);
    scene.integrator = "yoshida6";
    scene.dt = 0.034, scene.adaptive = 0.02;
    const Diagnostics start = diagnose(scene.bodies, scene.gravity, Backend::kCpu);
    Simulation simulation{scene, exact(false)};
    run_to(simulation, 2000);
    EXPECT_LT(drift(simulation, start), 5e-5);
}

// The 20 three-dimensional periodic orbits of Li & Liao (sjtu-liao/three-body) with the shortest periods.
TEST(PublishedOrbits, PeriodicOrbitsClose) {
    auto rows = table("orbits.csv");
    if (rows.empty()) GTEST_SKIP() << "the data are missing";
    constexpr std::size_t kPeriod = 7;
    std::ranges::sort(rows, {}, [](const std::vector<double>& row) { return row[kPeriod]; });
    rows.resize(std::min<std::size_t>(rows.size(), 20));
    for (const auto& r : rows) {
        const double mass = r[2], z = r[3], vx = r[4], vy = r[5], vz = r[6];
        Scene scene;
        scene.bodies.add({-1, 0, 0}, {vx, vy, vz}, 1);
        scene.bodies.add({1, 0, 0}, {vx, vy, -vz}, 1);
        scene.bodies.add({0, 0, z}, {-2 * vx / mass, -2 * vy / mass, 0}, mass);
        scene.integrator = "yoshida6";
        scene.dt = 0.01, scene.adaptive = 0.02;
        Simulation simulation{scene, exact(true)};
        run_to(simulation, r[kPeriod]);
        const Bodies end = simulation.system().bodies();
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_LT(length(xyz(end.position_mass[i]) - xyz(scene.bodies.position_mass[i])), 1e-5)
                << "line " << r[0] << ", body " << i;
    }
}

}  // namespace
}  // namespace orrery::test
