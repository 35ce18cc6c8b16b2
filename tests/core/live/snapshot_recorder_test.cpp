// SPDX-License-Identifier: MIT
// A series of snapshots written by the thread of a running simulation.
#include "core/live/state_writers.hpp"

#include "core/base/text.hpp"
#include "core/formats/formats.hpp"
#include "core/live/simulation_thread.hpp"
#include "core/presets/presets.hpp"
#include "tests/core/formats/scratch.hpp"
#include "tests/support/eventually.hpp"

namespace orrery::test {
namespace {

class RecordedSnapshots : public Scratch {
protected:
    std::string pattern() const { return path("s%d.csv").string(); }
    Scene snapshot(std::uint64_t number) const { return read_snapshot(numbered(pattern(), number)); }
    static bool written(const SimulationThread& thread, std::uint64_t files) {
        return eventually([&] { return thread.status().saving.snapshots.written >= files; });
    }
    static bool ended(const SimulationThread& thread) {
        return eventually(
            [&] { return !thread.status().saving.snapshots.on && !thread.status().saving.snapshots.ending; });
    }
    static bool reports(const SimulationThread& thread, const std::string& what) {
        return eventually([&] { return thread.status().message.text.find(what) != std::string::npos; });
    }
};

TEST_F(RecordedSnapshots, StoreTheLawAndStepOfTheirTime) {
    SimulationThread thread{{.source = "plummer", .bodies = 20}, {.backend = Backend::kCpu}};
    const double softening = thread.status().dynamics.gravity.softening, dt = thread.status().dynamics.dt;
    thread.send(RecordSnapshots{pattern(), 2});
    ASSERT_TRUE(written(thread, 2));
    thread.send(SetSoftening{4 * softening});
    thread.send(SetDt{dt / 2});
    ASSERT_TRUE(eventually([&] { return thread.status().dynamics.dt == dt / 2; }));
    ASSERT_TRUE(written(thread, thread.status().saving.snapshots.written + 5));  // some files may still be queued
    thread.send(RecordSnapshots{});
    ASSERT_TRUE(ended(thread));
    const std::uint64_t files = thread.status().saving.snapshots.written;
    const Scene first = snapshot(0), last = snapshot(files - 1);
    EXPECT_EQ(first.gravity.softening, softening);
    EXPECT_EQ(first.dt, dt);
    EXPECT_EQ(last.gravity.softening, 4 * softening);
    EXPECT_EQ(last.dt, dt / 2);
    EXPECT_EQ(last.bodies.size(), 20u);
    EXPECT_FALSE(std::filesystem::exists(numbered(pattern(), files)));
    EXPECT_FALSE(thread.status().saving.snapshots.failed);
}

TEST_F(RecordedSnapshots, AreRefusedForInvalidRequests) {
    SimulationThread thread{{.source = "plummer", .bodies = 20}, {.backend = Backend::kCpu}};
    thread.send(RecordSnapshots{path("s.csv").string(), 1});
    EXPECT_TRUE(reports(thread, "expected a placeholder for the number"));
    thread.send(RecordSnapshots{path("s%d.xyz").string(), 1});
    EXPECT_TRUE(reports(thread, "xyz"));
    thread.send(RecordSnapshots{path("none/s%d.csv").string(), 1});
    EXPECT_TRUE(reports(thread, "none"));
    thread.send(RecordSnapshots{pattern(), 0});
    EXPECT_TRUE(reports(thread, "must be 1 or more"));
    EXPECT_FALSE(thread.status().saving.snapshots.on);
    thread.send(RecordSnapshots{pattern(), 3});
    ASSERT_TRUE(written(thread, 2));
    thread.send(RecordSnapshots{pattern(), 3});
    EXPECT_TRUE(reports(thread, "is being written already"));
    thread.send(RecordSnapshots{});
    ASSERT_TRUE(ended(thread));
    // The written files form a series, which is played, not computed.
    SimulationThread played{{.source = path("s?.csv").string()}, {.backend = Backend::kCpu}};
    ASSERT_TRUE(played.status().source.series.on);
    played.send(RecordSnapshots{path("again%d.csv").string(), 1});
    EXPECT_TRUE(reports(played, "its states are already in files"));
}

TEST_F(RecordedSnapshots, EndWithTheirScene) {
    SimulationThread thread{{.source = "plummer", .bodies = 20}, {.backend = Backend::kCpu}};
    thread.send(RecordSnapshots{pattern(), 1});
    ASSERT_TRUE(written(thread, 1));
    thread.send(LoadScene{{.source = "cold-sphere", .bodies = 30}});
    ASSERT_TRUE(eventually([&] { return thread.status().bodies == 30; }));
    ASSERT_TRUE(ended(thread));
    for (std::uint64_t i = 0; i < thread.status().saving.snapshots.written; ++i)
        EXPECT_EQ(snapshot(i).bodies.size(), 20u) << i;
}

}  // namespace
}  // namespace orrery::test
