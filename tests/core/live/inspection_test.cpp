// SPDX-License-Identifier: MIT
#include "core/live/inspection.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <thread>

#include "core/base/error.hpp"
#include "core/live/simulation_thread.hpp"
#include "core/presets/presets.hpp"
#include "tests/support/eventually.hpp"

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

std::shared_ptr<const std::vector<std::uint32_t>> selection(std::vector<std::uint32_t> ids) {
    return std::make_shared<const std::vector<std::uint32_t>>(std::move(ids));
}

Inspection inspect(const Simulation& simulation, std::vector<std::uint32_t> ids) {
    InspectionMonitor watch;
    watch.set(simulation, selection(std::move(ids)));
    std::optional<Inspection> found;
    watch.take(simulation, found, true);
    return found.value();
}

TEST(Inspection, ReportsOneBody) {
    Simulation simulation{make_preset("solar-system", {}), {.precision = Precision::kDouble}};
    simulation.step();
    const BodyFigures earth = inspect(simulation, {3}).body.value();
    EXPECT_EQ(earth.id, 3u);
    EXPECT_EQ(earth.name, "Earth");
    EXPECT_NEAR(earth.mass, 3.0e-6, 0.1e-6) << "solar masses, with the Moon or without";
    EXPECT_NEAR(earth.distance, 1, 0.03);
    EXPECT_NEAR(length(earth.position), 1, 0.03);
    EXPECT_NEAR(length(earth.velocity), 1, 0.03);
    EXPECT_NEAR(length(earth.acceleration), 1, 0.06) << "G M / r²";
    EXPECT_LT(earth.error.value(), 1e-14);
}

TEST(Inspection, ErrorBelongsToTheCurrentEngine) {
    Simulation simulation{make_preset("plummer", {.bodies = 2000}), {.engine = "tree", .tree = {.theta = 1}}};
    simulation.step();
    const double coarse = inspect(simulation, {5}).body->error.value();
    EXPECT_GT(coarse, 1e-6);
    EXPECT_LT(coarse, 0.1);
    simulation.set_engine({});
    EXPECT_FALSE(inspect(simulation, {5}).body->error) << "this engine has not been evaluated yet";
    simulation.step();
    EXPECT_LT(inspect(simulation, {5}).body->error.value(), 1e-5);
}

TEST(Inspection, ReportsAGroup) {
    Scene scene;
    scene.bodies.add({1, 0, 0}, {0, 2, 0}, 1);
    scene.bodies.add({-1, 0, 0}, {0, -1, 0}, 3);
    scene.bodies.add({9, 9, 9}, {9, 9, 9}, 7);
    const Simulation simulation{scene, {.precision = Precision::kDouble}};
    const Inspection found = inspect(simulation, {0, 1});
    EXPECT_FALSE(found.body);
    const GroupFigures group = found.group.value();
    EXPECT_EQ(group.count, 2u);
    EXPECT_EQ(group.mass, 4);
    EXPECT_EQ(group.centre, (Vec3d{-0.5, 0, 0}));
    EXPECT_EQ(group.velocity, (Vec3d{0, -0.25, 0}));
    EXPECT_DOUBLE_EQ(group.radius, std::sqrt((1 * 2.25 + 3 * 0.25) / 4));
    EXPECT_DOUBLE_EQ(group.dispersion, std::sqrt((1 * 2.25 * 2.25 + 3 * 0.75 * 0.75) / 12));
}

TEST(Inspection, StatusOfTheThreadIncludesIt) {
    SimulationThread thread{{.source = "plummer", .bodies = 500}, {}};
    thread.send(Inspect{selection({42})});
    ASSERT_TRUE(eventually([&] { return thread.status().inspection && thread.status().inspection->body; }));
    EXPECT_EQ(thread.status().inspection->body->id, 42u);
    const std::int64_t step = thread.status().inspection->step;
    EXPECT_TRUE(eventually([&] { return thread.status().inspection->step > step; }))
        << "the values must follow the body";
    ASSERT_TRUE(eventually([&] { return thread.update_frame() && thread.frame().watched.size() == 1; }));
    EXPECT_FLOAT_EQ(float(thread.frame().watched[0].x), thread.frame().host[42].x);
    EXPECT_FALSE(thread.frame().centre_of_mass);
    thread.send(WatchCentreOfMass{true});
    ASSERT_TRUE(eventually([&] { return thread.update_frame() && thread.frame().centre_of_mass; }));
    EXPECT_LT(length(*thread.frame().centre_of_mass), 1e-4) << "at rest in the origin";
    thread.send(Inspect{selection({1, 500})});
    ASSERT_TRUE(
        eventually([&] { return thread.status().message.text == "body 500: there are 500 bodies, counted from 0"; }));
    EXPECT_EQ(thread.status().inspection->body->id, 42u) << "the previous selection remains";
    std::vector<std::uint32_t> all(500);
    for (std::uint32_t i = 0; i < 500; ++i) all[i] = i;
    thread.send(Inspect{selection(all)});
    ASSERT_TRUE(eventually([&] { return thread.status().inspection && thread.status().inspection->group; }));
    EXPECT_NEAR(thread.status().inspection->group->mass, 1, 1e-6);
    ASSERT_TRUE(eventually([&] { return thread.update_frame() && thread.frame().watched.size() == 256; }));
    thread.send(Inspect{});
    EXPECT_TRUE(eventually([&] { return !thread.status().inspection; }));
    thread.send(Inspect{selection({7})});
    thread.send(LoadScene{{.source = "plummer", .bodies = 5}});
    EXPECT_TRUE(eventually([&] { return thread.status().bodies == 5 && !thread.status().inspection; }));
}

}  // namespace
}  // namespace orrery::test
