// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "tests/app/window/window_fixture.hpp"
#include "tests/support/read_png.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

std::unique_ptr<WindowDriver> compared(std::unique_ptr<WindowDriver> window) {
    window->click("Compare");  // the tab
    window->wait_for("the panel", [&](const Json& s) { return s["panel"] == "compare"; });
    window->key("x");
    window->wait_for("a comparison", [](const Json& s) { return s["compare"]["on"] == true; });
    return window;
}

class CompareWindow : public WindowTest {};

TEST_F(CompareWindow, EqualSimulationsAgreeAndATreeDiverges) {
    auto window = compared(open({"plummer", "--bodies", "1000", "--backend", "cpu"}));
    window->wait_for("steps of both", [](const Json& s) { return s["compare"]["points"] > 5; });
    EXPECT_EQ(window->state()["compare"]["max"], 0);
    window->scroll_to("Engine");
    window->choose("Engine", "Tree (Barnes–Hut)");
    window->wait_for("a difference",
                     [](const Json& s) { return s["compare"]["engine"] == "tree" && s["compare"]["rms"] > 0; });
    const Json early = window->state();
    EXPECT_EQ(early["engine"], "direct") << "A has changed";
    window->wait_for("a growing difference", [&](const Json& s) {
        return s["compare"]["rms"] > 2 * early["compare"]["rms"].get<double>() && s["compare"]["force_ms"] > 0;
    });
    EXPECT_EQ(window->state()["compare"]["serial"], 1);
    window->scroll_to("Restart from A");
    window->click("Restart from A");
    window->wait_for("a new beginning", [](const Json& s) { return s["compare"]["serial"] == 2; });
    window->click("End comparison");
    window->wait_for("the end", [](const Json& s) { return s["compare"]["on"] == false; });
}

TEST_F(CompareWindow, SettingsAreCopiedAndSwapped) {
    auto window = compared(open_paused({"plummer", "--bodies", "500", "--backend", "cpu"}));
    const double softening = window->state("softening"), dt = window->state("dt");
    window->scroll_to("Precision");
    window->choose("Precision", "double");
    window->wait_for("B in double", [](const Json& s) { return s["compare"]["precision"] == "double"; });
    window->scroll_to("Softening");
    window->type_into("Softening", "0.25");
    window->wait_for("B's softening", [](const Json& s) { return s["compare"]["softening"] == 0.25; });
    window->scroll_to("Step of B");
    window->choose("Step of B", "A's / 2");
    window->wait_for("B's step", [](const Json& s) { return s["compare"]["dt_power"] == -1; });
    EXPECT_EQ(window->state("softening"), softening);
    window->scroll_to("Swap");
    window->click("Swap");
    window->wait_for("exchanged", [&](const Json& s) {
        return s["precision"] == "double" && s["softening"] == 0.25 && s["dt"] == dt / 2 &&
               s["compare"]["precision"] == "single" && s["compare"]["softening"] == softening &&
               s["compare"]["dt_power"] == 1;
    });
    window->scroll_to("A to B");
    window->click("A to B");
    window->wait_for("B as A", [](const Json& s) {
        return s["compare"]["precision"] == "double" && s["compare"]["softening"] == 0.25 &&
               s["compare"]["dt_power"] == 0;
    });
    window->scroll_to("Precision");
    window->choose("Precision", "single");
    window->wait_for("B in single", [](const Json& s) { return s["compare"]["precision"] == "single"; });
    window->scroll_to("B to A");
    window->click("B to A");
    window->wait_for("A as B", [](const Json& s) { return s["precision"] == "single" && s["softening"] == 0.25; });
}

TEST_F(CompareWindow, LayoutsDrawDifferentFrames) {
    auto window = compared(open({"collision", "--bodies", "1000", "--backend", "cpu"}));
    window->scroll_to("Engine");
    window->choose("Engine", "Tree (Barnes–Hut)");
    window->wait_for("a difference", [](const Json& s) { return s["compare"]["rms"] > 0; });
    window->key("space");
    window->wait_for("the pause", [](const Json& s) { return s["paused"] == true; });
    std::vector<std::string> pictures{still_screenshot(*window)};
    for (const char* mode : {"Wipe", "Difference", "Flip"}) {
        window->scroll_to("Layout");
        window->choose("Layout", mode);
        window->wait_frames(10);
        pictures.push_back(still_screenshot(*window));
        for (std::size_t i = 0; i + 1 < pictures.size(); ++i) EXPECT_FALSE(pictures[i] == pictures.back()) << mode;
    }
    window->key("y");
    window->wait_for("B", [](const Json& s) { return s["compare"]["show_b"] == true; });
    EXPECT_FALSE(screenshot(*window) == pictures.back()) << "B must differ from A";
    window->key("x");
    window->wait_for("the end", [](const Json& s) { return s["compare"]["on"] == false; });
    EXPECT_TRUE(still_screenshot(*window) == pictures.back()) << "A alone must look as before";
}

TEST_F(CompareWindow, DividerIsDraggedAndReset) {
    auto window = compared(open_paused({"plummer", "--bodies", "500", "--backend", "cpu"}));
    window->wait_for("the divider", [&](const Json&) { return window->shows("Divider"); });
    const Json camera = window->state();
    const auto place = window->map()["widgets"]["Divider"].get<std::vector<double>>();
    const int x = static_cast<int>((place[0] + place[2]) / 2), y = static_cast<int>((place[1] + place[3]) / 2);
    window->xdotool({"mousemove", std::to_string(x), std::to_string(y)});
    window->wait_frames(3);
    window->xdotool({"mousedown", "1"});
    window->wait_frames(3);
    window->xdotool({"mousemove", std::to_string(x + 150), std::to_string(y)});
    window->wait_for("the divider moves", [](const Json& s) { return s["compare"]["divider"] > 0.6; });
    window->xdotool({"mouseup", "1"});
    EXPECT_EQ(window->state("camera_yaw"), camera["camera_yaw"]) << "the camera must not turn";
    window->xdotool({"click", "3"});
    window->wait_for("half", [](const Json& s) { return s["compare"]["divider"] == 0.5; });
}

TEST_F(CompareWindow, ComparisonContinuesWithAnotherScene) {
    auto window = compared(open({"cold-sphere", "--bodies", "500", "--backend", "cpu"}));
    window->key("bracketright");
    window->wait_for("another scene with both", [](const Json& s) {
        return s["scene"] == scene_after("cold-sphere") && s["compare"]["on"] == true && s["compare"]["serial"] == 2 &&
               s["step"] > 2;
    });
    window->key("y");
    window->wait_for("flipped", [](const Json& s) { return s["compare"]["mode"] == "flip"; });
    window->key("x");
    window->wait_for("the end", [](const Json& s) { return s["compare"]["on"] == false; });
    window->key("y");
    window->wait_for("a message",
                     [](const Json& s) { return s["message"] == "There is no comparison; key X starts one"; });
}

TEST_F(CompareWindow, RecordingShowsTheComparisonAndItsCurvesAreExported) {
    auto window = compared(open({"plummer", "--bodies", "300", "--backend", "cpu"}));
    window->click("Recording");
    window->type_into("Path", "both/f%04d.png");
    window->key("r");
    window->wait_for("frames", [](const Json& s) { return s["recorded_frames"] >= 3; });
    window->key("r");
    window->wait_for("the end", [](const Json& s) { return s["recording"] == false; });
    window->key("x");
    window->wait_for("A alone", [](const Json& s) { return s["compare"]["on"] == false; });
    window->key("x");
    window->wait_for("a comparison", [](const Json& s) { return s["compare"]["on"] == true; });
    window->wait_for("points", [](const Json& s) { return s["compare"]["points"] > 3; });
    window->scroll_to("Export CSV");
    window->click("Export CSV");
    window->wait_for("a file", [](const Json& s) { return s["last_export"] != ""; });
    const std::string text = bytes_of(window->state("last_export").get<std::string>());
    EXPECT_TRUE(text.starts_with("scene_time,distance_rms,distance_max,energy_drift_a,energy_drift_b\n")) << text;
    EXPECT_GT(std::ranges::count(text, '\n'), 3);
    window->click("Export SVG");
    window->wait_for("a picture", [](const Json& s) { return s["last_export"].get<std::string>().ends_with(".svg"); });
    EXPECT_NE(bytes_of(window->state("last_export").get<std::string>()).find("Energy since the comparison began"),
              std::string::npos);
    // Split view: the halves of equal simulations match except for a few pixels at the seam. Their captions above
    // differ.
    const Image picture = read_png(window->folder() / "both" / "f0001.png");
    ASSERT_GT(picture.width, 100);
    int apart = 0, lit = 0;
    for (int y = 24; y < picture.height; ++y)
        for (int x = 0; x < picture.width / 2; ++x) {
            const auto* left = picture.row(y) + 4 * x;
            const auto* right = picture.row(y) + 4 * (x + picture.width / 2);
            lit += left[0] + left[1] + left[2] > 60;
            apart += std::abs(left[0] - right[0]) > 30;
        }
    EXPECT_GT(lit, 100);
    EXPECT_LT(apart, lit / 10);
}

}  // namespace
}  // namespace orrery::test
