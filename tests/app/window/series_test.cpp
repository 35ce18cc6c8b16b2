// SPDX-License-Identifier: MIT
// Snapshot series in the window: playing, scrubbing, and continuing by computation.
#include <cmath>
#include <fstream>

#include "tests/app/window/series_files.hpp"
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

constexpr double kEnd = 2;  // time of the last of 21 snapshots

auto is_at(double time) {
    return [time](const Json& s) { return std::abs(s["sim_time"].get<double>() - time) < 1e-9; };
}

class SeriesWindowTest : public WindowTest {
protected:
    std::unique_ptr<WindowDriver> played(const std::vector<std::string>& more = {}) {
        files.write(21);
        std::vector<std::string> arguments{files.pattern(), "--backend", "cpu"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        auto window = open(arguments);
        window->wait_for("the series", [](const Json& s) { return s["series"]["times"].size() == 21; });
        return window;
    }
    static void pause(WindowDriver& window) {
        if (window.state("paused") == true) return;  // a slow machine may already be at the end
        window.key("space");
        window.wait_for("the pause", [](const Json& s) { return s["paused"] == true; });
    }
    SeriesFiles files{scratch()};
};

TEST_F(SeriesWindowTest, IsPlayedForwardAndBackwardToItsEnds) {
    auto window = played();
    window->wait_for("it plays", [](const Json& s) { return s["sim_time"] > 0; });
    for (const int faster : {2, 4, 8, 16}) {  // each doubles the previous rate
        window->key("plus");
        window->wait_for("faster", [&](const Json& s) {
            return std::abs(s["series"]["rate"].get<double>() - faster * kEnd / 600) < 1e-9;
        });
    }
    window->wait_for("its end", [](const Json& s) { return s["sim_time"] == kEnd && s["paused"] == true; });
    window->click("Play back");
    window->wait_for("the other direction", [](const Json& s) { return s["reversed"] == true; });
    window->click("Resume");
    window->wait_for("its beginning", [](const Json& s) { return s["sim_time"] == 0 && s["paused"] == true; });
    window->click("Play forward");
    window->wait_for("forward", [](const Json& s) { return s["reversed"] == false; });
    window->click("Resume");
    window->wait_for("an intermediate time", [](const Json& s) { return s["sim_time"] > 0; });
}

TEST_F(SeriesWindowTest, PlaysATableWithSeveralTimes) {
    std::ofstream table{scratch() / "run.csv"};
    table << "time,id,m,x,y,z,vx,vy,vz\n";
    for (int i = 0; i <= 10; ++i)
        for (int body = 0; body < 3; ++body) table << i << ',' << body << ",1," << body + i << ",0,0,1,0,0\n";
    table.close();
    auto window = open({(scratch() / "run.csv").string(), "--backend", "cpu"});
    window->wait_for("the times", [](const Json& s) { return s["series"]["times"].size() == 11; });
    EXPECT_EQ(window->state("bodies"), 3);
    window->key("End");
    window->wait_for("the last time", is_at(10));
    window->key("Left");
    window->wait_for("the time before", is_at(9));
}

TEST_F(SeriesWindowTest, IsScrubbedAndContinuedByComputation) {
    auto window = played();
    pause(*window);
    const int step = window->state("step");
    const auto bar = window->map()["widgets"]["Series"].get<std::vector<double>>();
    const std::string y = std::to_string(std::lround((bar[1] + bar[3]) / 2));
    const auto x = [&](double part) { return std::to_string(std::lround(bar[0] + part * (bar[2] - bar[0]))); };
    window->xdotool({"mousemove", x(0.25), y});
    window->wait_frames(2);
    window->xdotool({"mousedown", "1"});
    window->wait_for("a held slider", [](const Json& s) {
        return s["series"]["held"] == true && std::abs(s["sim_time"].get<double>() - 0.25 * kEnd) < 0.02 * kEnd;
    });
    window->xdotool({"mousemove", x(0.75), y});
    window->wait_for("the mouse",
                     [](const Json& s) { return std::abs(s["sim_time"].get<double>() - 0.75 * kEnd) < 0.02 * kEnd; });
    window->xdotool({"mouseup", "1"});
    window->wait_for("released", [](const Json& s) { return s["series"]["held"] == false; });
    window->key("End");
    window->wait_for("the last", is_at(kEnd));
    window->key("Home");
    window->wait_for("the first", is_at(0));
    window->click("Next");
    window->wait_for("the second", is_at(0.1));
    window->key("Right");
    window->wait_for("the third", is_at(0.2));
    window->click("Previous");
    window->wait_for("the second again", is_at(0.1));
    EXPECT_EQ(window->state("step"), step) << "scrubbing must not count as steps";

    window->click("Continue computing here");
    window->wait_for("a simulation", [](const Json& s) { return s["series"].is_null(); });
    EXPECT_TRUE(window->state("paused"));
    EXPECT_TRUE(window->shows("Step back"));
    const double dt = window->state("dt");
    window->key("3");
    window->wait_for("the engine", [](const Json& s) { return s["engine"] == "tree"; });
    window->key("period");
    window->wait_for("a step", is_at(0.1 + dt));
    EXPECT_EQ(window->state("step"), step + 1);
}

TEST_F(SeriesWindowTest, FollowsNewSnapshots) {
    auto window = played({"--max-fps", "100"});  // waits for wall time: fewer frames
    pause(*window);
    window->click("Follow");
    window->wait_for("the newest", is_at(kEnd));
    files.write(2);
    window->wait_for("the new snapshots", [](const Json& s) {
        return s["series"]["times"].size() == 23 && s["series"]["follows"] == true && is_at(2.2)(s);
    });
}

TEST_F(SeriesWindowTest, ReportsOmittedFiles) {
    files.write(3);
    std::ofstream{scratch() / "s04.csv"} << "no snapshot";
    auto window = open({files.pattern(), "--backend", "cpu"});
    EXPECT_EQ(window->state("series")["times"].size(), 3u);
    EXPECT_NE(window->errors().find("s04.csv"), std::string::npos) << window->errors();
}

TEST_F(SeriesWindowTest, HomePausesAtTheStartAndComparisonStartsAtTheNearestSnapshot) {
    auto window = played();
    window->wait_for("it plays", [](const Json& s) { return s["sim_time"] > 0; });
    window->key("Home");
    window->wait_for("the first", [](const Json& s) { return s["sim_time"] == 0 && s["paused"] == true; });
    for (int step = 1; step <= 3; ++step) {
        window->key("period");
        window->wait_for("a step", is_at(step * kEnd / 600));
    }
    window->key("x");
    window->wait_for("B at the first", [](const Json& s) { return s["compare"]["on"] == true && s["sim_time"] == 0; });
}

/// A is the series, B is computed.
TEST_F(SeriesWindowTest, IsComparedWithAComputedRun) {
    auto window = played();
    pause(*window);
    window->key("Home");
    window->wait_for("the first", is_at(0));
    window->key("x");
    window->wait_for("B", [](const Json& s) { return s["compare"]["on"] == true; });
    window->scroll_to("Engine");
    window->choose("Engine", "Tree (Barnes–Hut)");
    window->wait_for("B's tree", [](const Json& s) { return s["compare"]["engine"] == "tree"; });
    const double rate = window->state("series")["rate"];
    for (int step = 1; step <= 3; ++step) {
        window->key("period");
        window->wait_for("both", [=](const Json& s) {
            return is_at(step * rate)(s) && std::abs(s["compare"]["sim_time"].get<double>() - step * rate) < 1e-9;
        });
    }
    EXPECT_EQ(window->state("compare")["rms"], 0) << "differences are only measured at snapshots";
    window->key("space");
    window->wait_for("a difference at a snapshot", [](const Json& s) { return s["compare"]["rms"] > 0; });
    pause(*window);
    window->key("End");
    window->wait_for("the last, and B with it", [](const Json& s) {
        return is_at(kEnd)(s) && std::abs(s["compare"]["sim_time"].get<double>() - kEnd) < 1e-9;
    });
    window->key("x");
    window->wait_for("the end", [](const Json& s) { return s["compare"]["on"] == false; });
}

}  // namespace
}  // namespace orrery::test
