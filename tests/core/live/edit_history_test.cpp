// SPDX-License-Identifier: MIT
// Edits in place: the bits that a simulation made of the edited bodies has, no row moved that need not be, and a
// history of what was changed.
#include "core/live/edit_history.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/bodies/scene_words.hpp"
#include "core/live/compared_simulation.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/needs.hpp"
#include "tests/support/every_engine.hpp"
#include "tests/support/example_edit.hpp"

namespace orrery::test {
namespace {

void alone(const std::string& why) { ADD_FAILURE() << why; }

Bodies labelled_ball(std::size_t count) {
    Bodies bodies = ball(count);
    for (std::size_t i = 0; i < count; ++i) {
        bodies.ids.push_back(100 + i);
        bodies.pinned.push_back(i == 3);
    }
    return bodies;
}

/// Bit for bit the simulation that is made of these bodies: state, labels, what is drawn of it, and its next steps.
void expect_made_of(const Bodies& bodies, ComparedSimulation& run, const std::string& what) {
    Simulation& simulation = run.simulation;
    Scene scene = simulation.settings();
    scene.bodies = bodies;
    Simulation made{scene, simulation.engine_config()};
    const auto same = [&](const std::string& when) {
        const Snapshot got = simulation.snapshot(), wanted = made.snapshot();
        const auto all = unpack<double>(got.bodies), expected = unpack<double>(wanted.bodies);
        EXPECT_EQ(all.position_mass, expected.position_mass) << what << when;
        EXPECT_EQ(all.velocity, expected.velocity) << what << when;
        EXPECT_EQ(got.forces_fresh, wanted.forces_fresh) << what << when;
        // Accelerations before the first evaluation are nobody's: an engine may have begun one when it was made.
        if (wanted.forces_fresh) {
            EXPECT_EQ(got.bodies.bytes, wanted.bodies.bytes) << what << when;
        }
    };
    same(", at once");
    const Bodies &labels = simulation.system().labels(), &wanted = made.system().labels();
    EXPECT_EQ(labels.names, wanted.names) << what;
    EXPECT_EQ(labels.species, wanted.species) << what;
    EXPECT_EQ(labels.ids, wanted.ids) << what;
    EXPECT_EQ(labels.pinned, wanted.pinned) << what;
    Frame frame, other;
    simulation.fill(frame), made.fill(other);
    ASSERT_EQ(frame.masses == nullptr, other.masses == nullptr) << what;
    if (frame.masses) {
        EXPECT_EQ(*frame.masses, *other.masses) << what;
    }
    EXPECT_EQ(frame.words->mean_mass, other.words->mean_mass) << what;
    EXPECT_EQ(frame.words->names, other.words->names) << what;
    EXPECT_EQ(frame.words->species_of, other.words->species_of) << what;
    run.take_steps(2, alone);
    made.step(), made.step();
    same(", two steps later");
}

/// Whose changes to columns differ; the others are tried with one engine.
constexpr EditKind kDifferent[] = {EditKind::kAddCluster, EditKind::kRemove, EditKind::kScaleMass, EditKind::kPin};

class EveryEngineEditsInPlace : public NeedsEngine {};

TEST_P(EveryEngineEditsInPlace, WithTheBitsOfASimulationMadeAnew) {
    if (GetParam().entry->id == "auto" && !GetParam().deterministic) GTEST_SKIP() << "chooses by time";
    if (!GetParam().entry->repeats(GetParam().config())) GTEST_SKIP() << "does not repeat";
    const Edit push{.kind = EditKind::kThrow, .bodies = {7}, .by = {0, 0.25, 0}};
    const bool all = GetParam().entry->id == "tree" && GetParam().precision == Precision::kSingle;
    for (const EditEntry& entry : edit_kinds()) {
        if (!all && std::ranges::find(kDifferent, entry.kind) == std::end(kDifferent)) continue;
        Scene scene = make_preset("plummer", {.bodies = 40});
        scene.bodies = labelled_ball(GetParam().slow_on_purpose() ? 50 : 200);
        ComparedSimulation run{Simulation{scene, GetParam().config()}};
        const auto bodies = [&] { return run.simulation.system().bodies(); };
        run.take_steps(2, alone);
        const std::string what{entry.id};
        const Edit edit = example_edit(entry);
        const Gravity gravity = scene.gravity;
        const Bodies before = bodies(), after = edited(edit, gravity, before);
        run.apply(EditBodies{edit});
        expect_made_of(after, run, what);
        run.apply(Undo{});
        expect_made_of(before, run, what + ", undone");
        run.apply(Redo{});
        run.apply(Undo{});
        run.apply(EditBodies{edit}), run.apply(EditBodies{push});
        const Bodies pushed = bodies();
        run.apply(EditBodies{edit});
        run.apply(Undo{}), run.apply(Undo{}), run.apply(Undo{}), run.apply(Redo{}), run.apply(Redo{});
        EXPECT_EQ(run.history.undos(), 2u);
        expect_made_of(pushed, run, what + ", undone and redone");
    }
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryEngineEditsInPlace, ::testing::ValuesIn(every_engine()), case_name);

TEST(EditsInPlace, AreThoseOfEveryIntegratorAndOfCompensatedSums) {
    for (const IntegratorEntry& integrator : integrators())
        for (const bool compensated : {false, true}) {
            const EngineConfig config{.engine = "direct", .precision = Precision::kDouble, .compensated = compensated};
            if (!refusal(integrator, config).empty()) continue;
            Scene scene = make_preset("plummer", {.bodies = 40});
            scene.integrator = integrator.id;
            ComparedSimulation run{Simulation{scene, config}};
            for (const EditKind kind : {EditKind::kThrow, EditKind::kAddBody, EditKind::kRemove}) {
                run.take_steps(2, alone);
                const Edit edit = example_edit(edit_kind(kind));
                const Bodies after = edited(edit, scene.gravity, run.simulation.system().bodies());
                run.apply(EditBodies{edit});
                expect_made_of(after, run, fmt::format("{}, {}", integrator.id, edit_kind(kind).id));
            }
        }
}

constexpr std::size_t kMany = 100'000;

ComparedSimulation many(Precision precision = Precision::kSingle) {
    return ComparedSimulation{
        Simulation{make_preset("plummer", {.bodies = kMany}), {.engine = "direct", .precision = precision}}};
}

TEST(EditsInPlace, OfOneBodyTouchThatOneAndRememberThatOne) {
    ComparedSimulation run = many();
    const auto place = [&] { return *run.simulation.system().columns(); };
    const BodyColumns before = place();
    const BodySystem* const system = &run.simulation.system();
    const BodyState start = run.simulation.snapshot().bodies;
    const Edit edit{.kind = EditKind::kThrow, .bodies = {50'000}, .by = {1, 2, 3}};
    run.apply(EditBodies{edit});
    constexpr std::size_t kWhole = kMany * 7 * sizeof(float), kRow = sizeof(BodyChange) + sizeof(std::uint32_t);
    EXPECT_EQ(run.history.bytes(), kWhole + kRow + 2 * sizeof(Vec3d)) << "the body before and after, once all of them";
    BodyState now = run.simulation.snapshot().bodies;
    const std::size_t row = (kMany + 50'000) * sizeof(Vec4f);
    std::size_t different = 0;
    for (std::size_t i = 0; i < now.bytes.size(); i += sizeof(Vec4f))
        different += std::memcmp(now.bytes.data() + i, start.bytes.data() + i, sizeof(Vec4f)) != 0;
    EXPECT_EQ(different, 1u);
    EXPECT_NE(std::memcmp(now.bytes.data() + row, start.bytes.data() + row, sizeof(Vec4f)), 0);

    run.apply(EditBodies{{.kind = EditKind::kMove, .bodies = {50'000}, .by = {1, 2, 3}}});
    EXPECT_EQ(run.history.bytes(), kWhole + 2 * kRow + 2 * sizeof(Vec3d) + 2 * sizeof(Vec4d));
    run.apply(EditBodies{{.kind = EditKind::kAddBody, .add = {.mass = 0.01}}});
    run.apply(EditBodies{{.kind = EditKind::kRemove, .bodies = {50'001}}});
    EXPECT_EQ(run.history.bytes(), kWhole + 4 * kRow + 4 * sizeof(Vec3d) + 4 * sizeof(Vec4d));
    EXPECT_EQ(&run.simulation.system(), system) << "with the memory of its engine";
    EXPECT_EQ(place().position_mass, before.position_mass) << "columns stay, though one came and one went";
    EXPECT_EQ(place().velocity, before.velocity);
    EXPECT_EQ(place().acceleration, before.acceleration);
    EXPECT_EQ(place().count, kMany);
    for (int i = 0; i < 4; ++i) run.apply(Undo{});
    EXPECT_EQ(run.simulation.snapshot().bodies.bytes, start.bytes);
    EXPECT_EQ(&run.simulation.system(), system);
}

TEST(EditsInPlace, AHundredOfFewBodiesAreUndoneAndRedoneWithinTheBudget) {
    ComparedSimulation run = many(Precision::kDouble);
    std::vector<std::vector<std::byte>> states{run.simulation.snapshot().bodies.bytes};
    std::vector<Bodies> plain{run.simulation.system().bodies()};
    Bodies bodies = plain.front();
    for (std::uint32_t i = 0; i < EditHistory::kMostStates; ++i) {
        const Edit edit = i % 3 == 0   ? Edit{.kind = EditKind::kRemove, .bodies = {7 * i, 7 * i + 900}}
                          : i % 3 == 1 ? Edit{.kind = EditKind::kAddCluster, .add = {.count = 5, .mass = 0.01}}
                                       : Edit{.kind = EditKind::kThrow, .bodies = {i, 99'000}, .by = {0, 0.01, 0}};
        bodies = edited(edit, run.simulation.gravity(), std::move(bodies));
        run.apply(EditBodies{edit});
        ASSERT_EQ(run.simulation.system().bodies().velocity, bodies.velocity) << i;
        ASSERT_EQ(run.simulation.system().bodies().position_mass, bodies.position_mass) << i;
        if (i % 25 == 24) states.push_back(run.simulation.snapshot().bodies.bytes);
    }
    EXPECT_EQ(run.history.undos(), EditHistory::kMostStates);
    EXPECT_LT(run.history.bytes(), kMany * 7 * sizeof(double) + 100'000) << "of 256 MiB";
    for (std::size_t i = EditHistory::kMostStates; i-- > 0;) {
        run.apply(Undo{});
        if (i % 25 == 0) {
            EXPECT_EQ(run.simulation.snapshot().bodies.bytes, states[i / 25]) << i;
        }
    }
    EXPECT_THROW(run.apply(Undo{}), Error);
    for (std::size_t i = 0; i < EditHistory::kMostStates; ++i) run.apply(Redo{});
    EXPECT_EQ(run.simulation.snapshot().bodies.bytes, states.back());
    EXPECT_EQ(run.history.undos(), EditHistory::kMostStates);
}

/// What the present shares with others ends when bodies move, however that happens.
TEST(EditHistory, KnowsThatBodiesHaveMoved) {
    ComparedSimulation run{Simulation{make_preset("plummer", {.bodies = 50}), {}}};
    const auto state = [&] { return run.simulation.snapshot().bodies.bytes; };
    const Edit edit{.kind = EditKind::kMove, .bodies = {1}, .by = {1, 0, 0}};
    run.apply(EditBodies{edit});
    const Snapshot snapshot = run.simulation.snapshot();
    run.take_steps(3, alone);
    const Bodies late = run.simulation.system().bodies();
    run.apply(EditBodies{edit});
    run.apply(Undo{});
    EXPECT_EQ(run.simulation.system().bodies().position_mass, late.position_mass);
    EXPECT_EQ(run.simulation.steps(), 3);
    run.simulation.restore(snapshot);
    run.take_steps(1, alone);
    const Bodies next = run.simulation.system().bodies();
    run.apply(EditBodies{edit});
    run.apply(Undo{});
    EXPECT_EQ(run.simulation.system().bodies().position_mass, next.position_mass);
    run.apply(SetEngine{{.engine = "direct", .precision = Precision::kDouble}});
    run.take_steps(1, alone);
    const auto exact = state();
    run.apply(EditBodies{edit});
    run.apply(SetEngine{{.engine = "direct", .precision = Precision::kSingle}});
    run.apply(Undo{});
    run.apply(SetEngine{{.engine = "direct", .precision = Precision::kDouble}});
    run.apply(Redo{});
    run.apply(Undo{});
    EXPECT_EQ(run.simulation.system().bodies().size(), 50u);
    EXPECT_EQ(state().size(), exact.size());
}

/// What single precision made of an edit is what comes back, whatever the precision then.
TEST(EditHistory, RemembersEditsAsTheyWereRounded) {
    ComparedSimulation run{Simulation{make_preset("plummer", {.bodies = 50}), {.engine = "direct"}}};
    for (int i = 0; i < 2; ++i) run.apply(EditBodies{{.kind = EditKind::kAddBody, .add = {.mass = 0.01}}});
    run.apply(SetEngine{{.engine = "direct", .precision = Precision::kDouble}});
    run.apply(Undo{});
    EXPECT_EQ(run.simulation.system().bodies().position_mass.back().w, double{0.01f});
}

TEST(EditHistory, DropsTheOldestAndSaysSo) {
    ComparedSimulation run{Simulation{make_preset("plummer", {.bodies = 50}), {}}};
    const Edit edit{.kind = EditKind::kMove, .bodies = {1}, .by = {1, 0, 0}};
    const auto refusal_of = [&](const Action& action) {
        try {
            run.apply(action);
        } catch (const Error& why) {
            return std::string{why.what()};
        }
        return std::string{};
    };
    EXPECT_EQ(refusal_of(Undo{}), "there is nothing to undo");
    for (int i = 0; i < 130; ++i) run.apply(EditBodies{edit});
    EXPECT_EQ(run.history.undos(), EditHistory::kMostStates);
    for (std::size_t i = 0; i < EditHistory::kMostStates; ++i) run.apply(Undo{});
    EXPECT_NE(refusal_of(Undo{}).find("older states were dropped"), std::string::npos);
    EXPECT_NEAR(run.simulation.system().bodies().position_mass[1].x -
                    make_preset("plummer", {.bodies = 50}).bodies.position_mass[1].x,
                30, 1e-4);
}

/// States of their own, because bodies move in between: as many as there is room for.
TEST(EditHistory, KeepsAsManyWholeStatesAsThereIsRoomFor) {
    EditHistory history;
    const std::size_t kThird = EditHistory::kBudget / KeptBodies::bytes_of(Precision::kDouble, 1) / 3;
    EXPECT_TRUE(EditHistory::keeps(3 * kThird));
    EXPECT_FALSE(EditHistory::keeps(4 * kThird));
    const auto state = [&](std::int64_t steps) {
        EditedState there;
        there.moment =
            std::make_shared<EditedMoment>(EditedMoment{KeptBodies{Precision::kDouble, kThird, KeptBodies{}}, {}});
        there.onward.steps = steps;
        return there;
    };
    const Simulation somebody{make_preset("plummer", {.bodies = 3}), {}};
    for (int i = 0; i < 5; ++i) history.add(state(i));
    EXPECT_EQ(history.undos(), 3u);
    EXPECT_LE(history.bytes(), EditHistory::kBudget);
    history.undone(state(9), somebody);
    EXPECT_EQ(history.to_undo().onward.steps, 3);
    EXPECT_EQ(history.to_redo().onward.steps, 9);
}

TEST(EditHistory, AStrokeOverMostBodiesIsOneWholeState) {
    ComparedSimulation run{Simulation{make_preset("plummer", {.bodies = 20'000}), {.engine = "direct"}}};
    const Bodies before = run.simulation.system().bodies();
    const Edit touch{.kind = EditKind::kStir, .factor = 0.1, .add = {.radius = 50}, .stroke = 1};
    for (int i = 0; i < 50; ++i) run.apply(EditBodies{touch});
    EXPECT_EQ(run.history.bytes(), 20'000 * 7 * sizeof(float));
    const Bodies after = run.simulation.system().bodies();
    run.apply(Undo{});
    EXPECT_EQ(run.simulation.system().bodies().velocity, before.velocity);
    run.apply(Redo{});
    EXPECT_EQ(run.simulation.system().bodies().velocity, after.velocity);
}

}  // namespace
}  // namespace orrery::test
