// SPDX-License-Identifier: MIT
// Every edit of the menu, and undoing it in simulations of every engine.
#include "core/simulation/edit.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>

#include "core/base/error.hpp"
#include "core/formats/formats.hpp"
#include "core/live/world.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/checkpoint.hpp"
#include "tests/support/every_engine.hpp"
#include "tests/support/example_edit.hpp"

namespace orrery::test {
namespace {

constexpr Gravity kUnits{.softening = 0.02};

Bodies labelled() {
    Bodies bodies = make_preset("plummer", {.bodies = 40}).bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        bodies.names.push_back("b" + std::to_string(i));
        bodies.species.push_back(i % 2 ? Species::kHalo : Species::kDisk);
        bodies.ids.push_back(100 + i);
        bodies.pinned.push_back(i == 3);
    }
    return bodies;
}

double mass_of(const Bodies& bodies) {
    double sum = 0;
    for (const Vec4d& body : bodies.position_mass) sum += body.w;
    return sum;
}

class EveryEdit : public ::testing::TestWithParam<EditEntry> {};

TEST_P(EveryEdit, KeepsLabelsAndOrderOfOtherBodies) {
    const Bodies before = labelled();
    Bodies after = before;
    after = edited(example_edit(GetParam()), kUnits, after);
    EXPECT_NE(after.position_mass.size() == before.size() && after.position_mass == before.position_mass &&
                  after.velocity == before.velocity && after.species == before.species && after.names == before.names &&
                  after.pinned == before.pinned,
              true)
        << "the edit changed nothing";
    EXPECT_EQ(after.velocity.size(), after.size());
    EXPECT_EQ(after.names.size(), after.size());
    EXPECT_EQ(after.species.size(), after.size());
    EXPECT_EQ(after.ids.size(), after.size());
    EXPECT_TRUE(after.pinned.empty() || after.pinned.size() == after.size());
    EXPECT_TRUE(std::ranges::is_sorted(after.ids)) << "new ids come last";
    for (std::size_t i = 0, kept = 0; i < before.size(); ++i) {
        if (i == 3 || i == 4 || i == 39) {
            kept += GetParam().kind != EditKind::kRemove;
            continue;
        }
        EXPECT_EQ(after.ids[kept], before.ids[i]);
        EXPECT_EQ(after.position_mass[kept], before.position_mass[i]);
        if (!GetParam().brushes) {
            EXPECT_EQ(after.velocity[kept], before.velocity[i]);
        }
        EXPECT_EQ(after.names[kept++], before.names[i]);
    }
}

TEST_P(EveryEdit, RefusesInvalidInputAndKeepsTheBodies) {
    Bodies bodies = labelled();
    const Bodies before = bodies;
    const auto refused = [&](const Edit& edit) {
        EXPECT_THROW(bodies = edited(edit, kUnits, bodies), Error);
        EXPECT_EQ(bodies.position_mass, before.position_mass);
        EXPECT_EQ(bodies.ids, before.ids);
    };
    const Edit right = example_edit(GetParam());
    Edit edit = right;
    if (GetParam().adds) {
        for (const double mass : {-1.0, std::nan(""), HUGE_VAL}) edit.add.mass = mass, refused(edit);
        edit = right, edit.add.velocity.y = std::nan(""), refused(edit);
        edit = right, edit.add.count = 0, refused(edit);
        edit = right, edit.add.radius = 0;
        if (GetParam().kind != EditKind::kAddBody) refused(edit);
    } else if (GetParam().brushes) {
        edit.add.radius = 0, refused(edit);
        edit = right, edit.add.normal = {}, refused(edit);
    } else {
        edit.bodies = {}, refused(edit);
        edit.bodies = {3, 40}, refused(edit);
        edit.bodies = {4, 3}, refused(edit);
        edit.bodies = {4, 4}, refused(edit);
    }
    edit = right, edit.by.x = std::nan("");
    if (GetParam().shifts) refused(edit);
    for (const double factor : {-1.0, HUGE_VAL}) {
        edit = right, edit.factor = factor;
        if (GetParam().scales) refused(edit);
    }
    const Gravity drops{.law = PairLaw::kLennardJones, .sigma = 1};
    if (GetParam().orbits) {
        EXPECT_THROW(edited(right, drops, bodies), Error);
    }
}

/// A state after some steps that is edited, stepped, undone and redone is bitwise restored, for A and for the initial
/// state of B.
TEST_P(EveryEdit, IsUndoneAndRedoneBitwise) {
    Scene scene = make_preset("plummer", {.bodies = 40});
    World run{Simulation{scene, {.precision = Precision::kSingle}}};
    const auto fail = [](const std::string& why) { ADD_FAILURE() << why; };
    run.take_steps(3, fail);
    const auto state = [&] { return run.simulation.system().bodies(); };
    const double time = run.simulation.now().time;
    const Bodies before = state();
    run.apply(EditBodies{example_edit(GetParam())});
    EXPECT_EQ(run.simulation.now().steps, 3);
    EXPECT_EQ(run.simulation.now().time, time);
    run.take_steps(2, fail);
    const Bodies after = state();
    const auto same = [](const Bodies& a, const Bodies& b) {
        return a.position_mass == b.position_mass && a.velocity == b.velocity;
    };
    EXPECT_FALSE(same(after, before));
    run.apply(Undo{});
    EXPECT_TRUE(same(state(), before));
    EXPECT_EQ(run.simulation.now().steps, 3);
    EXPECT_EQ(run.simulation.now().time, time);
    EXPECT_THROW(run.apply(Undo{}), Error);
    run.apply(Redo{});
    EXPECT_TRUE(same(state(), after)) << "the steps since the edit are discarded";
    EXPECT_EQ(run.simulation.now().steps, 5);
    EXPECT_THROW(run.apply(Redo{}), Error);
    run.apply(Undo{});
    run.apply(EditBodies{example_edit(GetParam())});
    EXPECT_THROW(run.apply(Redo{}), Error) << "new steps discard the redo history";
    run.take_steps(2, fail);
    EXPECT_TRUE(same(state(), after));
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryEdit, ::testing::ValuesIn(edit_kinds().begin(), edit_kinds().end()),
                         [](const auto& each) {
                             std::string words{each.param.id};
                             std::ranges::replace(words, '-', '_');
                             return words;
                         });

class EveryEngineEdits : public NeedsEngine {};

/// Every engine computes accurate forces after bodies were added, removed and thrown, and again after undoing it.
TEST_P(EveryEngineEdits, StaysAccurateAfterEditsAndUndo) {
    const std::size_t count = GetParam().slow_on_purpose() ? 60 : 700;
    World run{Simulation{make_preset("plummer", {.bodies = count}), GetParam().config()}};
    const auto fail = [](const std::string& why) { ADD_FAILURE() << why; };
    const auto expect_accurate = [&](std::size_t wanted) {
        Simulation& simulation = run.simulation;
        ASSERT_EQ(simulation.system().count(), wanted);
        while (!simulation.evaluate(std::chrono::hours{1})) {
        }
        EXPECT_LE(simulation.system().force_error(simulation.scene().gravity, wanted).rms, GetParam().tolerance());
    };
    run.take_steps(2, fail);
    const std::vector<Vec4d> before = run.simulation.system().bodies().position_mass;
    run.apply(EditBodies{{.kind = EditKind::kAddCluster, .add = {.count = 50, .mass = 0.5, .position = {2, 0, 0}}}});
    expect_accurate(count + 50);
    run.apply(EditBodies{{.kind = EditKind::kRemove, .bodies = {0, 7, static_cast<std::uint32_t>(count)}}});
    expect_accurate(count + 47);
    run.apply(EditBodies{{.kind = EditKind::kThrow, .bodies = {3}, .by = {0, 2, 0}}});
    run.take_steps(2, fail);
    expect_accurate(count + 47);
    for (int i = 0; i < 3; ++i) run.apply(Undo{});
    expect_accurate(count);
    EXPECT_EQ(run.simulation.system().bodies().position_mass, before);
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryEngineEdits, ::testing::ValuesIn(every_engine()), case_name);

TEST(Edits, AddClustersOfTheRequestedMassSizeAndVelocity) {
    Bodies bodies = labelled();
    const double mass = mass_of(bodies);
    bodies = edited({.kind = EditKind::kAddCluster,
                     .add = {.count = 4000, .mass = 3, .radius = 0.5, .position = {1, 2, 3}, .velocity = {0.5, 0, 0}}},
                    kUnits, bodies);
    ASSERT_EQ(bodies.size(), 4040u);
    EXPECT_NEAR(mass_of(bodies), mass + 3, 1e-12);
    Vec3d centre{}, drift{};
    double kinetic = 0;
    for (std::size_t i = 40; i < bodies.size(); ++i) {
        const double share = bodies.position_mass[i].w / 3;
        centre = centre + share * xyz(bodies.position_mass[i]), drift = drift + share * bodies.velocity[i];
    }
    for (std::size_t i = 40; i < bodies.size(); ++i) {
        const Vec3d v = bodies.velocity[i] - drift;
        kinetic += bodies.position_mass[i].w * dot(v, v) / 2;
    }
    EXPECT_LT(length(centre - Vec3d{1, 2, 3}), 1e-9);
    EXPECT_LT(length(drift - Vec3d{0.5, 0, 0}), 1e-9);
    EXPECT_NEAR(kinetic, 3.0 * 3.0 / 0.5 / 4, 0.06 * 4.5)
        << "a sphere of virial radius R in equilibrium has G M² / 4 R";
}

TEST(Edits, PlaceRingsAndBodiesOnCircularOrbits) {
    Scene scene{.id = "ring", .label = "ring", .bodies = {}, .gravity = {.softening = 0.1}, .dt = 1e-3};
    scene.bodies.add({5, 0, 0}, {}, 0);
    scene.bodies = edited({.kind = EditKind::kAddRing,
                           .add = {.count = 7, .mass = 2, .radius = 0.5, .position = {1, 1, 0}, .normal = {1, 1, 2}}},
                          scene.gravity, scene.bodies);
    ASSERT_EQ(scene.bodies.size(), 9u);
    scene.bodies = edited({.kind = EditKind::kCircular, .bodies = {0}}, scene.gravity, scene.bodies);
    Simulation run{scene, {.engine = "direct", .precision = Precision::kDouble}, "forest-ruth"};
    for (int i = 0; i < 2000; ++i) run.step();
    const Bodies after = run.system().bodies();
    const auto from_centre = [](const Bodies& bodies, std::size_t i) {
        return length(xyz(bodies.position_mass[i]) - xyz(bodies.position_mass[1]));
    };
    for (std::size_t i = 2; i < 9; ++i) EXPECT_NEAR(from_centre(after, i), 0.5, 1e-9);
    EXPECT_NEAR(from_centre(after, 0), from_centre(scene.bodies, 0), 1e-9);
    EXPECT_GT(length(xyz(after.position_mass[0]) - Vec3d{5, 0, 0}), 0.1) << "the body must have moved";
}

TEST(Edits, AStrokeIsUndoneAsAWhole) {
    World run{Simulation{make_preset("plummer", {.bodies = 40}), {}}};
    const auto fail = [](const std::string& why) { ADD_FAILURE() << why; };
    const Bodies before = run.simulation.system().bodies();
    Edit touch{.kind = EditKind::kStir, .factor = 0.1, .add = {.radius = 1}, .stroke = 1};
    for (int i = 0; i < 5; ++i) run.apply(EditBodies{touch}), run.take_steps(1, fail);
    touch.stroke = 2;
    run.apply(EditBodies{touch});
    EXPECT_EQ(run.history.undos(), 2u);
    run.apply(Undo{}), run.apply(Undo{});
    EXPECT_EQ(run.simulation.system().bodies().velocity, before.velocity);
    EXPECT_EQ(run.simulation.now().steps, 0);
    run.apply(EditBodies{touch});
    EXPECT_EQ(run.history.undos(), 1u) << "a new stroke is not merged with an undone one";
}

TEST(Edits, PinnedBodiesStayAndAttractWithEveryIntegrator) {
    for (const IntegratorEntry& integrator : integrators()) {
        Scene scene = make_preset("plummer", {.bodies = 60});
        World run{Simulation{scene, {.engine = "direct", .precision = Precision::kDouble}, integrator.id}};
        const auto fail = [](const std::string& why) { ADD_FAILURE() << why; };
        run.take_steps(2, fail);
        const Vec4d place = run.simulation.system().bodies().position_mass[5];
        run.apply(EditBodies{{.kind = EditKind::kPin, .bodies = {5}}});
        run.take_steps(20, fail);
        EXPECT_EQ(run.simulation.system().bodies().position_mass[5], place) << integrator.id;
        EXPECT_EQ(run.simulation.system().bodies().velocity[5], (Vec3d{})) << integrator.id;
        EXPECT_NE(run.simulation.system().bodies().position_mass[6], scene.bodies.position_mass[6]);
        run.apply(EditBodies{{.kind = EditKind::kUnpin, .bodies = {5}}});
        run.take_steps(2, fail);
        EXPECT_NE(run.simulation.system().bodies().position_mass[5], place) << integrator.id;
    }
}

TEST(Edits, PinsAreStoredInCheckpoints) {
    Scene scene = make_preset("plummer", {.bodies = 60});
    scene.bodies = edited({.kind = EditKind::kPin, .bodies = {5, 17}}, scene.gravity, scene.bodies);
    Simulation simulation{scene, {}};
    for (int i = 0; i < 3; ++i) simulation.step();
    const auto path = std::filesystem::path{testing::TempDir()} / "orrery_pinned.orrery";
    try {
        write_checkpoint(checkpoint_of(simulation, {.steps = 3}), path);
    } catch (const Error& why) {
        GTEST_SKIP() << why.what();
    }
    Simulation other = resume(read_run(path));
    for (int i = 0; i < 3; ++i) simulation.step(), other.step();
    EXPECT_EQ(other.snapshot().bodies.bytes, simulation.snapshot().bodies.bytes);
    EXPECT_EQ(other.system().bodies().position_mass[17], simulation.system().bodies().position_mass[17]);
    EXPECT_EQ(read_snapshot(path).bodies.pinned, scene.bodies.pinned);
    std::filesystem::remove(path);
}

TEST(Edits, CannotRemoveTheLastBody) {
    Bodies bodies;
    bodies.add({}, {}, 1);
    EXPECT_THROW(edited({.kind = EditKind::kRemove, .bodies = {0}}, kUnits, bodies), Error);
    EXPECT_THROW(edited({.kind = EditKind::kCircular, .bodies = {0}}, kUnits, bodies), Error) << "nothing to orbit";
}

TEST(Edits, RestartCanBeUndoneAndRestartsTheComparison) {
    const SceneRequest request{.source = "plummer", .bodies = 30};
    World run{open_scene_or_series(request), {}, nullptr, request};
    const auto fail = [](const std::string& why) { ADD_FAILURE() << why; };
    run.apply(SetCompare{{.engine = {.engine = "half"}, .softening = run.simulation.scene().gravity.softening}});
    run.take_steps(4, fail);
    const Bodies late = run.simulation.system().bodies();
    run.apply(LoadScene{{.source = "figure-eight"}});
    EXPECT_EQ(run.simulation.system().count(), 3u);
    EXPECT_EQ(run.request.source, "figure-eight");
    run.take_steps(1, fail);
    run.apply(Undo{});
    EXPECT_EQ(run.request.source, "plummer");
    EXPECT_EQ(run.simulation.now().steps, 4);
    EXPECT_EQ(run.simulation.system().bodies().position_mass, late.position_mass);
    run.take_steps(2, fail);
    EXPECT_TRUE(run.comparison.on());
    run.apply(LoadScene{.request = {.source = "figure-eight"}, .undoable = false});
    EXPECT_THROW(run.apply(Undo{}), Error);
}

TEST(Edits, AreRefusedWhileASeriesIsPlayed) {
    const std::filesystem::path folder = std::filesystem::path{testing::TempDir()} / "orrery_edited_series";
    std::filesystem::create_directories(folder);
    for (const double time : {0.0, 1.0}) {
        Scene scene = make_preset("plummer", {.bodies = 30});
        scene.time = time;
        write_snapshot(scene, folder / fmt::format("at{}.csv", time));
    }
    const SceneRequest request{.source = folder.string()};
    World run{open_scene_or_series(request), {}, nullptr, request};
    ASSERT_TRUE(run.motion.player());
    const Edit edit{.kind = EditKind::kRemove, .bodies = {0}};
    EXPECT_THROW(run.apply(EditBodies{edit}), Error);
    EXPECT_THROW(run.apply(Undo{}), Error);
    run.apply(LeaveSeries{});
    run.apply(EditBodies{edit});
    EXPECT_EQ(run.simulation.system().count(), 29u);
    run.apply(Undo{});
    EXPECT_EQ(run.simulation.system().count(), 30u);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace orrery::test
