// SPDX-License-Identifier: MIT
// Checkpoints of runs: writing, reading, resuming.
#include "core/simulation/checkpoint.hpp"

#include <sys/resource.h>
#include <sys/wait.h>

#include <cmath>
#include <csignal>
#include <fstream>

#include "core/engines/engine_settings.hpp"
#include "core/formats/formats.hpp"
#include "core/presets/presets.hpp"
#include "tests/core/formats/scratch.hpp"
#include "tests/support/every_engine.hpp"
#include "tests/support/settings.hpp"

namespace orrery::test {
namespace {

class Checkpoints : public Scratch {
protected:
    void SetUp() override {
        if (!format("checkpoint").why_not.empty()) GTEST_SKIP() << format("checkpoint").why_not;
    }
};

Simulation after(int steps, const EngineConfig& engine, const char* preset = "plummer", std::size_t bodies = 600) {
    Simulation simulation{make_preset(preset, {.bodies = bodies}), engine};
    for (int i = 0; i < steps; ++i) simulation.step();
    return simulation;
}

TEST_F(Checkpoints, EveryEngineResumesBitwiseFromAFile) {
    for (const EngineCase& c : every_engine()) {
        if (!unavailable(*c.entry).empty() || !c.entry->repeats(c.config())) continue;
        Simulation one = after(4, c.config());
        write_checkpoint(checkpoint_of(one, {.steps = 9}), path("c.orrery"));
        for (int i = 0; i < 5; ++i) one.step();
        const Checkpoint read = read_run(path("c.orrery"));
        EXPECT_EQ(read.run.steps, 9u);
        EXPECT_EQ(read.state.engine, c.config());
        Simulation other = resume(read);
        EXPECT_EQ(other.now().steps, 4);
        for (int i = 0; i < 5; ++i) other.step();
        EXPECT_EQ(other.snapshot().bodies.bytes, one.snapshot().bodies.bytes)
            << c.entry->id << ' ' << name(c.precision);
        EXPECT_EQ(other.now().time, one.now().time);
        write_checkpoint(checkpoint_of(one, {}), path("a.orrery"));
        write_checkpoint(checkpoint_of(other, {}), path("b.orrery"));
        EXPECT_EQ(content(path("a.orrery")), content(path("b.orrery"))) << c.entry->id;
    }
}

TEST_F(Checkpoints, ResumeWithTheLawOfTheRun) {
    for (const char* preset : {"argon-drop", "salt-melt"}) {
        Simulation one = after(4, {.engine = "half"}, preset, 100);
        write_checkpoint(checkpoint_of(one, {}), path("c.orrery"));
        Simulation other = resume(read_run(path("c.orrery")));
        EXPECT_EQ(other.scene().gravity, one.scene().gravity);
        for (int i = 0; i < 5; ++i) one.step(), other.step();
        EXPECT_EQ(other.snapshot().bodies.bytes, one.snapshot().bodies.bytes) << preset;
    }
}

/// Versions that support gravity only must not compute it for another law, but still read checkpoints with gravity.
TEST_F(Checkpoints, WithOtherLawsHaveALaterVersion) {
    const auto version = [&](const char* preset) {
        Simulation one = after(0, {}, preset, 10);
        write_checkpoint(checkpoint_of(one, {}), path("v.orrery"));
        const std::string text = content(path("v.orrery"));
        return text.substr(0, text.find(' ', text.find("checkpoint ") + 11));
    };
    EXPECT_THAT(version("plummer"), testing::EndsWith("2"));
    EXPECT_THAT(version("argon-drop"), testing::EndsWith("3"));
}

/// Rows are written and read 2^15 at a time.
TEST_F(Checkpoints, RoundTripSeveralPartsOfRows) {
    Simulation one = after(0, {}, "plummer", 70'000);
    write_checkpoint(checkpoint_of(one, {}), path("c.orrery"));
    EXPECT_TRUE(resume(read_run(path("c.orrery"))).snapshot().bodies.bytes == one.snapshot().bodies.bytes);
}

TEST_F(Checkpoints, KeepSettingsOfSceneRunAndEngine) {
    Scene scene = make_preset("solar-system", {});
    scene.bodies.ids = {9, 8, 7, 6, 5, 4, 3, 2, 1};
    scene.bodies.species.assign(9, Species::kStars);
    scene.gravity = {1.25, 1e-5};
    scene.dt = 0.0125;
    scene.adaptive = 0.125;
    EngineConfig engine{.engine = "half", .precision = Precision::kDouble};
    engine.map = "rb", engine.tile_size = 64, engine.equal_masses = false, engine.tree.alpha = 0.03, engine.threads = 1;
    engine.compensated = true;
    Simulation simulation{scene, engine, "yoshida4"};
    for (int i = 0; i < 3; ++i) simulation.step();
    simulation.set_reversed(true);
    simulation.step();
    Diagnostics first;
    first.kinetic = 1, first.potential = -2, first.momentum = {3, 4, 5}, first.momentum_scale = 9;
    first.angular_momentum = {6, 7, 8};
    Checkpoint written = checkpoint_of(simulation, {.steps = 0, .until = 77.5, .first = first});
    written.state.history_key = 17;
    write_checkpoint(written, path("c.orrery"));
    const Checkpoint read = read_run(path("c.orrery"));
    EXPECT_EQ(read.scene.id, scene.id);
    EXPECT_EQ(read.scene.label, scene.label);
    EXPECT_EQ(read.scene.bodies.names, scene.bodies.names);
    EXPECT_EQ(read.scene.bodies.ids, scene.bodies.ids);
    EXPECT_EQ(read.scene.bodies.species, scene.bodies.species);
    EXPECT_EQ(read.scene.gravity.constant, 1.25);
    EXPECT_EQ(read.scene.gravity.softening, 1e-5);
    EXPECT_EQ(read.scene.dt, 0.0125);
    EXPECT_EQ(read.scene.adaptive, 0.125);
    EXPECT_EQ(read.scene.integrator, "yoshida4");
    EXPECT_EQ(read.scene.days_per_time, scene.days_per_time);
    EXPECT_EQ(read.scene.length_unit, "AU");
    EXPECT_EQ(read.state.engine, engine);
    EXPECT_EQ(read.state.steps, 2);
    EXPECT_EQ(read.state.moment, 4u);
    EXPECT_EQ(read.state.history_key, 17u);
    EXPECT_TRUE(read.reversed);
    EXPECT_EQ(read.run.until, 77.5);
    ASSERT_TRUE(read.run.first);
    EXPECT_EQ(read.run.first->potential, -2);
    EXPECT_EQ(read.run.first->angular_momentum.z, 8);
    EXPECT_EQ(read.run.first->momentum_scale, 9);

    const Scene seen = read_snapshot(path("c.orrery"));
    EXPECT_EQ(seen.bodies.position_mass, simulation.system().bodies().position_mass);
    EXPECT_EQ(seen.bodies.velocity, simulation.system().bodies().velocity);
    EXPECT_EQ(seen.time, simulation.now().time);
    EXPECT_EQ(seen.id, "c.orrery");
    EXPECT_THAT(seen.notes, ::testing::Contains(::testing::HasSubstr("run --resume")));
}

// The completeness of the table is tested in engine_settings_test.cpp.
TEST_F(Checkpoints, KeepEveryEngineSetting) {
    Simulation simulation = after(0, {});
    // Each file holds one non-default value of every setting, and the next file the next one; settings with fewer
    // values repeat theirs.
    std::size_t files = 1;
    for (std::size_t file = 0; file < files; ++file) {
        Checkpoint written = checkpoint_of(simulation, {});
        for (const EngineSetting& setting : engine_settings()) {
            if (setting.info.id == "precision" || setting.info.id == "compensated")
                continue;  // these affect the bodies too
            const std::vector<SettingValue> values = unusual_values(setting);
            files = std::max(files, values.size());
            setting.member.set(written.state.engine, values[file % values.size()]);
        }
        write_checkpoint(written, path("c.orrery"));
        const EngineConfig found = read_run(path("c.orrery")).state.engine;
        EXPECT_EQ(found, written.state.engine);
        for (const EngineSetting& setting : engine_settings())
            EXPECT_EQ(setting.member.get(found), setting.member.get(written.state.engine)) << setting.info.id;
    }
    EXPECT_GT(files, 1u);
}

TEST_F(Checkpoints, RefuseASettingOutOfRange) {
    Simulation simulation = after(0, {});
    Checkpoint written = checkpoint_of(simulation, {});
    written.state.engine.tree.theta = 77;
    write_checkpoint(written, path("c.orrery"));
    expect_error([&] { read_run(path("c.orrery")); }, Blame::kUsage, "c.orrery", "theta", "from 0 to 2, found 77");
}

TEST_F(Checkpoints, RefuseASceneOutOfRange) {
    const auto with = [&](auto change) {
        Scene scene;
        scene.bodies.add({1, 2, 3}, {4, 5, 6}, 7);
        change(scene);
        write_snapshot(scene, path("c.orrery"));
        return path("c.orrery");
    };
    const auto refused = [&](const char* name, auto change) {
        const auto bad = with(change);
        expect_error([&] { read_snapshot(bad); }, Blame::kUsage, "c.orrery", "attribute ", name, "out of range");
    };
    refused("G", [](Scene& s) { s.gravity.constant = 0; });
    refused("softening", [](Scene& s) { s.gravity.softening = -5e-324; });
    refused("dt", [](Scene& s) { s.dt = 0; });
    refused("dt", [](Scene& s) { s.dt = HUGE_VAL; });
    refused("adaptive", [](Scene& s) { s.adaptive = -0.1; });
    refused("time", [](Scene& s) { s.time = std::nan(""); });
    refused("days_per_time", [](Scene& s) { s.days_per_time = -1; });
    refused("steps_per_frame", [](Scene& s) { s.steps_per_frame = 0; });
    const Scene least = read_snapshot(with([](Scene& s) {
        s.gravity = {5e-324, 0};
        s.dt = 5e-324, s.time = -1e308, s.days_per_time = 0, s.steps_per_frame = 1;
    }));
    EXPECT_EQ(least.gravity.constant, 5e-324);
    EXPECT_EQ(least.dt, 5e-324);
    EXPECT_EQ(least.time, -1e308);
    EXPECT_EQ(least.steps_per_frame, 1);
}

TEST_F(Checkpoints, KeepEmptyNames) {
    Scene scene;
    for (const double x : {1.0, 2.0}) scene.bodies.add({x, 0, 0}, {}, 1);
    scene.bodies.names = {"", ""};
    write_snapshot(scene, path("c.orrery"));
    EXPECT_EQ(read_snapshot(path("c.orrery")).bodies.names, scene.bodies.names);
}

TEST_F(Checkpoints, OfEarlierVersionsCanBeResumed) {
    const Checkpoint read = read_run(ORRERY_EARLIER "/figure-eight.orrery");
    EngineConfig engine{.engine = "tree", .precision = Precision::kDouble, .tree = {.theta = 0.7, .leaf = 32}};
    engine.threads = 2, engine.compensated = true;
    EXPECT_EQ(read.state.engine, engine);
    EXPECT_FALSE(read.state.engine.tree.keep_accuracy) << "the bodies must move as before";
    EXPECT_EQ(read.state.accuracy.acceptance, Acceptance{});
    Simulation simulation = resume(read);
    EXPECT_EQ(simulation.now().steps, 3);
    simulation.step();
    EXPECT_EQ(simulation.now().steps, 4);
}

TEST_F(Checkpoints, OnlyStatesOfARunCanBeResumed) {
    write_snapshot(make_preset("figure-eight", {}), path("scene.orrery"));
    expect_error([&] { read_run(path("scene.orrery")); }, Blame::kUsage, "scene.orrery", "not the state of a run");
    expect_error([&] { read_run(save("x.orrery", "nonsense")); }, Blame::kUsage, "x.orrery");
    Simulation simulation = after(1, {});
    write_checkpoint(checkpoint_of(simulation, {}), path("c.orrery"));
    std::string bytes = content(path("c.orrery"));
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    expect_error([&] { read_run(save("changed.orrery", bytes)); }, Blame::kUsage, "truncated or modified");
}

// Version 1 contained scenes only.
TEST_F(Checkpoints, ReadFilesOfVersionOne) {
    write_snapshot(make_preset("figure-eight", {}), path("scene.orrery"));
    std::string bytes = content(path("scene.orrery"));
    ASSERT_EQ(bytes.find("checkpoint 2"), 7u);
    bytes[18] = '1';
    EXPECT_EQ(read_snapshot(save("old.orrery", bytes)).bodies.size(), 3u);
    bytes[18] = '5';
    expect_error([&] { read_snapshot(save("new.orrery", bytes)); }, Blame::kUsage, "version 1 to 4, found 5");
}

TEST_F(Checkpoints, AFullDiskLeavesThePreviousFile) {
    Simulation simulation = after(1, {}, "plummer", 5000);
    write_checkpoint(checkpoint_of(simulation, {}), path("c.orrery"));
    const std::string older = content(path("c.orrery"));
    simulation.step();
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{65536, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    expect_error([&] { write_checkpoint(checkpoint_of(simulation, {}), path("c.orrery")); }, Blame::kEnvironment,
                 "c.orrery", "cannot be written");
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(content(path("c.orrery")), older);
    EXPECT_EQ(files(), 1u);
}

TEST_F(Checkpoints, TemporaryFilesOfDeadProcessesAreRemoved) {
    const pid_t gone = fork();
    if (gone == 0) _exit(0);
    waitpid(gone, nullptr, 0);
    save(".c." + std::to_string(gone) + ".partial.orrery", "half");
    save(".c." + std::to_string(getppid()) + ".partial.orrery", "another process is writing this");
    save(".other." + std::to_string(gone) + ".partial.orrery", "of another file");
    write_checkpoint(checkpoint_of(after(1, {}), {}), path("c.orrery"));
    EXPECT_EQ(files(), 3u);
    EXPECT_FALSE(std::filesystem::exists(path(".c." + std::to_string(gone) + ".partial.orrery")));
}

}  // namespace
}  // namespace orrery::test
