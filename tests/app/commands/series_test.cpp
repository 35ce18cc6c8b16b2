// SPDX-License-Identifier: MIT
// Numbered snapshots written during a run.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "core/formats/formats.hpp"
#include "tests/app/commands/process.hpp"

namespace orrery::test {
namespace {

using testing::HasSubstr;

class Series : public CommandTest {
protected:
    static std::vector<std::string> run(std::vector<std::string> more) {
        std::vector<std::string> words{"run", "plummer",   "--bodies", "200",  "--engine", "tree",       "--backend",
                                       "cpu", "--threads", "1",        "--dt", "0.01",     "--no-energy"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    std::size_t files() const {
        std::size_t count = 0;
        for (const auto& entry : std::filesystem::directory_iterator{path("")})
            count += entry.path().filename().string().starts_with("snap");
        return count;
    }
};

TEST_F(Series, EachSnapshotIsTheStateAfterItsSteps) {
    const Finished done = orrery(run({"--steps", "10", "--snapshots", "snap_%03d.tipsy", "--snapshots", "snap%d.csv",
                                      "--snapshots-every", "4", "-o", "end.tipsy", "--json"}));
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(nlohmann::json::parse(done.out).at("snapshots"), 6);
    EXPECT_EQ(files(), 6u) << "steps 0, 4 and 8 in two formats";
    for (const int steps : {4, 8}) {
        ASSERT_EQ(orrery(run({"--steps", std::to_string(steps), "-o", "then.tipsy", "-o", "then.csv"})).code, 0);
        const std::string number = std::to_string(steps / 4);
        EXPECT_EQ(content(path("snap_00" + number + ".tipsy")), content(path("then.tipsy"))) << steps;
        EXPECT_EQ(content(path("snap" + number + ".csv")), content(path("then.csv"))) << steps;
    }
    EXPECT_DOUBLE_EQ(read_snapshot(path("snap_002.tipsy")).time, 0.08);
}

TEST_F(Series, FollowsSimulationTime) {
    ASSERT_EQ(orrery(run({"--until", "0.3", "--snapshots", "snap%d.csv", "--snapshots-interval", "0.1"})).code, 0);
    EXPECT_EQ(files(), 4u);
    for (const int number : {0, 1, 2, 3})
        EXPECT_NEAR(read_snapshot(path("snap" + std::to_string(number) + ".csv")).time, 0.1 * number, 1e-12);
    // With adaptive steps: the first state at or after each time.
    ASSERT_EQ(orrery(run({"--until", "0.3", "--adaptive", "0.02", "--snapshots", "snapa%d.csv", "--snapshots-interval",
                          "0.1"}))
                  .code,
              0);
    for (const int number : {1, 2}) {
        const double time = read_snapshot(path("snapa" + std::to_string(number) + ".csv")).time;
        EXPECT_GE(time, 0.1 * number * (1 - 1e-9));
        EXPECT_LT(time, 0.1 * number + 0.01);
    }
}

TEST_F(Series, StatesTheSpeciesOfTheBodies) {
    ASSERT_EQ(orrery({"run", "black-holes", "--bodies", "50", "--encounters", "off", "--backend", "cpu", "--no-energy",
                      "--steps", "1", "--snapshots", "snap%d.csv", "--snapshots-every", "1"})
                  .code,
              0);
    const std::vector<Species> species = read_snapshot(path("snap1.csv")).bodies.species;
    ASSERT_EQ(species.size(), 50u);
    EXPECT_EQ(species.front(), Species::kStars);
    EXPECT_EQ(species.back(), Species::kBoundary);
}

TEST_F(Series, DefaultsToAboutAHundredSnapshots) {
    ASSERT_EQ(orrery(run({"--steps", "250", "--snapshots", "snap_%05d.tipsy"})).code, 0);
    EXPECT_EQ(files(), 126u) << "every second step";
    EXPECT_TRUE(std::filesystem::exists(path("snap_00125.tipsy")));
}

TEST_F(Series, ContinuesInAResumedRun) {
    const std::vector<std::string> series{"--snapshots", "snap%d.h5", "--snapshots-every", "2"};
    const auto with = [&](std::vector<std::string> words) {
        words.insert(words.end(), series.begin(), series.end());
        return words;
    };
    ASSERT_EQ(orrery(with(run({"--steps", "12"}))).code, 0);
    std::vector<std::string> whole;
    for (int number = 0; number <= 6; ++number) whole.push_back(content(path("snap" + std::to_string(number) + ".h5")));
    for (int number = 0; number <= 6; ++number) std::filesystem::remove(path("snap" + std::to_string(number) + ".h5"));
    ASSERT_EQ(orrery(with(run({"--steps", "5", "--checkpoint", "c.orrery"}))).code, 0);
    EXPECT_EQ(files(), 3u);
    ASSERT_EQ(orrery(with({"run", "--resume", "c.orrery", "--steps", "12"})).code, 0);
    for (int number = 0; number <= 6; ++number)
        EXPECT_EQ(content(path("snap" + std::to_string(number) + ".h5")), whole[static_cast<std::size_t>(number)])
            << number;
}

TEST_F(Series, FullDiskEndsTheSeriesButNotTheRun) {
    const Finished done = orrery(
        run({"--steps", "6", "--snapshots", "snap%d.tipsy", "--snapshots-every", "2", "--diagnostics", "table.csv"}),
        {.file_limit = 2000});
    EXPECT_EQ(done.code, 3);
    EXPECT_THAT(done.err, HasSubstr("snap0.tipsy"));
    EXPECT_THAT(done.err, HasSubstr("the run continues"));
    EXPECT_THAT(done.err, testing::Not(HasSubstr("snap2.tipsy"))) << "reported once";
    EXPECT_THAT(done.out, HasSubstr("6 steps"));
    EXPECT_EQ(files(), 0u) << "no partial file";
}

TEST_F(Series, IsConfiguredByTheSceneFile) {
    std::ofstream{path("scene.toml")} << "[scene]\npreset = \"plummer\"\nbodies = 50\n[run]\n"
                                         "snapshots = [\"snap%d.csv\", \"snap%d.tipsy\"]\nsnapshots_every = 2\n";
    ASSERT_EQ(orrery({"run", "scene.toml", "--steps", "4", "--no-energy", "--backend", "cpu"}).code, 0);
    EXPECT_EQ(files(), 6u);
    ASSERT_EQ(orrery({"run", "scene.toml", "--steps", "4", "--no-energy", "--backend", "cpu", "--snapshots",
                      "snapother%d.csv", "--snapshots-every", "4"})
                  .code,
              0);
    EXPECT_EQ(files(), 8u) << "the command line has priority";
}

TEST_F(Series, RecordsAllTimesOfATableAndRunsTheFirst) {
    std::ofstream table{path("table.csv")};
    table << "time,m,x,y,z,vx,vy,vz\n";
    for (int i = 0; i <= 4; ++i)
        for (int body = 0; body < 3; ++body) table << i << ",1," << body + i << ',' << body << ",0,1,0,0\n";
    table.close();
    std::filesystem::create_directory(path("temporary"));
    const CommandTest::Surroundings here{.environment = {{"TMPDIR", path("temporary").string()}}};
    const Finished film = orrery(
        {"record", "table.csv", "-o", "p%d.png", "--duration", "0.1", "--fps", "30", "--width", "64", "--height", "64"},
        here);
    EXPECT_EQ(film.code, 0) << film.err;
    EXPECT_THAT(film.err, HasSubstr("table.csv: has 5 times, which are played"));
    EXPECT_TRUE(std::filesystem::is_empty(path("temporary")));
    const Finished computed = orrery({"run", "table.csv", "--steps", "1", "--dt", "0.5", "-o", "end.csv"});
    EXPECT_EQ(computed.code, 0) << computed.err;
    EXPECT_THAT(computed.err, HasSubstr("the window, record and serve play all times"));
    EXPECT_EQ(read_snapshot(path("end.csv")).time, 0.5);
}

TEST_F(Series, RefusesInvalidArgumentsAtOnce) {
    const auto refused = [&](std::vector<std::string> more, int code, const char* said) {
        more.insert(more.end(), {"--steps", "2"});
        const Finished done = orrery(run(more));
        EXPECT_EQ(done.code, code) << done.err;
        EXPECT_THAT(done.err, HasSubstr(said));
        EXPECT_EQ(done.error_lines(), 1u) << done.err;
    };
    refused({"--snapshots", "snap.h5"}, 2, "snap_%04d.h5");
    refused({"--snapshots", "snap%d.xyz"}, 2, ".tipsy");
    refused({"--snapshots", "nowhere/snap%d.csv"}, 3, "nowhere");
    refused({"--snapshots-every", "3"}, 2, "--snapshots");
    refused({"--snapshots", "snap%d.csv", "--snapshots-interval", "-1"}, 2, "--snapshots-interval");
    refused({"--snapshots", "snap%d.csv", "--snapshots-interval", "1e-300"}, 2, "of a step");
    refused({"--snapshots", "snap%d.csv", "--snapshots-compress", "3"}, 2, "HDF5");
    refused({"--snapshots", "snap%d.csv", "--snapshots-every", "3", "--snapshots-interval", "1"}, 2, "not both");
    EXPECT_EQ(files(), 0u);
}

}  // namespace
}  // namespace orrery::test
