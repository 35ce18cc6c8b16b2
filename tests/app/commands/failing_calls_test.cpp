// SPDX-License-Identifier: MIT
// Makes every system call that concerns an output fail, one at a time. The program must either recover and write the
// same bytes, or report the failure in one line and leave the old file intact.
#include <cerrno>
#include <csignal>
#include <map>

#include "tests/app/commands/process.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

struct FailingCase {
    std::string name;
    std::vector<std::string> arguments;
    std::vector<std::string> outputs;  ///< below out/
    std::string spare = {};            ///< optional output: if it fails, the program continues and reports it
};

void PrintTo(const FailingCase& c, std::ostream* out) { *out << c.name; }

std::vector<FailingCase> failing_cases() {
    std::vector<FailingCase> cases;
    for (const char* extension : {"csv", "nemo", "tipsy", "std.tipsy", "gadget", "orrery", "hdf5"}) {
        const std::string file = std::string{"out/o."} + extension;
        cases.push_back({std::string{"convert_"} + extension, {"convert", "in.csv", file}, {file}});
    }
    cases.push_back(
        {"run",
         {"run", "plummer", "--bodies", "60", "--steps", "6", "--backend", "cpu", "--engine", "direct", "--integrator",
          "leapfrog", "--no-energy", "--checkpoint", "out/c.orrery", "--every-steps", "6", "-o", "out/end.csv"},
         {"out/end.csv"},
         "out/c.orrery"});
    cases.push_back({"picture",
                     {"record", "plummer", "--bodies", "50", "--backend", "cpu", "--engine", "direct", "--steps", "1",
                      "--width", "64", "--height", "64", "-o", "out/p.png"},
                     {"out/p.png"}});
    return cases;
}

class EveryFailingCall : public CommandTest, public testing::WithParamInterface<FailingCase> {
protected:
    void SetUp() override {
        CommandTest::SetUp();
        std::filesystem::create_directories(path("out"));
        ASSERT_EQ(
            orrery({"run", "plummer", "--bodies", "700", "--backend", "cpu", "--steps", "0", "-o", "in.csv"}).code, 0);
    }
    void put_old_files() const {
        std::filesystem::remove_all(path("out"));
        std::filesystem::create_directories(path("out"));
        for (const std::string& output : GetParam().outputs) save(output, "old");
    }
    Finished with_failing(const std::string& kind, long number, int error) const {
        std::filesystem::remove(path("mark"));
        put_old_files();
        return orrery(GetParam().arguments,
                      failing(kind + ' ' + std::to_string(number) + ' ' + std::to_string(error), "out"));
    }
    void expect_sound(const Finished& finished, const std::map<std::string, std::string>& whole,
                      const std::string& what) const {
        for (const std::string& output : GetParam().outputs) {
            const std::string found = content(path(output));
            if (finished.code == 0)
                EXPECT_EQ(found == whole.at(output), true) << what << ": success, but " << output << " differs";
            else
                EXPECT_TRUE(found == "old" || found == whole.at(output))
                    << what << ": " << output << " is a partial file";
        }
        if (const std::string& spare = GetParam().spare; !spare.empty()) {
            const std::string found = content(path(spare));
            EXPECT_TRUE(found == whole.at(spare) || (found.empty() && finished.error_lines() == 1))
                << what << ": " << spare << " is neither complete nor reported: " << finished.err;
        }
        if (finished.code == 0) return;
        EXPECT_TRUE(finished.code == 2 || finished.code == 3) << what << ": " << finished.code << ' ' << finished.err;
        EXPECT_EQ(finished.error_lines(), 1u) << what << ": " << finished.err;
        for (const auto& entry : std::filesystem::directory_iterator{path("out")})
            EXPECT_FALSE(entry.path().filename().string().starts_with('.')) << what << " left " << entry.path();
    }
};

class FailingAllocation : public CommandTest {};

TEST_P(EveryFailingCall, IsReportedOrRecoveredFrom) {
    ASSERT_EQ(orrery(GetParam().arguments).code, 0);
    std::map<std::string, std::string> whole;
    for (const std::string& output : GetParam().outputs) whole[output] = content(path(output));
    if (!GetParam().spare.empty()) whole[GetParam().spare] = content(path(GetParam().spare));
    const bool all = runs_long();
    long failed = 0, reported = 0;
    for (const auto& [kind, error] : {std::pair{"open", EACCES},
                                      {"write", ENOSPC},
                                      {"fsync", EIO},
                                      {"fchmod", EPERM},
                                      {"close", EDQUOT},
                                      {"ftruncate", EIO},
                                      {"rename", EXDEV},
                                      {"read", EIO}}) {
        for (long number = 1;; number += all ? 1 : 1 + number) {
            const Finished finished = with_failing(kind, number, error);
            if (!std::filesystem::exists(path("mark"))) break;
            ++failed, reported += finished.code != 0;
            expect_sound(finished, whole, std::string{kind} + ' ' + std::to_string(number));
        }
    }
    EXPECT_GT(reported, 0);
    std::printf("%s: %ld calls failed, %ld of them reported\n", GetParam().name.c_str(), failed, reported);
}

/// Makes one allocation in main() fail: the program reports it in one line or recovers. HDF5 and toml++ are excluded:
/// some of their allocations are unchecked or happen within a noexcept function.
TEST_F(FailingAllocation, IsReportedInOneLine) {
    ASSERT_EQ(orrery({"run", "plummer", "--bodies", "200", "--backend", "cpu", "--steps", "0", "-o", "in.csv"}).code,
              0);
    const double growth = runs_long() ? 1.02 : 1.45;
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"convert", "in.csv", "out.nemo"},
                                               {"run", "in.csv", "--steps", "3", "--backend", "cpu", "--engine", "tree",
                                                "-o", "end.csv", "--diagnostics", "table.csv"}}) {
        int failed = 0, aborted = 0;
        for (double number = 1;; number = number * growth + 1) {
            std::filesystem::remove(path("mark"));
            const std::string order =
                "malloc " + std::to_string(static_cast<long>(number)) + ' ' + std::to_string(ENOMEM);
            const Finished finished = orrery(arguments, failing(order));
            if (!std::filesystem::exists(path("mark"))) break;
            ++failed;
            if (finished.code == 0) continue;
            if (finished.code == 128 + SIGABRT) {  // within a noexcept function of CLI11 that checks a name
                ++aborted;
                continue;
            }
            EXPECT_TRUE(finished.code == 2 || finished.code == 3) << order << ": " << finished.code << finished.err;
            EXPECT_EQ(finished.error_lines(), 1u) << order << ": " << finished.err;
        }
        EXPECT_GT(failed, 20);
        EXPECT_LE(aborted, 1 + failed / 50);
        std::printf("%s: %d allocations failed\n", arguments.front().c_str(), failed);
    }
}

INSTANTIATE_TEST_SUITE_P(Commands, EveryFailingCall, testing::ValuesIn(failing_cases()), [](const auto& instance) {
    std::string name = instance.param.name;
    std::erase(name, '.');
    return name;
});

}  // namespace
}  // namespace orrery::test
