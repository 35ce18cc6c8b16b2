// SPDX-License-Identifier: MIT
// Choice of order and engine within a simulation: it changes no bits but by its choice, and states repeat it.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engines/engine_settings.hpp"
#include "core/engines/engine_tuner.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/checkpoint.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/core/formats/scratch.hpp"
#include "tests/support/led_ranks.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

EngineConfig left_open(const char* engine) {
    EngineConfig config = default_engine_config();
    config.engine = engine, config.tree.accuracy = everyday(1e-2, 1e-3);
    // Every day, auto tries engines and orders alone, tree its leaves too.
    if (config.engine == "auto" && !runs_long()) config.tree.leaf = 64, config.tree.group = 64;
    return config;
}

const Scene& plummer() {
    static const Scene scene = make_preset("plummer", {.bodies = kTunedFrom});
    return scene;
}

/// A simulation after one step, in which the steps measure nothing.
Simulation started(const char* engine) {
    Simulation simulation{plummer(), left_open(engine)};
    simulation.allow_tuning(false);
    simulation.step();
    return simulation;
}
void choose(Simulation& simulation) {
    simulation.allow_tuning(true);
    simulation.choose_engine();
    simulation.allow_tuning(false);
}

class TunedSimulation : public Scratch, public ::testing::WithParamInterface<const char*> {
protected:
    struct Choice {
        Simulation simulation;
        Snapshot before, after;
        std::string text;
    };
    /// A simulation in the state right after its choice; the tests of an engine share it because the trials take
    /// seconds.
    static Choice& chosen() {
        static std::map<std::string_view, Choice> choices;
        if (const auto known = choices.find(GetParam()); known != choices.end()) {
            known->second.simulation.restore(known->second.after);
            return known->second;
        }
        Simulation simulation = started(GetParam());
        const Snapshot before = simulation.snapshot();
        choose(simulation);
        const Snapshot after = simulation.snapshot();
        const std::string text = simulation.engine_choice();
        return choices.emplace(GetParam(), Choice{std::move(simulation), before, after, text}).first->second;
    }
};

TEST_P(TunedSimulation, ReportsItsChoice) {
    const auto& [simulation, before, after, text] = chosen();
    EXPECT_EQ(simulation.engine_config(), left_open(GetParam())) << "the request is unchanged";
    EXPECT_FALSE(tunable(simulation.used_engine(), kTunedFrom, PairLaw::kGravity)) << "nothing is left open";
    const std::string stated = tuned_text(simulation.used_engine(), left_open(GetParam()));
    EXPECT_TRUE(text.starts_with(stated + ": ")) << text << "; " << stated;
    EXPECT_NE(text.find(" tried in "), std::string::npos) << text;
}

TEST_P(TunedSimulation, TrialsDoNotChangeBits) {
    Simulation plain = started(GetParam()), tried = started(GetParam());
    tried.allow_tuning(true);
    const std::chrono::duration<double> kSlice{1e-4};
    for (int i = 0; i < 5; ++i) {
        if (tried.advance(kSlice) == 0 && !tried.within_step()) continue;
        break;  // a slow machine has not begun a trial
    }
    tried.allow_tuning(false);
    for (Simulation* each : {&plain, &tried})
        while (each->now().moment < 3) each->step();
    EXPECT_EQ(plain.snapshot().bodies.bytes, tried.snapshot().bodies.bytes);
    EXPECT_EQ(plain.forces().acceptance(), tried.forces().acceptance());
}

TEST_P(TunedSimulation, SnapshotsRepeatTheChoice) {
    Choice& choice = chosen();
    Simulation& simulation = choice.simulation;
    simulation.step();
    const Snapshot at = simulation.snapshot();
    simulation.step();
    const auto end = simulation.snapshot();
    for (const Snapshot* from : std::initializer_list<const Snapshot*>{&at, &choice.before, &choice.after}) {
        simulation.restore(*from);
        EXPECT_EQ(simulation.used_engine(), from->used.value_or(left_open(GetParam())));
        while (simulation.now().moment < 3) simulation.step();
        EXPECT_EQ(simulation.snapshot().bodies.bytes, end.bodies.bytes) << "from moment " << from->moment;
    }
}

TEST_P(TunedSimulation, CheckpointsRepeatTheChoice) {
    Simulation& simulation = chosen().simulation;
    simulation.step();
    const auto file = path("tuned.orrery");
    write_checkpoint(checkpoint_of(simulation, {}), file);
    Simulation resumed = resume(read_run(file));
    EXPECT_EQ(resumed.engine_config(), simulation.engine_config());
    EXPECT_EQ(resumed.used_engine(), simulation.used_engine());
    resumed.allow_tuning(false);
    for (Simulation* each : {&simulation, &resumed}) each->step(), each->step();
    EXPECT_EQ(resumed.snapshot().bodies.bytes, simulation.snapshot().bodies.bytes);
}

/// A session begins with the engine in force, which leaves nothing to measure.
TEST_P(TunedSimulation, RunsWithTheReportedChoiceAreReproducible) {
    const EngineConfig stated = chosen().simulation.used_engine();
    Simulation first{plummer(), stated}, second{plummer(), stated};
    for (Simulation* each : {&first, &second}) {
        each->step(), each->step();
        EXPECT_EQ(each->used_engine(), stated);
    }
    EXPECT_EQ(first.snapshot().bodies.bytes, second.snapshot().bodies.bytes);
}

/// Ranks try the engines together, and rank 0's times decide for all. If rank 0 leads the others, the engine that was
/// asked for stays.
TEST_P(TunedSimulation, RanksChooseTheSame) {
    if (GetParam() != std::string_view{"auto"} && !runs_long()) GTEST_SKIP() << "every day, auto tries their orders";
    struct Chosen {
        EngineConfig used;
        std::vector<std::byte> bytes;
    };
    const auto run = [](Ranks* ranks) {
        EngineConfig config = left_open(GetParam());
        config.threads = 1;
        Simulation simulation{plummer(), config, {}, ranks};
        simulation.allow_tuning(false);
        simulation.step();
        choose(simulation);
        simulation.step();
        return Chosen{simulation.used_engine(), simulation.snapshot().bodies.bytes};
    };
    constexpr int kRanks = 2;
    std::vector<Chosen> all(kRanks);
    ThreadRanks::run(kRanks, [&](Ranks& ranks) { all[static_cast<std::size_t>(ranks.rank())] = run(&ranks); });
    EXPECT_FALSE(tunable(all[0].used, kTunedFrom, PairLaw::kGravity)) << "nothing is left open";
    EXPECT_EQ(all[0].used, all[1].used);
    EXPECT_EQ(all[0].bytes, all[1].bytes);
    lead(kRanks, [&](Ranks* ranks) {
        const EngineConfig used = run(ranks).used;
        EXPECT_EQ(used.engine, GetParam());
        EXPECT_EQ(used.tree.order, 0);
    });
}

INSTANTIATE_TEST_SUITE_P(Engines, TunedSimulation, ::testing::Values("tree", "fmm", "auto"),
                         [](const auto& one) { return std::string{one.param}; });

}  // namespace
}  // namespace orrery::test
