// SPDX-License-Identifier: MIT
// Interrupted runs and their resumption from checkpoints.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>

#include "core/formats/formats.hpp"
#include "tests/app/commands/process.hpp"
#include "tests/support/slowness.hpp"

namespace orrery::test {
namespace {

class Resume : public CommandTest {
protected:
    void SetUp() override {
        if (!format("checkpoint").why_not.empty()) GTEST_SKIP() << format("checkpoint").why_not;
    }
    static std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
        a.insert(a.end(), b.begin(), b.end());
        return a;
    }
};

/// Kills the program at random moments, some of them while a checkpoint is written, and resumes it each time; the final
/// files must equal those of an uninterrupted run. ORRERY_KILLS sets the number of kills, 50 in a long test.
TEST_F(Resume, KilledRunsResumeToTheSameBytes) {
    const char* asked = std::getenv("ORRERY_KILLS");
    const int kills = asked ? std::atoi(asked) : 8;
    const std::vector<std::string> begin{"run",  "plummer", "--bodies", "900",        "--engine",
                                         "tree", "--steps", "1200",     "--no-energy"};
    const std::vector<std::string> kept{"--checkpoint", "c.orrery", "--every-steps", "7", "-o", "end.orrery"};
    const auto start = std::chrono::steady_clock::now();
    ASSERT_EQ(orrery(joined(begin, {"--checkpoint", "whole.orrery", "-o", "whole-end.orrery"})).code, 0);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    const std::string end = content(path("whole-end.orrery")), state = content(path("whole.orrery"));
    std::mt19937 random{7};
    std::uniform_real_distribution part{0.1,
                                        0.9};  // fraction of the time of a whole run; writing checkpoints takes longer
    int killed = 0, ended = 0, resumed = 0;
    while (killed < kills || ended == 0) {
        const bool there = std::filesystem::exists(path("c.orrery"));
        resumed += there;
        const auto command =
            joined(there ? std::vector<std::string>{"run", "--resume", "c.orrery", "--no-energy"} : begin, kept);
        const int ms = killed < kills ? 1 + static_cast<int>(part(random) * took.count()) : 0;
        const Finished run = orrery(command, {.interrupt_after_ms = ms, .signal = SIGKILL});
        if (run.code == 128 + SIGKILL) {
            ++killed;
            continue;
        }
        ASSERT_EQ(run.code, 0) << run.err;
        ++ended;
        EXPECT_EQ(content(path("end.orrery")), end) << "after " << killed << " kills";
        EXPECT_EQ(content(path("c.orrery")), state) << "after " << killed << " kills";
        std::filesystem::remove(path("end.orrery")), std::filesystem::remove(path("c.orrery"));
    }
    EXPECT_GT(resumed, kills / 3) << "killed too often before the first checkpoint";
    std::printf("killed %d times, resumed %d times, at the end %d times\n", killed, resumed, ended);
}

TEST_F(Resume, SignalsWriteACheckpointAndSetTheExitCode) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU}) {
        SCOPED_TRACE(signal);
        std::filesystem::remove(path("c.orrery"));
        const Finished run = orrery({"run", "plummer", "--bodies", "800", "--steps", "100000000", "--checkpoint",
                                     "c.orrery", "--every-steps", "20", "--json"},
                                    {.signal = signal, .signal_when = "c.orrery"});
        EXPECT_EQ(run.code, signal == SIGINT ? 128 + SIGINT : 0) << run.err;
        EXPECT_THAT(run.err, testing::HasSubstr("to resume: orrery run --resume c.orrery"));
        const auto report = nlohmann::json::parse(run.out);
        EXPECT_EQ(report.at("ended"), "interrupted");
        const auto steps = report.at("steps").get<std::int64_t>();
        EXPECT_GT(steps, 0);
        const auto more = json({"run", "--resume", "c.orrery", "--steps", std::to_string(steps + 3), "--json"});
        EXPECT_EQ(more.at("ended"), "complete");
        EXPECT_EQ(more.at("steps"), steps + 3);
    }
}

TEST_F(Resume, TableContinuesWithoutDuplicateRows) {
    const std::vector<std::string> table{"--diagnostics", "e.csv", "--diagnostics-every", "5"};
    ASSERT_EQ(orrery({"run", "plummer", "--bodies", "300", "--steps", "40", "--diagnostics", "whole.csv",
                      "--diagnostics-every", "5"})
                  .code,
              0);
    ASSERT_EQ(
        orrery(joined({"run", "plummer", "--bodies", "300", "--steps", "12", "--checkpoint", "c.orrery"}, table)).code,
        0);
    // As if killed later, while writing a line.
    save("e.csv", content(path("e.csv")) + "15,0.1,2,3,4,5,6,7,8,9,10,11\n20,0.");
    const auto report = json(joined({"run", "--resume", "c.orrery", "--steps", "40", "--json"}, table));
    const auto rows = csv_rows(content(path("e.csv"))), whole = csv_rows(content(path("whole.csv")));
    // Row 12 is the end of the first part; all others are those of an uninterrupted run.
    ASSERT_EQ(rows.size(), whole.size() + 1);
    for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_EQ(rows[i < 4 ? i : i + 1], whole[i]) << i;
    EXPECT_EQ(rows[4][0], "12");
    EXPECT_GT(report.at("energy_drift").get<double>(), 0);
}

TEST_F(Resume, EnergyDriftCountsFromTheFirstStep) {
    const std::vector<std::string> run{"run", "figure-eight", "--steps", "500", "--dt", "0.05", "--json"};
    const auto whole = json(run);
    ASSERT_EQ(orrery({"run", "figure-eight", "--steps", "200", "--dt", "0.05", "--checkpoint", "c.orrery"}).code, 0);
    const auto parts = json({"run", "--resume", "c.orrery", "--steps", "500", "--json"});
    EXPECT_EQ(whole.at("energy_drift"), parts.at("energy_drift"));
    EXPECT_EQ(whole.at("energy"), parts.at("energy"));
    EXPECT_EQ(whole.at("momentum_drift"), parts.at("momentum_drift"));
}

TEST_F(Resume, WallTimeLimitEndsTheRun) {
    const auto seconds = [](double usual) { return std::to_string(usual * slowness()) + "s"; };
    const Finished run = orrery({"run", "plummer", "--bodies", "800", "--steps", "100000000", "--checkpoint",
                                 "c.orrery", "--wall-time", seconds(1), "--log-every", seconds(0.2), "--json"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(nlohmann::json::parse(run.out).at("ended"), "wall-time");
    EXPECT_THAT(run.err, testing::HasSubstr("the wall-time limit is reached"));
    EXPECT_THAT(run.err, testing::ContainsRegex("step [0-9]+ of 100000000 \\(.*t = .*steps/s, .* left"));
    EXPECT_TRUE(std::filesystem::exists(path("c.orrery")));
}

TEST_F(Resume, FullDiskIsReportedAndKeepsTheOlderCheckpoint) {
    ASSERT_EQ(orrery({"run", "plummer", "--bodies", "60000", "--engine", "tree", "--steps", "2", "--no-energy",
                      "--checkpoint", "c.orrery"})
                  .code,
              0);
    const std::string older = content(path("c.orrery"));
    const Finished run = orrery({"run", "--resume", "c.orrery", "--steps", "6", "--no-energy", "--checkpoint",
                                 "c.orrery", "--every-steps", "1"},
                                {.file_limit = std::size_t{2} << 20});
    EXPECT_EQ(run.code, 3) << "the last checkpoint is missing";
    EXPECT_THAT(run.err, testing::HasSubstr("c.orrery: cannot be written"));
    EXPECT_THAT(run.err, testing::HasSubstr("the previous one stays, and the run continues"));
    EXPECT_EQ(content(path("c.orrery")), older);
    EXPECT_EQ(files(), 3u) << "including stdout and stderr";
}

TEST_F(Resume, RefusesInvalidArguments) {
    ASSERT_EQ(orrery({"run", "figure-eight", "--steps", "3", "--checkpoint", "c.orrery", "-o", "scene.orrery"}).code,
              0);
    const auto refused = [&](const std::vector<std::string>& arguments, const char* why) {
        const Finished run = orrery(joined({"run"}, arguments));
        EXPECT_EQ(run.code, 2) << run.err;
        EXPECT_THAT(run.err, testing::HasSubstr(why));
    };
    refused({"--resume", "c.orrery", "--engine", "half"}, "--engine");
    refused({"plummer", "--resume", "c.orrery"}, "SCENE");
    refused({"--resume", "c.orrery", "--dt", "1"}, "--dt");
    refused({"--resume", "scene.orrery"}, "not the state of a run");
    refused({"--resume", "missing.orrery"}, "no such file");
    refused({"plummer", "--steps", "1", "--every-steps", "3"}, "need --checkpoint");
    refused({"plummer", "--steps", "1", "--wall-time", "soon"}, "such as 90s");
    refused({"--steps", "1"}, "SCENE, or --resume");
}

TEST_F(Resume, CheckpointIsAlsoAScene) {
    ASSERT_EQ(
        orrery({"run", "plummer", "--bodies", "200", "--steps", "3", "--engine", "tree", "--checkpoint", "c.orrery"})
            .code,
        0);
    const Finished run = orrery({"run", "c.orrery", "--steps", "2", "--engine", "half"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.err, testing::HasSubstr("note: c.orrery: opened with the bodies, time, dt"));
}

}  // namespace
}  // namespace orrery::test
