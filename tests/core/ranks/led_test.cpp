// SPDX-License-Identifier: MIT
// One rank leads and the others follow with the same bodies: bitwise equal to one process.
#include <gmock/gmock.h>

#include <thread>

#include "core/base/error.hpp"
#include "core/bodies/sampling.hpp"
#include "core/live/simulation_thread.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/compatibility.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/support/led_ranks.hpp"
#include "tests/support/slowness.hpp"

namespace orrery::test {
namespace {

using testing::HasSubstr;

class EveryEngineIsLed : public NeedsEngineOfRanks {
protected:
    static Scene scene() {
        if (GetParam().entry->law == Law::kPairs) return make_preset("plummer", {.bodies = 300});
        return make_preset("argon-cluster", {.bodies = 60});
    }
    /// Slices, changes of settings and a jump back, as a window requests them.
    static Bodies steered(const IntegratorEntry& integrator, Ranks* ranks) {
        Simulation simulation{scene(), config(), integrator.id, ranks};
        const auto step = [&] {
            while (!simulation.advance(std::chrono::microseconds{20})) {
            }
        };
        step();
        const Snapshot snapshot = simulation.snapshot();
        simulation.set_color_by(ColorBy::kPotential);
        step();
        simulation.advance(std::chrono::microseconds{1});  // abandoned
        simulation.set_gravity(
            {.constant = simulation.scene().gravity.constant, .softening = 2 * simulation.scene().gravity.softening});
        step();
        simulation.restore(snapshot);
        step();
        EngineConfig other = config();
        other.tile_size = 32;
        simulation.set_engine(other);
        step();
        return simulation.system().bodies();
    }
};

TEST_P(EveryEngineIsLed, BitwiseLikeOneProcess) {
    std::size_t line = 0;
    for (const IntegratorEntry& integrator : integrators()) {
        if (!why_incompatible(integrator, config()).empty() || !has_turn(GetParam(), line++, 5)) continue;
        const Bodies wanted = steered(integrator, nullptr);
        for (const int count : {1, 3})
            lead(count, [&](Ranks* ranks) {
                const Bodies found = steered(integrator, ranks);
                if (exact()) {
                    EXPECT_EQ(found.position_mass, wanted.position_mass) << integrator.id << ' ' << count;
                    EXPECT_EQ(found.velocity, wanted.velocity) << integrator.id << ' ' << count;
                } else {
                    EXPECT_LT(compare(found.position_mass, wanted.position_mass).rms, 1e-3) << integrator.id;
                }
            });
    }
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryEngineIsLed, testing::ValuesIn(every_engine_of_both_laws()), case_name);

TEST(Led, FollowersReceiveEveryEngineSetting) {
    // No bit of a tree with these settings equals that of a tree with others.
    EngineConfig config{.engine = "tree", .precision = Precision::kDouble, .threads = 1};
    config.tree = {.theta = 0.9876543210123456, .order = 1, .leaf = 8, .group = 32};
    Scene scene = make_preset("plummer", {.bodies = 700});
    config.compensated = config.background = true;
    const auto moved = [&](Ranks* ranks) {
        Simulation simulation{scene, config, "yoshida6", ranks};
        for (int i = 0; i < 2; ++i) simulation.step();
        return simulation.system().save().bytes;
    };
    const auto wanted = moved(nullptr);
    lead(4, [&](Ranks* ranks) { EXPECT_EQ(moved(ranks), wanted); });
}

TEST(Led, RefusalByAllRanksIsReportedAndAllContinue) {
    const EngineConfig exact{.engine = "direct", .precision = Precision::kDouble, .threads = 1};
    Scene scene = make_preset("plummer", {.bodies = 100});
    scene.bodies.position_mass[3].x = 1e60;
    Simulation alone{scene, exact};
    for (int i = 0; i < 2; ++i) alone.step();
    lead(3, [&](Ranks* ranks) {
        Simulation simulation{scene, exact, {}, ranks};
        simulation.step();
        try {
            simulation.set_engine({.engine = "direct", .threads = 1});
            ADD_FAILURE() << "1e60 in single precision";
        } catch (const Error& refused) {
            EXPECT_THAT(refused.what(), HasSubstr("in single precision cannot compute these bodies"));
            EXPECT_EQ(refused.blame(), Blame::kUsage);
        }
        EXPECT_THROW(simulation.set_engine({.engine = "warp"}), Error);
        simulation.step();
        EXPECT_EQ(simulation.system().bodies().position_mass, alone.system().bodies().position_mass);
    });
}

TEST(Led, UnsharedEngineIsCreatedOnlyOnTheLeader) {
    lead(3, [&](Ranks* ranks) {
        Simulation simulation{make_preset("plummer", {.bodies = 100}), {.engine = "reference"}, {}, ranks};
        EXPECT_FALSE(simulation.system().shared());
        simulation.step();
        simulation.set_engine({.engine = "half"});
        EXPECT_TRUE(simulation.system().shared());
        simulation.step();
    });
}

TEST(Led, FailureOnAllRanksIsReportedAndAllContinue) {
    const EngineConfig config{.engine = "direct", .threads = 1};
    const Bodies bodies = ball(10);
    const auto wanted = accelerations(config, bodies, {.softening = 0.1});
    lead(2, [&](Ranks* ranks) {
        const auto system = make_body_system(config, bodies, Urgency::kNormal, ranks);
        EXPECT_ANY_THROW(system->restore({.count = std::size_t{1} << 60, .bytes = {}}));  // more than fits in memory
        system->run_forces(0, system->begin_forces({.softening = 0.1}, Potential::kSkip));
        EXPECT_EQ(system->accelerations(), wanted);
    });
}

TEST(Led, WindowThreadLeads) {
    lead(3, [&](Ranks* ranks) {
        SimulationThread thread{{.source = "plummer", .bodies = 400}, {.engine = "direct"}, ranks};
        std::uint64_t sent = 0;
        const auto settle = [&](const std::function<bool(const Status&)>& wanted) {
            const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>{60 * slowness()};
            for (;;) {
                const Status status = thread.status();
                thread.update_frame();
                if (status.actions_done == sent && wanted(status)) return status;
                if (std::chrono::steady_clock::now() > end) throw std::runtime_error{"timeout: " + status.message.text};
                std::this_thread::sleep_for(std::chrono::milliseconds{1});
            }
        };
        const auto send = [&](const Action& action) { thread.send(action), ++sent; };
        EXPECT_TRUE(settle([](const Status& s) { return s.step > 3; }).engine.shared);
        CompareSettings b{.engine = {.engine = "tree"}, .softening = 0.05};
        send(SetCompare{b});
        settle([](const Status& s) { return s.compare.on && s.compare.time > 0; });
        send(SetEngine{{.engine = "half"}});
        const std::int64_t step = settle([](const Status& s) { return s.engine.config.engine == "half"; }).step;
        settle([&](const Status& s) { return s.step > step + 3; });
        send(SetPaused{true});
        const Status paused = settle([](const Status& s) { return s.pace.paused && !s.timeline.moments->empty(); });
        send(Rewind{paused.timeline.moments->front().moment, false});
        settle([&](const Status& s) { return s.step < step; });
        send(LoadScene{{.source = "collision", .bodies = 300}, EngineConfig{.engine = "tree"}, {}});
        send(SetPaused{false});
        const Status other = settle([](const Status& s) { return s.scene.id == "collision" && s.step > 3; });
        EXPECT_EQ(other.engine.ranks, 3);
        EXPECT_EQ(other.message.text, "");
    });
}

}  // namespace
}  // namespace orrery::test
