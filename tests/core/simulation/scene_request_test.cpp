// SPDX-License-Identifier: MIT
#include "core/simulation/scene_request.hpp"

#include <cmath>

#include "core/formats/formats.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

class SceneRequests : public Scratch {
protected:
    template <class... Words>
    static void refused(const SceneRequest& request, Words... words) {
        expect_error([&] { open_scene(request); }, Blame::kUsage, words...);
    }
    std::string file() const {
        Scene scene;
        for (const double x : {1.0, 2.0, 4.0}) scene.bodies.add({x, 0, 0}, {0, x, 0}, 1);
        write_snapshot(scene, path("three.csv"));
        return path("three.csv").string();
    }
};

TEST_F(SceneRequests, NumberOfBodiesAppliesToPresetsOnly) {
    EXPECT_EQ(open_scene({.source = "plummer", .bodies = 17}).bodies.size(), 17u);
    EXPECT_EQ(open_scene({.source = file()}).bodies.size(), 3u);
    EXPECT_EQ(open_scene({.source = file(), .bodies = 3}).bodies.size(), 3u);
    refused({.source = file(), .bodies = 4}, "three.csv: holds 3 bodies", "presets only");
    refused({.source = "no-such"}, "no preset or file \"no-such\"; `orrery list presets` shows all");
    refused({.source = "colision"}, "no preset or file \"colision\" (did you mean \"collision\"?)");
    refused({.source = "solar"}, "(did you mean \"solar-system\"?)");
    refused({.source = "nope.tipsy"}, "nope.tipsy: no such file");
    refused({.source = "folder/plummer"}, "folder/plummer: no such file");
    EXPECT_THROW(require_source("no-such"), Error);
    EXPECT_NO_THROW(require_source("plummer"));
}

TEST_F(SceneRequests, SitesAndDisplacementsApplyToSomePresetsOnly) {
    const auto places = [](const SceneRequest& request) { return open_scene(request).bodies.position_mass; };
    const SceneRequest plain{.source = "zeldovich", .bodies = 100};
    SceneRequest glass = plain, bent = plain, named = plain;
    glass.sites = "glass", bent.displacements = "2lpt", named.sites = "lattice", named.displacements = "zeldovich";
    EXPECT_EQ(places(named), places(plain)) << "the defaults of earlier versions";
    EXPECT_NE(places(glass), places(plain));
    EXPECT_NE(places(bent), places(plain));
    refused({.source = "plummer", .sites = "glass"}, "plummer: has no sites to choose", "zeldovich");
    refused({.source = file(), .displacements = "2lpt"}, "three.csv: has no displacements to choose");
    refused({.source = "zeldovich", .sites = "sand"}, "no kind of sites 'sand'; there are lattice, glass");
}

TEST_F(SceneRequests, RequestOverridesTheScene) {
    const Scene own = open_scene({.source = file()});
    EXPECT_EQ(own.label, "three.csv");
    const Scene scene = open_scene(
        {.source = file(), .softening = 0, .dt = 5e-324, .integrator = "yoshida6", .adaptive = 0.5, .label = "Three"});
    EXPECT_EQ(scene.gravity.softening, 0);
    EXPECT_EQ(scene.dt, 5e-324);
    EXPECT_EQ(scene.integrator, "yoshida6");
    EXPECT_EQ(scene.adaptive, 0.5);
    EXPECT_EQ(scene.label, "Three");
    EXPECT_EQ(open_scene({.source = file(), .softening = 0.25}).gravity.softening, 0.25);
    EXPECT_EQ(open_scene({.source = file(), .softening = 0.25}).dt, own.dt);
}

TEST_F(SceneRequests, BodyRadiusDefaultsToTheSoftening) {
    const auto rule = [&](SceneRequest request) {
        request.source = file(), request.softening = 0.25;
        return open_scene(request).encounters;
    };
    EXPECT_FALSE(rule({}).on());
    EXPECT_EQ(rule({}).density, 0);
    EXPECT_NEAR(radius_of(rule({.encounters = "merge"}), 1, false), 0.25, 1e-15);
    EXPECT_EQ(rule({.encounters = "merge", .body_density = 2}).density, 2);
    EXPECT_EQ(rule({.encounters = "bounce", .body_radius = 0.5, .restitution = 0.5}).density, 0);
    EXPECT_EQ(rule({.encounters = "bounce", .body_radius = 0.5, .restitution = 0.5}).restitution, 0.5);
    refused({.source = file(), .encounters = "bounce", .restitution = 2}, "restitution");
}

TEST_F(SceneRequests, NumbersOutOfRangeAreRefused) {
    for (const double softening : {-5e-324, std::nan(""), HUGE_VAL})
        refused({.source = "plummer", .bodies = 3, .softening = softening}, "softening");
    for (const double dt : {0.0, -1.0, std::nan(""), HUGE_VAL})
        refused({.source = "plummer", .bodies = 3, .dt = dt}, "time step");
    refused({.source = "plummer", .bodies = 3, .adaptive = 1.5}, "adaptive");
    refused({.source = "plummer", .bodies = 3, .integrator = "none"}, "none");
}

}  // namespace
}  // namespace orrery::test
