// SPDX-License-Identifier: MIT
// Edits in place: bitwise equality with a simulation created from the edited bodies, no unnecessary copies, and the
// history of edits.
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
#include "core/bodies/body_metadata.hpp"
#include "core/live/world.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/compatibility.hpp"
#include "tests/support/every_engine.hpp"
#include "tests/support/example_edit.hpp"

namespace orrery::test {
namespace {

void fail(const std::string& why) { ADD_FAILURE() << why; }

Bodies labelled_ball(std::size_t count) {
    Bodies bodies = ball(count);
    for (std::size_t i = 0; i < count; ++i) {
        bodies.ids.push_back(100 + i);
        bodies.pinned.push_back(i == 3);
    }
    return bodies;
}

/// Expects bitwise equality with a simulation created from these bodies: state, labels, drawn attributes, and next
/// steps.
void expect_made_of(const Bodies& bodies, World& run, const std::string& what) {
    Simulation& simulation = run.simulation;
    Scene scene = present_settings(simulation);
    scene.bodies = bodies;
    Simulation made{scene, simulation.engine_config()};
    const auto same = [&](const std::string& when) {
        const Snapshot got = simulation.snapshot(), wanted = made.snapshot();
        const auto all = unpack<double>(got.bodies), expected = unpack<double>(wanted.bodies);
        EXPECT_EQ(all.position_mass, expected.position_mass) << what << when;
        EXPECT_EQ(all.velocity, expected.velocity) << what << when;
        EXPECT_EQ(got.forces_fresh, wanted.forces_fresh) << what << when;
        // Accelerations before the first evaluation are undefined: an engine may have started one at its construction.
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
    run.take_steps(2, fail);
    made.step(), made.step();
    same(", two steps later");
}

/// Kinds that change the columns differently; the others are tested with one engine only.
constexpr EditKind kDifferent[] = {EditKind::kAddCluster, EditKind::kRemove, EditKind::kScaleMass, EditKind::kPin};

class EveryEngineEditsInPlace : public NeedsEngine {};

TEST_P(EveryEngineEditsInPlace, BitwiseLikeANewSimulation) {
    if (GetParam().entry->id == "auto" && !GetParam().deterministic) GTEST_SKIP() << "chooses by measured time";
    if (!GetParam().entry->repeats(GetParam().config())) GTEST_SKIP() << "is not reproducible";
    const Edit push{.kind = EditKind::kThrow, .bodies = {7}, .by = {0, 0.25, 0}};
    const bool all = GetParam().entry->id == "tree" && GetParam().precision == Precision::kSingle;
    for (const EditEntry& entry : edit_kinds()) {
        if (!all && std::ranges::find(kDifferent, entry.kind) == std::end(kDifferent)) continue;
        Scene scene = make_preset("plummer", {.bodies = 40});
        scene.bodies = labelled_ball(GetParam().slow_on_purpose() ? 50 : 200);
        World run{Simulation{scene, GetParam().config()}};
        const auto bodies = [&] { return run.simulation.system().bodies(); };
        run.take_steps(2, fail);
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

TEST(EditsInPlace, WorkWithEveryIntegratorAndCompensatedSums) {
    for (const IntegratorEntry& integrator : integrators())
        for (const bool compensated : {false, true}) {
            const EngineConfig config{.engine = "direct", .precision = Precision::kDouble, .compensated = compensated};
            if (!why_incompatible(integrator, config).empty()) continue;
            Scene scene = make_preset("plummer", {.bodies = 40});
            scene.integrator = integrator.id;
            World run{Simulation{scene, config}};
            for (const EditKind kind : {EditKind::kThrow, EditKind::kAddBody, EditKind::kRemove}) {
                run.take_steps(2, fail);
                const Edit edit = example_edit(edit_kind(kind));
                const Bodies after = edited(edit, scene.gravity, run.simulation.system().bodies());
                run.apply(EditBodies{edit});
                expect_made_of(after, run, fmt::format("{}, {}", integrator.id, edit_kind(kind).id));
            }
        }
}

constexpr std::size_t kMany = 100'000;

World many(Precision precision = Precision::kSingle) {
    return World{Simulation{make_preset("plummer", {.bodies = kMany}), {.engine = "direct", .precision = precision}}};
}

TEST(EditsInPlace, OfOneBodyCopyAndStoreOnlyThatBody) {
    World run = many();
    const auto place = [&] { return *run.simulation.system().columns(); };
    const BodyColumns before = place();
    const BodySystem* const system = &run.simulation.system();
    const BodyState start = run.simulation.snapshot().bodies;
    const Edit edit{.kind = EditKind::kThrow, .bodies = {50'000}, .by = {1, 2, 3}};
    run.apply(EditBodies{edit});
    constexpr std::size_t kWhole = kMany * 7 * sizeof(float), kRow = sizeof(BodyChange) + sizeof(std::uint32_t);
    EXPECT_EQ(run.history.bytes(), kWhole + kRow + 2 * sizeof(Vec3d))
        << "the body before and after, and all bodies once";
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
    EXPECT_EQ(&run.simulation.system(), system) << "the engine must be kept";
    EXPECT_EQ(place().position_mass, before.position_mass) << "adding and removing a body keeps the columns";
    EXPECT_EQ(place().velocity, before.velocity);
    EXPECT_EQ(place().acceleration, before.acceleration);
    EXPECT_EQ(place().count, kMany);
    for (int i = 0; i < 4; ++i) run.apply(Undo{});
    EXPECT_EQ(run.simulation.snapshot().bodies.bytes, start.bytes);
    EXPECT_EQ(&run.simulation.system(), system);
}

TEST(EditsInPlace, AHundredSmallEditsAreUndoneAndRedoneWithinTheBudget) {
    World run = many(Precision::kDouble);
    std::vector<std::vector<std::byte>> states{run.simulation.snapshot().bodies.bytes};
    std::vector<Bodies> plain{run.simulation.system().bodies()};
    Bodies bodies = plain.front();
    for (std::uint32_t i = 0; i < EditHistory::kMostStates; ++i) {
        const Edit edit = i % 3 == 0   ? Edit{.kind = EditKind::kRemove, .bodies = {7 * i, 7 * i + 900}}
                          : i % 3 == 1 ? Edit{.kind = EditKind::kAddCluster, .add = {.count = 5, .mass = 0.01}}
                                       : Edit{.kind = EditKind::kThrow, .bodies = {i, 99'000}, .by = {0, 0.01, 0}};
        bodies = edited(edit, run.simulation.scene().gravity, std::move(bodies));
        run.apply(EditBodies{edit});
        ASSERT_EQ(run.simulation.system().bodies().velocity, bodies.velocity) << i;
        ASSERT_EQ(run.simulation.system().bodies().position_mass, bodies.position_mass) << i;
        if (i % 25 == 24) states.push_back(run.simulation.snapshot().bodies.bytes);
    }
    EXPECT_EQ(run.history.undos(), EditHistory::kMostStates);
    EXPECT_LT(run.history.bytes(), kMany * 7 * sizeof(double) + 100'000) << "far below the budget of 256 MiB";
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

/// The present state stops sharing data with the history as soon as bodies move, for whatever reason.
TEST(EditHistory, DetectsThatBodiesHaveMoved) {
    World run{Simulation{make_preset("plummer", {.bodies = 50}), {}}};
    const auto state = [&] { return run.simulation.snapshot().bodies.bytes; };
    const Edit edit{.kind = EditKind::kMove, .bodies = {1}, .by = {1, 0, 0}};
    run.apply(EditBodies{edit});
    const Snapshot snapshot = run.simulation.snapshot();
    run.take_steps(3, fail);
    const Bodies late = run.simulation.system().bodies();
    run.apply(EditBodies{edit});
    run.apply(Undo{});
    EXPECT_EQ(run.simulation.system().bodies().position_mass, late.position_mass);
    EXPECT_EQ(run.simulation.now().steps, 3);
    run.simulation.restore(snapshot);
    run.take_steps(1, fail);
    const Bodies next = run.simulation.system().bodies();
    run.apply(EditBodies{edit});
    run.apply(Undo{});
    EXPECT_EQ(run.simulation.system().bodies().position_mass, next.position_mass);
    run.apply(SetEngine{{.engine = "direct", .precision = Precision::kDouble}});
    run.take_steps(1, fail);
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

/// Undo restores an edit as it was rounded to single precision, whatever the current precision.
TEST(EditHistory, StoresEditsAsRounded) {
    World run{Simulation{make_preset("plummer", {.bodies = 50}), {.engine = "direct"}}};
    for (int i = 0; i < 2; ++i) run.apply(EditBodies{{.kind = EditKind::kAddBody, .add = {.mass = 0.01}}});
    run.apply(SetEngine{{.engine = "direct", .precision = Precision::kDouble}});
    run.apply(Undo{});
    EXPECT_EQ(run.simulation.system().bodies().position_mass.back().w, double{0.01f});
}

TEST(EditHistory, DropsTheOldestStatesAndReportsIt) {
    World run{Simulation{make_preset("plummer", {.bodies = 50}), {}}};
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

/// Because bodies move in between, each state is stored in full: as many as fit.
TEST(EditHistory, KeepsAsManyFullStatesAsFit) {
    EditHistory history;
    const std::size_t kThird = EditHistory::kBudget / BodyBackup::bytes_of(Precision::kDouble, 1) / 3;
    EXPECT_TRUE(EditHistory::keeps(3 * kThird));
    EXPECT_FALSE(EditHistory::keeps(4 * kThird));
    const auto state = [&](std::int64_t steps) {
        EditedState there;
        there.moment =
            std::make_shared<EditedMoment>(EditedMoment{BodyBackup{Precision::kDouble, kThird, BodyBackup{}}, {}});
        there.continuation.steps = steps;
        return there;
    };
    const Simulation simulation{make_preset("plummer", {.bodies = 3}), {}};
    for (int i = 0; i < 5; ++i) history.add(state(i));
    EXPECT_EQ(history.undos(), 3u);
    EXPECT_LE(history.bytes(), EditHistory::kBudget);
    history.undone(state(9), simulation);
    EXPECT_EQ(history.to_undo().continuation.steps, 3);
    EXPECT_EQ(history.to_redo().continuation.steps, 9);
}

TEST(EditHistory, AStrokeOverMostBodiesStoresOneFullState) {
    World run{Simulation{make_preset("plummer", {.bodies = 20'000}), {.engine = "direct"}}};
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
