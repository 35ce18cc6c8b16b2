// SPDX-License-Identifier: MIT
// Several ranks, started by mpirun.
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "core/analysis/columns.hpp"
#include "core/cuda/info.hpp"
#include "tests/app/commands/process.hpp"
#include "tests/support/needs_device.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/read_png.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kOddCount = everyday("1501", "3001"), kOwnedCount = everyday("1500", "3000");

class RanksCommand : public CommandTest {
protected:
    /// Some sandboxes have no sockets, which mpirun needs.
    void SetUp() override {
        CommandTest::SetUp();
        static const Finished nothing = orrery({}, {.ranks = 2, .program = "/bin/true"});
        if (nothing.code != 0) GTEST_SKIP() << "mpirun cannot start programs here: " << nothing.err;
    }
    /// Runs a shell command line on each rank; $rank is its number. (mpirun of Open MPI 5.0.7 crashes if it is given
    /// different commands.)
    Finished each_of(int ranks, const std::string& line) const {
        return orrery({"-c", "rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; " + line},
                      {.ranks = ranks, .program = "/bin/bash"});
    }
    Finished together(int ranks, const std::vector<std::string>& arguments) const {
        return orrery(arguments, {.ranks = ranks});
    }
    /// Runs the scene without mpirun and on ranks: snapshots, table and checkpoint must be identical.
    void expect_same(const std::vector<std::string>& scene, const std::vector<int>& all_ranks) const {
        const auto run = [&](const std::string& name, int ranks) {
            std::vector<std::string> words{"run"};
            words.insert(words.end(), scene.begin(), scene.end());
            words.insert(words.end(), {"--backend", "cpu", "--threads", "1", "--steps", "6", "--diagnostics",
                                       name + ".table.csv", "--checkpoint", name + ".orrery", "-o", name + ".csv",
                                       "--snapshots", name + ".s%d.csv", "--snapshots-every", "3"});
            return orrery(words, {.ranks = ranks});
        };
        ASSERT_EQ(run("one", 0).code, 0);
        for (const int ranks : all_ranks) {
            const std::string name = "by" + std::to_string(ranks);
            const Finished done = run(name, ranks);
            ASSERT_EQ(done.code, 0) << done.err;
            for (const char* end : {".csv", ".table.csv", ".s0.csv", ".s1.csv", ".s2.csv"})
                EXPECT_EQ(content(path(name + end)), content(path(std::string{"one"} + end))) << name << end;
            const std::string said = ", 6 steps of ";
            EXPECT_THAT(done.out, HasSubstr(said));
            EXPECT_EQ(done.out.find(said), done.out.rfind(said)) << "printed by more than one rank";
        }
    }
};

TEST_F(RanksCommand, DirectMatchesASingleProcess) {
    expect_same({"plummer", "--bodies", "1001"}, everyday<std::vector<int>>({2}, {1, 2, 4}));
}
TEST_F(RanksCommand, HalfMatchesASingleProcess) {
    expect_same({"plummer", "--bodies", "1001", "--engine", "half", "--map", "rb"}, {3});
}
TEST_F(RanksCommand, TreeMatchesASingleProcess) {
    expect_same({"collision", "--bodies", kOddCount, "--engine", "tree"}, {3});
}
TEST_F(RanksCommand, FmmMatchesASingleProcess) {
    expect_same({"collision", "--bodies", kOddCount, "--engine", "fmm"}, everyday<std::vector<int>>({3}, {2, 3}));
}
TEST_F(RanksCommand, HermiteMatchesASingleProcess) {
    expect_same({"plummer", "--bodies", "65", "--precision", "double", "--integrator", "hermite4-block"}, {3});
}
TEST_F(RanksCommand, FewerBodiesThanRanksMatchASingleProcess) { expect_same({"figure-eight"}, {4}); }

TEST_F(RanksCommand, RefusesFilesThatDifferBetweenRanks) {
    const std::string body = "m,x,y,z,vx,vy,vz\n1,-1,0,0,0,0.5,0\n1,1,0,0,0,", first = "# orrery: G=1 dt=0.01\n";
    const auto run = [&](const std::string& of_0, const std::string& of_1) {
        for (const auto& [folder, text] : {std::pair{"d0", of_0}, {"d1", of_1}}) {
            std::filesystem::create_directory(path(folder));
            save(std::string{folder} + "/x.csv", text);
        }
        return orrery(
            {"-c", std::string{"cd d$OMPI_COMM_WORLD_RANK && exec "} + ORRERY_BINARY + " run x.csv --steps 5"},
            {.ranks = 2, .program = "/bin/sh"});
    };
    const Finished same = run(first + body + "-0.5,0\n", first + body + "-0.5,0\n");
    EXPECT_EQ(same.code, 0) << same.err;
    const Finished bodies = run(first + body + "-0.5,0\n", first + body + "-0.4,0\n");
    EXPECT_EQ(bodies.code, 2);
    EXPECT_THAT(bodies.err, HasSubstr("rank 1 of 2 has read other bodies than rank 0"));
    const Finished steps = run(first + body + "-0.5,0\n", "# orrery: G=1 dt=0.02\n" + body + "-0.5,0\n");
    EXPECT_EQ(steps.code, 2);
    EXPECT_THAT(steps.err, HasSubstr("another time, dt or softening"));
}

TEST_F(RanksCommand, CheckpointResumesOnAnotherNumberOfRanks) {
    const std::vector<std::string> scene{"run",  "collision", "--bodies", "1001",      "--engine",
                                         "tree", "--backend", "cpu",      "--threads", "1"};
    const auto with = [&](std::vector<std::string> words, std::vector<std::string> more) {
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    ASSERT_EQ(orrery(with(scene, {"--steps", "8", "-o", "one.csv"})).code, 0);
    ASSERT_EQ(together(3, with(scene, {"--steps", "5", "--checkpoint", "c.orrery"})).code, 0);
    const Finished resumed = together(2, {"run", "--resume", "c.orrery", "--steps", "8", "-o", "two.csv"});
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ(content(path("two.csv")), content(path("one.csv")));
}

/// Kills one of three ranks at a random moment after the first checkpoint: all ranks end, and a resumed run produces
/// the same bytes. ORRERY_KILLS sets the number of kills.
TEST_F(RanksCommand, KilledRunsResumeToTheSameBytes) {
    const char* asked = std::getenv("ORRERY_KILLS");
    if (!asked) GTEST_SKIP() << "the launcher takes a second to end the ranks; run by tests/tools/long.sh";
    const std::vector<std::string> run{"run",       "collision", "--bodies",  "1000", "--engine", "tree",
                                       "--backend", "cpu",       "--threads", "1",    "--steps",  "400"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), run.begin(), run.end());
        return more;
    };
    ASSERT_EQ(orrery(with({"-o", "one.csv"})).code, 0);
    std::mt19937 random{7};
    for (int kill_number = 0; kill_number < std::atoi(asked); ++kill_number) {
        std::filesystem::remove(path("c.orrery"));
        Finished ended;
        std::atomic<bool> over{false};
        {
            const std::jthread waits{[&] {
                ended = together(3, with({"--checkpoint", "c.orrery", "--every-steps", "20", "-o", "two.csv"}));
            }};
            while (!over && !std::filesystem::exists(path("c.orrery")))
                std::this_thread::sleep_for(std::chrono::milliseconds{5});
            over = true;
            std::this_thread::sleep_for(std::chrono::milliseconds{random() % 300});
            const auto ranks = processes_in(std::filesystem::canonical(path("")), ORRERY_BINARY);
            if (!ranks.empty()) kill(ranks[random() % ranks.size()], SIGKILL);
        }
        EXPECT_TRUE(processes_in(std::filesystem::canonical(path("")), ORRERY_BINARY).empty())
            << "ranks are still running";
        const Finished resumed = together(2, {"run", "--resume", "c.orrery", "-o", "two.csv"});
        ASSERT_EQ(resumed.code, 0) << resumed.err << ended.err;
        EXPECT_EQ(content(path("two.csv")), content(path("one.csv"))) << "kill " << kill_number;
    }
}

/// The bodies move to other ranks on the way: the steps are long.
const std::vector<std::string> kOwnedRun{"run",       "collision", "--bodies",  kOwnedCount, "--engine", "fmm",
                                         "--order",   "4",         "--dt",      "0.05",      "--ranks",  "own",
                                         "--backend", "cpu",       "--threads", "1"};
std::vector<std::string> owned_run(std::initializer_list<std::string> more) {
    std::vector<std::string> words = kOwnedRun;
    words.insert(words.end(), more);
    return words;
}

TEST_F(RanksCommand, OwnedBodiesResumeToTheSameBytes) {
    const Finished whole = together(3, owned_run({"--steps", "8", "--checkpoint", "a.orrery", "-o", "a.csv"}));
    ASSERT_EQ(whole.code, 0) << whole.err;
    EXPECT_THAT(whole.out, HasSubstr(kOwnedCount + " bodies, 8 steps"));
    ASSERT_EQ(together(3, owned_run({"--steps", "5", "--checkpoint", "b.orrery"})).code, 0);
    const Finished resumed = together(3, {"run", "--resume", "b.orrery", "--steps", "8", "--checkpoint", "b.orrery",
                                          "-o", "b.csv", "--ranks", "own"});
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ(content(path("b.csv")), content(path("a.csv")));
    for (const char* rank : {"0", "1", "2"}) {
        const std::string name = std::string{".step8.rank"} + rank + "of3.orrery";
        EXPECT_EQ(content(path("b" + name)), content(path("a" + name)));
        EXPECT_FALSE(std::filesystem::exists(path(std::string{"b.step5.rank"} + rank + "of3.orrery")))
            << "the previous set stays";
    }
}

TEST_F(RanksCommand, OneProcessResumesTheSetOfAllRanks) {
    ASSERT_EQ(together(2, owned_run({"--steps", "3", "--checkpoint", "a.orrery", "-o", "three.csv"})).code, 0);
    const Finished same = orrery({"run", "--resume", "a.orrery", "--steps", "3", "-o", "one.csv"});
    ASSERT_EQ(same.code, 0) << same.err;
    EXPECT_EQ(content(path("one.csv")), content(path("three.csv")));
    EXPECT_EQ(orrery({"run", "--resume", "a.orrery", "--steps", "5", "-o", "five.csv"}).code, 0);
    const Finished other = together(3, {"run", "--resume", "a.orrery", "--steps", "5"});
    EXPECT_EQ(other.code, 2);
    EXPECT_THAT(other.err, HasSubstr("on 2 ranks, or on one"));
    std::filesystem::remove(path("a.step3.rank1of2.orrery"));
    EXPECT_NE(orrery({"run", "--resume", "a.orrery", "--steps", "5"}).code, 0);
}

TEST_F(RanksCommand, OwnedBodiesConserveEnergyAndMomentum) {
    const Finished done =
        together(4, {"run", "plummer", "--bodies", "2000", "--engine", "fmm", "--order", "4", "--ranks", "own",
                     "--backend", "cpu", "--threads", "1", "--steps", "20", "--json"});
    ASSERT_EQ(done.code, 0) << done.err;
    const auto report = nlohmann::json::parse(done.out);
    EXPECT_EQ(report.at("bodies"), 2000);
    EXPECT_LT(report.at("energy_drift"), 1e-3);
    EXPECT_LT(report.at("momentum_drift"), 1e-5);
}

TEST_F(RanksCommand, OwnedBodiesRefuseFeaturesThatNeedAllBodies) {
    const auto refused = [&](std::initializer_list<std::string> more) {
        const Finished done = together(2, owned_run(more));
        EXPECT_EQ(done.code, 2) << done.err;
        return done.err;
    };
    EXPECT_THAT(refused({"--steps", "2", "--diagnostics", "t.csv", "--profile", "p.csv"}), HasSubstr("--ranks all"));
    EXPECT_THAT(refused({"--steps", "2", "--snapshots", "s%d.h5", "--snapshots-accelerations"}),
                HasSubstr("--ranks all"));
    EXPECT_THAT(refused({"--steps", "2", "--integrator", "leapfrog-block"}), HasSubstr("--integrator leapfrog"));
}

/// Formats that are read in parts, and one that every rank reads as a whole.
TEST_F(RanksCommand, OwnedBodiesAreReadFromFilesAndWrittenAsByOneProcess) {
    ASSERT_EQ(orrery({"run", "collision", "--bodies", "1000", "--backend", "cpu", "--engine", "tree", "--steps", "0",
                      "-o", "in.csv", "-o", "in.nemo", "-o", "in.ply", "-o", "in.orrery"})
                  .code,
              0);
    const auto run = [&](const std::string& from, const std::string& to, int ranks, const char* steps) {
        const Finished done =
            together(ranks, {"run",         from,           "--engine",  "fmm",         "--ranks", "own",
                             "--backend",   "cpu",          "--threads", "1",           "--dt",    "0.01",
                             "--softening", "0.05",         "--steps",   steps,         "-o",      to + ".csv",
                             "-o",          to + ".orrery", "-o",        to + ".gadget"});
        EXPECT_EQ(done.code, 0) << done.err;
    };
    for (const char* from : {"in.csv", "in.nemo", "in.ply", "in.orrery"}) run(from, from, 3, "4");
    for (const char* from : {"in.nemo", "in.ply", "in.orrery"})
        EXPECT_EQ(content(path(std::string{from} + ".gadget")), content(path("in.csv.gadget"))) << from;
    ASSERT_EQ(orrery({"run", "in.nemo", "--dt", "0.01", "--softening", "0.05", "--steps", "0", "--backend", "cpu", "-o",
                      "one.csv", "-o", "one.orrery", "-o", "one.gadget"})
                  .code,
              0);
    for (const int ranks : {1, 2}) {
        run("in.nemo", "by", ranks, "0");
        for (const char* end : {".csv", ".orrery", ".gadget"})
            EXPECT_EQ(content(path(std::string{"by"} + end)), content(path(std::string{"one"} + end)))
                << end << " by " << ranks << " ranks";
    }
}

TEST_F(RanksCommand, ATruncatedFileIsRefusedOnce) {
    ASSERT_EQ(orrery({"run", "plummer", "--bodies", "2000", "--backend", "cpu", "--engine", "tree", "--steps", "0",
                      "-o", "in.nemo"})
                  .code,
              0);
    std::filesystem::resize_file(path("in.nemo"), std::filesystem::file_size(path("in.nemo")) - 100);
    const Finished cut = together(3, {"run", "in.nemo", "--engine", "fmm", "--ranks", "own", "--steps", "1"});
    EXPECT_EQ(cut.code, 2);
    EXPECT_THAT(cut.err, HasSubstr("truncated"));
    EXPECT_EQ(cut.err.find("orrery: "), cut.err.rfind("orrery: ")) << cut.err;
}

TEST_F(RanksCommand, OwnedBodiesAreWrittenAsASeries) {
    const Finished done = together(3, owned_run({"--steps", "4", "--snapshots", "s%d.csv", "--snapshots", "s%d.h5",
                                                 "--snapshots-every", "2", "-o", "end.csv"}));
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("snapshots of the series: 6"));
    EXPECT_EQ(content(path("s2.csv")), content(path("end.csv")));
    EXPECT_NE(content(path("s1.csv")), content(path("end.csv")));
    ASSERT_EQ(orrery({"run", "collision", "--bodies", "1500", "--dt", "0.05", "--backend", "cpu", "--steps", "0", "-o",
                      "one.csv"})
                  .code,
              0);
    EXPECT_EQ(content(path("s0.csv")), content(path("one.csv")));
    EXPECT_EQ(orrery({"convert", "s2.h5", "s2.nemo"}).code, 0);
}

TEST_F(RanksCommand, AFailureToWriteOwnedBodiesIsReportedOnce) {
    std::filesystem::create_symlink("/dev/full", path("full.csv"));
    const Finished done = together(2, owned_run({"--steps", "0", "-o", "full.csv"}));
    EXPECT_EQ(done.code, 3);
    EXPECT_THAT(done.err, HasSubstr("No space left"));
    EXPECT_EQ(done.err.find("orrery: "), done.err.rfind("orrery: ")) << done.err;
}

TEST_F(RanksCommand, OwnedBodiesHaveATableOfEnergies) {
    const auto table = [&](const std::string& name, int ranks, const std::vector<std::string>& how) {
        std::vector<std::string> words{"run", "plummer", "--bodies", "2000", "--backend", "cpu", "--threads", "1"};
        words.insert(words.end(), how.begin(), how.end());
        words.insert(words.end(), {"--steps", "4", "--diagnostics-every", "2", "--diagnostics", name});
        const Finished done = orrery(words, {.ranks = ranks});
        EXPECT_EQ(done.code, 0) << done.err;
        return read_number_table(path(name));
    };
    const NumberTable one = table("one.csv", 0, {"--engine", "direct"}),
                      own = table("own.csv", 3, {"--engine", "fmm", "--order", "4", "--ranks", "own"});
    for (const char* column : {"step", "time", "kinetic", "potential"}) {
        const auto wanted = one.column(column), found = own.column(column);
        ASSERT_EQ(found.size(), 3u);
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i].value(), wanted[i].value(), 1e-3) << column;
    }
    EXPECT_FALSE(own.column("r_50")[0]) << "radii need all bodies";
}

/// Both draw the same bodies: the light of the ranks is added up in integers.
TEST_F(RanksCommand, OwnedBodiesAreDrawnByTheirRanks) {
    const auto picture = [&](const std::string& name, int ranks, const std::vector<std::string>& how) {
        std::vector<std::string> words{"record", "collision", "--backend", "cpu", "--threads", "1", "--steps", "0"};
        words.insert(words.end(), how.begin(), how.end());
        words.insert(words.end(), {"--width", "160", "--height", "120", "-o", name});
        const Finished done = orrery(words, {.ranks = ranks});
        EXPECT_EQ(done.code, 0) << done.err;
        return read_png(path(name));
    };
    const auto own = [](std::vector<std::string> how) {
        how.insert(how.end(), {"--engine", "fmm", "--ranks", "own"});
        return how;
    };
    const std::vector<std::string> many{"--bodies", "6000"}, few{"--bodies", "900"};
    EXPECT_EQ(picture("many_own.png", 3, own(many)).rgba, picture("many_one.png", 0, many).rgba);
    const auto sprites = picture("few_own.png", 3, own(few)).rgba, wanted = picture("few_one.png", 0, few).rgba;
    ASSERT_EQ(sprites.size(), wanted.size());
    int most = 0;  // sprites are added in half precision, in another order: 4 of 255 here
    for (std::size_t i = 0; i < wanted.size(); ++i) most = std::max(most, std::abs(sprites[i] - wanted[i]));
    EXPECT_LE(most, 8);
    EXPECT_GT(std::ranges::count_if(wanted, [](int byte) { return byte > 40 && byte < 255; }), 100);
    const Finished film =
        together(2, {"record",  "collision", "--backend", "cpu",     "--threads", "1",        "--bodies",
                     "1000",    "--engine",  "fmm",       "--ranks", "own",       "--frames", "3",
                     "--width", "160",       "--height",  "120",     "-o",        "f_%d.png"});
    EXPECT_EQ(film.code, 0) << film.err;
    EXPECT_TRUE(std::filesystem::exists(path("f_2.png")));
    const Finished trails = together(
        2, {"record", "collision", "--bodies", "3000", "--engine", "fmm", "--ranks", "own", "--trails", "-o", "t.png"});
    EXPECT_EQ(trails.code, 2);
    EXPECT_THAT(trails.err, HasSubstr("--ranks all"));
}

/// As KilledRunsResumeToTheSameBytes; the set of checkpoints must be complete at any moment.
TEST_F(RanksCommand, KilledOwnedRunsResumeToTheSameBytes) {
    const char* asked = std::getenv("ORRERY_KILLS");
    if (!asked) GTEST_SKIP() << "the launcher takes a second to end the ranks; run by tests/tools/long.sh";
    ASSERT_EQ(together(3, owned_run({"--steps", "200", "-o", "one.csv"})).code, 0);
    std::mt19937 random{11};
    for (int kill_number = 0; kill_number < std::atoi(asked); ++kill_number) {
        std::filesystem::remove(path("c.orrery"));
        Finished ended;
        {
            const std::jthread waits{[&] {
                ended = together(3, owned_run({"--steps", "200", "--checkpoint", "c.orrery", "--every-steps", "10"}));
            }};
            while (!std::filesystem::exists(path("c.orrery")))
                std::this_thread::sleep_for(std::chrono::milliseconds{5});
            std::this_thread::sleep_for(std::chrono::milliseconds{random() % 300});
            const auto ranks = processes_in(std::filesystem::canonical(path("")), ORRERY_BINARY);
            if (!ranks.empty()) kill(ranks[random() % ranks.size()], SIGKILL);
        }
        const Finished resumed = together(3, {"run", "--resume", "c.orrery", "-o", "two.csv"});
        ASSERT_EQ(resumed.code, 0) << resumed.err << ended.err;
        EXPECT_EQ(content(path("two.csv")), content(path("one.csv"))) << "kill " << kill_number;
    }
}

TEST_F(RanksCommand, CommonErrorsAreReportedOnce) {
    const Finished done = together(3, {"run", "plummer", "--engine", "warp", "--steps", "1"});
    EXPECT_EQ(done.code, 2);
    EXPECT_EQ(done.err.find("orrery: "), done.err.rfind("orrery: ")) << done.err;
    EXPECT_THAT(done.err, HasSubstr("warp"));
}

TEST_F(RanksCommand, RefusesOptionsThatDifferBetweenRanks) {
    const Finished done =
        each_of(3, std::string{"exec "} + ORRERY_BINARY + " run plummer --bodies $((100 + rank / 2)) --steps 2");
    EXPECT_EQ(done.code, 2);
    EXPECT_THAT(done.err, HasSubstr("rank 2 of 3 "));
    EXPECT_THAT(done.out, Not(HasSubstr("plummer")));
}

TEST_F(RanksCommand, BenchRunsOnAllRanksAndRankZeroWrites) {
    const std::vector<std::string> words{"bench",     "plummer", "--engines", "direct,half,tree,fmm",
                                         "--backend", "cpu",     "--bodies",  "2000",
                                         "--threads", "1",       "--repeat",  "1",
                                         "--csv",     "b.csv",   "--json"};
    const auto alone = json(words);
    const Finished done = together(2, words);
    ASSERT_EQ(done.code, 0) << done.err;
    const auto rows = nlohmann::json::parse(done.out);
    ASSERT_EQ(rows.size(), 4u);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].at("ranks"), 2);
        EXPECT_EQ(alone[i].at("ranks"), 1);
        EXPECT_EQ(rows[i].at("rms_error"), alone[i].at("rms_error")) << "must be bitwise equal";
        EXPECT_TRUE(alone[i].at("by_rank").empty());
        ASSERT_EQ(rows[i].at("by_rank").size(), 2u);
        for (const auto& rank : rows[i].at("by_rank")) {
            EXPECT_GT(rank.at("compute_ms"), 0);
            EXPECT_GT(rank.at("exchange_ms"), 0);
            EXPECT_GT(rank.at("received_bytes"), 0);
        }
    }
    for (const auto& rank : rows[0].at("by_rank"))  // direct: the accelerations of the other half
        EXPECT_NEAR(rank.at("received_bytes"), 2000 / 2 * 16, 64 * 16);
    EXPECT_EQ(csv_rows(content(path("b.csv"))).size(), 5u);
}

TEST_F(RanksCommand, RefusesMoreGpusThanExist) {
    const Finished none = orrery({"run", "plummer", "--bodies", "50", "--steps", "1", "--gpus", "999"});
    EXPECT_EQ(none.code, 3) << none.err;
    EXPECT_EQ(none.error_lines(), 1u) << none.err;
    EXPECT_THAT(none.err, testing::HasSubstr("--gpus"));
    EXPECT_EQ(orrery({"run", "plummer", "--bodies", "50", "--steps", "1", "--gpus", "0"}).code, 2);
    const Finished useless = orrery({"frames", "--bodies", "50", "--backend", "cpu", "--gpus", "2"});
    EXPECT_EQ(useless.code, 2);
    EXPECT_THAT(useless.err, testing::HasSubstr("--backend cpu"));
}

TEST_F(RanksCommand, AllGpusMatchASingleGpu) {
    const CudaInfo& cuda = cuda_info();
    if (!cuda.available) return skip_or_fail(cuda.reason);
    const auto run = [&](const std::string& gpus, const std::string& output) {
        const Finished ended = orrery({"run", "plummer", "--bodies", "3000", "--engine", "direct", "--backend", "cuda",
                                       "--steps", "5", "--gpus", gpus, "-o", output});
        EXPECT_EQ(ended.code, 0) << ended.err;
        return content(path(output));
    };
    EXPECT_EQ(run(std::to_string(cuda.devices.size()), "all.tipsy"), run("1", "one.tipsy"));
}

TEST_F(RanksCommand, RecordingMatchesASingleProcess) {
    std::ofstream{path("both.toml")} << "[scene]\npreset = \"collision\"\nbodies = 500\n[engine]\nengine = \"half\"\n"
                                        "backend = \"cpu\"\n[compare]\nengine = \"tree\"\nbackend = \"cpu\"\n";
    const auto record = [&](const std::string& name, int ranks) {
        const Finished done = orrery({"record", "both.toml", "--frames", "4", "--width", "160", "--height", "90",
                                      "--trails", "--color-by", "potential", "-o", name + "/f%d.png"},
                                     {.ranks = ranks});
        EXPECT_EQ(done.code, 0) << done.err;
        return done;
    };
    record("alone", 0);
    record("by1", 1);
    const Finished done = record("by3", 3);
    EXPECT_THAT(done.out, HasSubstr("4 "));
    for (const std::string picture : {"/f0.png", "/f1.png", "/f2.png", "/f3.png"}) {
        const std::string wanted = content(path("alone" + picture));
        ASSERT_FALSE(wanted.empty());
        EXPECT_EQ(content(path("by1" + picture)), wanted) << picture;
        EXPECT_EQ(content(path("by3" + picture)), wanted) << picture;
    }
}

TEST_F(RanksCommand, CheckMatchesASingleProcess) {
    // Without `auto`, which tries out engines only on a single rank.
    const std::vector<std::string> words{"check",     "plummer",   "--bodies",
                                         "300",       "--engines", "reference,direct,half,tree,fmm",
                                         "--threads", "1",         "--json"};
    const auto alone = json(words);
    const Finished done = together(3, words);
    ASSERT_EQ(done.code, 0) << done.err;
    const auto rows = nlohmann::json::parse(done.out);
    ASSERT_EQ(rows.size(), alone.size());
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i], alone[i]);
}

TEST_F(RanksCommand, FramesRunsOnAllRanks) {
    const Finished done = together(2, {"frames", "--bodies", "500", "--seconds", "0.5", "--backend", "cpu", "--width",
                                       "64", "--height", "64", "--json"});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_GT(nlohmann::json::parse(done.out).at("steps"), 0);
}

/// The second of two ranks has less memory than the bodies need.
TEST_F(RanksCommand, OneRankOutOfMemoryEndsAll) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "the sanitizer needs more than this limit";
#endif
    const Finished done = each_of(2, std::string{"[ $rank = 0 ] || ulimit -v 550000; exec "} + ORRERY_BINARY +
                                         " record plummer --bodies 4000000 --backend cpu -o a.png");
    EXPECT_EQ(done.code, 3);
    EXPECT_THAT(done.err, HasSubstr("rank 1 of 2: "));
    EXPECT_THAT(done.err, HasSubstr("memory"));
    EXPECT_FALSE(std::filesystem::exists(path("a.png")));
}

TEST_F(RanksCommand, UnsharedCommandsRunOnRankZeroOnly) {
    const Finished done = together(2, {"convert", "figure-eight", "f.csv"});
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_THAT(done.err, HasSubstr("convert is not shared by ranks"));
    EXPECT_THAT(content(path("f.csv")), HasSubstr("x,y,z"));
}

TEST_F(RanksCommand, UnwritableOutputEndsAllRanks) {
    const Finished done = together(3, {"run", "plummer", "--bodies", "100", "--steps", "2", "-o", "nowhere/f.csv"});
    EXPECT_EQ(done.code, 3);
    EXPECT_THAT(done.err, HasSubstr("nowhere"));
}

}  // namespace
}  // namespace orrery::test
