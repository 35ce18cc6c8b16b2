// SPDX-License-Identifier: MIT
// Programs killed at random moments, and jumping clocks.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>

#include "tests/app/commands/process.hpp"

namespace orrery::test {
namespace {

struct KillCase {
    std::string name;
    std::vector<std::string> arguments;
    std::vector<std::string> outputs;
};

void PrintTo(const KillCase& c, std::ostream* out) { *out << c.name; }

std::vector<KillCase> kill_cases() {
    return {{"convert_csv", {"convert", "in.nemo", "out.csv"}, {"out.csv"}},
            {"convert_gadget", {"convert", "in.nemo", "out.gadget"}, {"out.gadget"}},
            {"run",
             {"run", "in.nemo", "--steps", "20", "--backend", "cpu", "--engine", "tree", "--threads", "1",
              "--no-energy", "-o", "end.csv"},
             {"end.csv"}},
            {"picture",
             {"record", "in.nemo", "--backend", "cpu", "--engine", "tree", "--threads", "1", "--steps", "1", "--width",
              "320", "--height", "200", "-o", "p.png"},
             {"p.png"}},
            {"pictures",
             {"record", "in.nemo", "--backend", "cpu", "--engine", "tree", "--threads", "1", "--frames", "6", "--width",
              "320", "--height", "200", "-o", "p%d.png"},
             {"p0.png", "p1.png", "p2.png", "p3.png", "p4.png", "p5.png"}}};
}

class KilledAtRandom : public CommandTest, public testing::WithParamInterface<KillCase> {};

/// An output is either the old file or the complete new one, and the next run completes it.
TEST_P(KilledAtRandom, LeavesNoPartialOutput) {
    const auto& [name, arguments, outputs] = GetParam();
    ASSERT_EQ(orrery({"run", "plummer", "--bodies", "20000", "--backend", "cpu", "--steps", "0", "--no-energy", "-o",
                      "in.nemo"})
                  .code,
              0);
    const auto start = std::chrono::steady_clock::now();
    ASSERT_EQ(orrery(arguments).code, 0);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    std::map<std::string, std::string> whole;
    for (const std::string& output : outputs) whole[output] = content(path(output));
    const char* asked = std::getenv("ORRERY_KILLS");
    const int kills = asked ? std::atoi(asked) : 3;
    std::mt19937 random{11};
    std::uniform_real_distribution part{0.05, 1.0};
    int killed = 0;
    for (int i = 0; killed < kills && i < 4 * kills; ++i) {
        for (const std::string& output : outputs) save(output, "old");
        const int ms = 1 + static_cast<int>(part(random) * took.count());
        const Finished run = orrery(arguments, {.interrupt_after_ms = ms, .signal = SIGKILL});
        killed += run.code == 128 + SIGKILL;
        for (const std::string& output : outputs) {
            const std::string found = content(path(output));
            EXPECT_TRUE(found == "old" || found == whole[output]) << output << " after " << ms << " ms";
        }
    }
    EXPECT_GT(killed, 0);
    ASSERT_EQ(orrery(arguments).code, 0);
    for (const std::string& output : outputs) EXPECT_TRUE(content(path(output)) == whole[output]) << output;
    std::printf("%s: killed %d times\n", name.c_str(), killed);
}

INSTANTIATE_TEST_SUITE_P(Commands, KilledAtRandom, testing::ValuesIn(kill_cases()),
                         [](const auto& instance) { return instance.param.name; });

class JumpingClock : public CommandTest {};

TEST_F(JumpingClock, DoesNotChangeResults) {
    const std::vector<std::string> arguments{"run",           "plummer", "--bodies", "300",          "--backend",
                                             "cpu",           "--steps", "60",       "--checkpoint", "c.orrery",
                                             "--every-steps", "20",      "-o",       "end.csv"};
    ASSERT_EQ(orrery(arguments).code, 0);
    const std::string whole = content(path("end.csv")), state = content(path("c.orrery"));
    for (const int from : {1, 40, 300}) {
        const Finished finished = orrery(arguments, failing("clock " + std::to_string(from) + " 1"));
        EXPECT_EQ(finished.code, 0) << finished.err;
        EXPECT_TRUE(std::filesystem::remove(path("mark"))) << "the clock was read fewer than " << from << " times";
        EXPECT_TRUE(content(path("end.csv")) == whole && content(path("c.orrery")) == state) << from;
    }
}

}  // namespace
}  // namespace orrery::test
