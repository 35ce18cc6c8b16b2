// SPDX-License-Identifier: MIT
// Appearance of the window: theme, width of the sidebar, the card of a new scene.
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

class LookWindow : public WindowTest {};

TEST_F(LookWindow, ThemeAndSidebarArePersistent) {
    const std::filesystem::path config = scratch() / "settings";
    {
        WindowDriver window{*display(), {"plummer", "--bodies", "40", "--width", "1280", "--height", "720"}, config};
        window.wait_for_bodies();
        window.key("space");
        EXPECT_EQ(window.state("theme"), "dark");
        window.click("Info");
        window.choose("Theme", "Light panels");
        window.wait_for("the light theme", [](const Json& s) { return s["theme"] == "light"; });
        window.point_at("Sidebar edge");
        window.xdotool({"mousedown", "1"});
        window.wait_frames(2);
        window.xdotool({"mousemove_relative", "60", "0"});
        window.wait_for("wider", [](const Json& s) { return s["sidebar"] > 400; });
        window.xdotool({"mouseup", "1"});
        window.key("Escape");
        ASSERT_EQ(window.exit_code(patience()), 0);
    }
    WindowDriver window{*display(), {"plummer", "--bodies", "40"}, config};
    window.wait_for_bodies();
    EXPECT_EQ(window.state("theme"), "light");
    EXPECT_GT(window.state("sidebar"), 400);
}

TEST_F(LookWindow, AnotherSceneRunsWithDefaultViewAndCard) {
    auto window = open_paused({"pythagorean"});
    window->wait_for("the card", [](const Json& s) { return s["card"]["title"] == "Pythagorean problem"; });
    window->wait_for_camera();
    const double yaw = window->state("camera_yaw");
    window->xdotool({"mousemove", "500", "200"});
    window->wait_frames(2);
    window->xdotool({"mousedown", "1"});
    window->wait_frames(2);
    window->xdotool({"mousemove_relative", "80", "10"});
    window->wait_for("turned", [&](const Json& s) { return std::abs(s["camera_yaw"].get<double>() - yaw) > 0.2; });
    window->xdotool({"mouseup", "1"});
    window->key("bracketright");
    window->wait_for("another scene, running",
                     [](const Json& s) { return s["scene"] == scene_after("pythagorean") && s["paused"] == false; });
    window->wait_for("the default view", [&](const Json& s) {
        return s["camera_moving"] == false && std::abs(s["camera_yaw"].get<double>() - yaw) < 0.02;
    });
    const Json card = window->state("card");
    EXPECT_NE(card["title"], "Pythagorean problem");
    EXPECT_NE(card["watch"], "");
    window->wait_for("the card to disappear", [](const Json& s) { return s["card"]["shown"] == 0; });
}

}  // namespace
}  // namespace orrery::test
