// SPDX-License-Identifier: MIT
#include <fstream>
#include <iterator>

#include "tests/app/window/series_files.hpp"
#include "tests/app/window/window_fixture.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

std::string frame(int number) {
    const std::string digits = std::to_string(number);
    std::string name = "f0000.png";
    return name.replace(5 - digits.size(), digits.size(), digits);
}

class SessionWindowTest : public WindowTest {
protected:
    /// The command, without a display, reproduces the frames in `folder`/window byte by byte and no others; with
    /// ORRERY_LONG=1 it runs twice.
    static void expect_replay_matches(const std::filesystem::path& folder, const std::filesystem::path& session,
                                      int frames) {
        std::vector<std::string> runs{"one"};
        if (runs_long()) runs.emplace_back("two");
        for (const std::string& run : runs)
            run_child({.command = {ORRERY_PROGRAM, "record", "--session", session.string(), "-o", run + "/f%04d.png"},
                       .environment = {{"DISPLAY", ""}},
                       .folder = folder},
                      patience());
        for (int i = 0; i < frames; ++i) {
            const std::string expected = bytes_of(folder / "window" / frame(i));
            ASSERT_FALSE(expected.empty()) << frame(i);
            for (const std::string& run : runs)
                ASSERT_EQ(expected, bytes_of(folder / run / frame(i))) << frame(i) << "\n" << bytes_of(session);
        }
        EXPECT_FALSE(std::filesystem::exists(folder / "one" / frame(frames))) << "the replay has surplus frames";
    }
};

/// Records while switching engines and maps, turning and zooming; the command reproduces the frames.
TEST_F(SessionWindowTest, ReplayIsBitwiseEqual) {
    const auto scene = scratch() / "orrery_session_test.toml";
    std::ofstream{scene} << "[scene]\npreset = \"plummer\"\nbodies = 600\nseed = 3\n"
                            "[engine]\nengine = \"direct\"\nbackend = \"cpu\"\n[window]\npanel = \"record\"\n"
                            "[view]\ntime_stamp = true\n"
                            "[record]\npath = \"window/f%04d.png\"\nwidth = 320\nheight = 180\nsession = true\n"
                            "legend = true\n";
    auto window = open({scene.string()});
    window->key("Tab");
    window->key("Tab");
    const auto recorded = [&](int more) {
        const int now = window->state("recorded_frames");
        window->wait_for("frames", [&](const Json& s) { return s["recorded_frames"] >= now + more; });
    };
    window->key("r");
    recorded(3);
    const std::vector<std::pair<std::string, std::string>> switches{{"3", "tree"}, {"2", "half"},   {"m", "half"},
                                                                    {"m", "half"}, {"1", "direct"}, {"3", "tree"}};
    for (const auto& [key, engine] : switches) {
        window->key(key);
        window->wait_for(engine, [&, wanted = engine](const Json& s) { return s["engine"] == wanted; });
        recorded(2);
    }
    window->xdotool({"mousemove", "720", "240", "click", "4"});  // zooms in
    window->key("o");
    recorded(3);
    window->key("r");
    window->wait_for("the end", [](const Json& s) { return s["recording"] == false; });
    const int frames = window->state("recorded_frames");
    const std::filesystem::path session = window->folder() / window->state("session_path").get<std::string>();
    const std::string text = bytes_of(session);
    EXPECT_NE(text.find("end = true"), std::string::npos) << text;
    EXPECT_NE(text.find("octree = true"), std::string::npos) << text;
    int engines = 0;
    for (std::size_t at = 0; (at = text.find("[event.engine]", at)) != std::string::npos; ++at) ++engines;
    EXPECT_EQ(engines, 6) << text;
    ASSERT_GE(frames, 15);
    expect_replay_matches(window->folder(), session, frames);
}

/// A comparison is already running when the recording starts, and is changed during it; timings are not in a session.
TEST_F(SessionWindowTest, ReplayOfAComparisonIsBitwiseEqual) {
    const auto scene = scratch() / "orrery_compare_session_test.toml";
    std::ofstream{scene} << "[scene]\npreset = \"plummer\"\nbodies = 500\nseed = 3\n"
                            "[engine]\nengine = \"direct\"\nbackend = \"cpu\"\n[window]\npanel = \"record\"\n"
                            "[view]\nglow = 0\n"
                            "[compare]\nengine = \"tree\"\nbackend = \"cpu\"\ntheta = 1.1\ndt_power = -1\n"
                            "[record]\npath = \"window/f%04d.png\"\nwidth = 320\nheight = 180\nsession = true\n"
                            "legend = true\n";
    auto window = open({scene.string()});
    window->wait_for("the file's comparison", [](const Json& s) {
        return s["compare"]["on"] == true && s["compare"]["engine"] == "tree" && s["compare"]["dt_power"] == -1 &&
               s["compare"]["points"] > 1;
    });
    const auto recorded = [&](int more) {
        const int now = window->state("recorded_frames");
        window->wait_for("frames", [&](const Json& s) { return s["recorded_frames"] >= now + more; });
    };
    window->key("r");
    window->wait_for("a recording", [](const Json& s) { return s["recording"] == true && s["recorded_frames"] >= 3; });
    window->key("y");  // flips
    recorded(2);
    window->key("3");  // A's engine
    window->wait_for("A", [](const Json& s) { return s["engine"] == "tree"; });
    recorded(2);
    window->click("Compare");
    window->choose("Layout", "Difference");
    recorded(3);
    window->click("View");
    window->choose("Colour by", "Potential");
    window->wait_for("potentials", [](const Json& s) { return s["color_by"] == "potential"; });
    recorded(2);
    window->click("Compare");
    window->click("Restart from A");
    window->wait_for("a new beginning", [](const Json& s) { return s["compare"]["serial"] >= 3; });
    window->choose("Layout", "Wipe");
    recorded(2);
    window->key("x");
    window->wait_for("A alone", [](const Json& s) { return s["compare"]["on"] == false; });
    recorded(2);
    window->key("x");
    window->wait_for("another comparison", [](const Json& s) { return s["compare"]["on"] == true; });
    recorded(2);
    window->key("r");
    window->wait_for("the end", [](const Json& s) { return s["recording"] == false; });
    const int frames = window->state("recorded_frames");
    const std::filesystem::path session = window->folder() / window->state("session_path").get<std::string>();
    const std::string text = bytes_of(session);
    for (const char* said :
         {"\n[compare]\n", "compare_end = true", "compare_restart = true", "[event.compare]", "mode = \"difference\"",
          "mode = \"flip\"", "mode = \"wipe\"", "color_mode = \"potential\""})
        EXPECT_NE(text.find(said), std::string::npos) << said << "\n" << text;
    ASSERT_GE(frames, 14);
    expect_replay_matches(window->folder(), session, frames);
}

TEST_F(SessionWindowTest, RecordingMayBeLargerThanTheWindowAndIsCancelled) {
    auto window = open({"plummer", "--bodies", "500", "--width", "800", "--height", "900"});
    window->click("Recording");
    window->type_into("Path", "large/f%04d.png");
    window->choose("Size", "1920 × 1080");
    window->click("Start recording");
    window->wait_for("a frame", [](const Json& s) { return s["recorded_frames"] >= 2; });
    window->click("Cancel");
    window->wait_for("the end", [](const Json& s) { return s["recording"] == false; });
    EXPECT_NE(window->state("message").get<std::string>().find("cancelled"), std::string::npos);
    const std::string head = bytes_of(window->folder() / "large" / "f0000.png").substr(16, 8);
    EXPECT_EQ(head, std::string("\0\0\x07\x80\0\0\x04\x38", 8));  // width and height in the PNG header
}

/// A series jumps to both ends, changes its rate, is compared, and is continued by computation.
TEST_F(SessionWindowTest, ReplayOfASeriesIsBitwiseEqual) {
    SeriesFiles files{scratch()};
    files.write(11);
    const auto scene = scratch() / "orrery_series_session_test.toml";
    std::ofstream{scene} << "[scene]\nfile = \"s*.csv\"\n[engine]\nengine = \"direct\"\nbackend = \"cpu\"\n"
                            "[record]\npath = \"window/f%04d.png\"\nwidth = 320\nheight = 180\nsession = true\n";
    auto window = open({scene.string()});
    const auto recorded = [&](int more) {
        const int now = window->state("recorded_frames");
        window->wait_for("frames", [&](const Json& s) { return s["recorded_frames"] >= now + more; });
    };
    window->key("r");
    window->wait_for("a recording", [](const Json& s) { return s["recording"] == true && s["recorded_frames"] >= 3; });
    window->key("End");
    recorded(3);
    window->key("Home");
    window->key("plus");
    recorded(3);
    window->key("x");
    window->wait_for("B", [](const Json& s) { return s["compare"]["on"] == true; });
    recorded(3);
    window->key("x");
    window->wait_for("A alone", [](const Json& s) { return s["compare"]["on"] == false; });
    EXPECT_EQ(window->state("paused"), false) << "Home and End must not pause while recording";
    window->click("Continue computing here");
    window->wait_for("a simulation", [](const Json& s) { return s["series"].is_null(); });
    recorded(3);
    window->key("r");
    window->wait_for("the end", [](const Json& s) { return s["recording"] == false; });
    const std::filesystem::path session = window->folder() / window->state("session_path").get<std::string>();
    const std::string text = bytes_of(session);
    for (const char* key : {"series_time = 1.0\n", "series_time = 0.0\n", "series_rate = ", "series_end = true\n"})
        EXPECT_NE(text.find(key), std::string::npos) << key << text;
    expect_replay_matches(window->folder(), session, window->state("recorded_frames"));
}

}  // namespace
}  // namespace orrery::test
