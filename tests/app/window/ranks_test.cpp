// SPDX-License-Identifier: MIT
// A window whose simulation runs on several ranks: rank 0 owns the window, the others follow.
#include <signal.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "tests/app/window/window_fixture.hpp"
#include "tests/support/mpirun.hpp"
#include "tests/support/processes.hpp"

namespace orrery::test {
namespace {

class RanksWindow : public WindowTest {
protected:
    /// Some sandboxes have no sockets, which mpirun needs.
    void SetUp() override {
        Launch nothing{.command = mpirun(ORRERY_MPIRUN, 2), .environment = mpi_environment(scratch() / "mpi")};
        nothing.command.push_back("/bin/true");
        try {
            run_child(nothing, patience());
        } catch (const std::runtime_error& why) {
            GTEST_SKIP() << "mpirun cannot start programs here: " << why.what();
        }
    }
    static std::vector<pid_t> ranks_of(const WindowDriver& window) {
        return processes_in(std::filesystem::canonical(window.folder()), ORRERY_PROGRAM);
    }
    static void expect_clean_exit(WindowDriver& window) {
        window.key("Escape");
        EXPECT_EQ(window.exit_code(patience()), 0) << window.errors();
        EXPECT_TRUE(ranks_of(window).empty()) << "ranks are still running";
    }
};

/// All switches of the window, then a recording, which the command replays without ranks.
TEST_F(RanksWindow, BehavesLikeASingleProcess) {
    const auto scene = scratch() / "ranks.toml";
    std::ofstream{scene} << "[scene]\npreset = \"plummer\"\nbodies = 600\nseed = 3\n"
                            "[engine]\nengine = \"direct\"\nbackend = \"cpu\"\n"
                            "[record]\npath = \"window/f%04d.png\"\nwidth = 320\nheight = 180\nsession = true\n";
    auto window = open({scene.string()}, 3);
    EXPECT_EQ(ranks_of(*window).size(), 3u);
    EXPECT_EQ(window->state("ranks"), 3);
    EXPECT_EQ(window->state("shared"), true);
    window->wait_for("the report",
                     [&](const Json&) { return window->errors().find("3, sharing the forces") != std::string::npos; });
    const auto engine = [&](const char* key, const char* wanted, bool shared) {
        window->key(key);
        window->wait_for(wanted, [=](const Json& s) { return s["engine"] == wanted && s["shared"] == shared; });
        const int step = window->state("step");
        window->wait_for("steps by it", [=](const Json& s) { return s["step"] > step + 2; });
    };
    engine("3", "tree", true);
    engine("2", "half", true);
    window->key("x");
    window->wait_for("a comparison", [](const Json& s) { return s["compare"]["points"] > 1; });
    window->key("x");
    window->key("space");
    window->wait_for("a pause", [](const Json& s) { return s["paused"] == true; });
    const int step = window->state("step");
    window->key("Left");
    window->wait_for("an earlier step", [=](const Json& s) { return s["step"] < step; });
    window->key("space");
    window->key("r");
    const auto recorded = [&](int more) {
        const int now = window->state("recorded_frames");
        window->wait_for("frames", [=](const Json& s) { return s["recorded_frames"] >= now + more; });
    };
    recorded(3);
    engine("3", "tree", true);
    window->key("x");
    window->wait_for("B", [](const Json& s) { return s["compare"]["on"] == true; });
    recorded(3);
    window->key("r");
    window->wait_for("the end", [](const Json& s) { return s["recording"] == false; });
    expect_session_replays(*window);
    expect_clean_exit(*window);
}

TEST_F(RanksWindow, FollowersSleepWhileWindowIsIdle) {
    auto window = open({"plummer", "--bodies", "300", "--backend", "cpu", "--clock", "wall"}, 2);
    window->key("space");
    window->wait_for("paused", [](const Json& s) { return s["paused"] == true; });
    const std::vector<pid_t> ranks = ranks_of(*window);
    ASSERT_EQ(ranks.size(), 2u);
    const auto all = [&] { return processor_seconds(ranks[0]) + processor_seconds(ranks[1]); };
    double share = 1;
    for (int i = 0; i < 100 && share > 0.2; ++i) {
        const double before = all();
        std::this_thread::sleep_for(std::chrono::seconds{2});
        share = (all() - before) / 2;
    }
    EXPECT_LE(share, 0.2);
    RecordProperty("processor_per_mille", static_cast<int>(1000 * share));
    expect_clean_exit(*window);
}

TEST_F(RanksWindow, EndsIfARankIsKilled) {
    auto window = open({"plummer", "--bodies", "300", "--backend", "cpu"}, 3);
    const std::vector<pid_t> ranks = ranks_of(*window);
    ASSERT_EQ(ranks.size(), 3u);
    kill(*std::ranges::max_element(ranks), SIGKILL);
    ASSERT_TRUE(window->exit_code(patience()));
    EXPECT_NE(window->exit_code(patience()), 0);
    // mpirun may end before the ranks that it has killed.
    const auto end = std::chrono::steady_clock::now() + patience();
    while (!ranks_of(*window).empty() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds{10});
    EXPECT_TRUE(ranks_of(*window).empty()) << "ranks are still running";
}

}  // namespace
}  // namespace orrery::test
