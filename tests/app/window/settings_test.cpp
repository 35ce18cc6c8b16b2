// SPDX-License-Identifier: MIT
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>

#include "app/window/user_settings.hpp"
#include "tests/app/window/window_fixture.hpp"
#include "tests/support/new_folder.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

constexpr const char* kSmall = "[window]\nwidth = 768\nheight = 432\ntext_scale = 0.6\n";

struct Folder {
    std::filesystem::path path = new_folder();
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    std::filesystem::path file() const { return path / "orrery" / "settings.toml"; }
    void write(const std::string& text) const {
        std::filesystem::create_directories(file().parent_path());
        std::ofstream{file()} << text;
    }
};

TEST(UserSettings, RoundTrip) {
    const Folder folder;
    UserSettings settings{.width = 801, .height = 602, .text_scale = 1.25, .panel = "view", .panels = false};
    settings.advanced = "scene view";
    settings.view.exposure = -1.5f;
    settings.view.tone_map = ToneMap::kClamp;
    settings.view.mode = DrawMode::kSplat;
    write_user_settings(folder.file(), settings);
    const UserSettingsRead back = read_user_settings(folder.file());
    EXPECT_EQ(back.settings, settings);
    EXPECT_TRUE(back.problems.empty());
    EXPECT_EQ(read_user_settings(folder.path / "absent").settings, UserSettings{});
}

TEST(UserSettings, OfAnEarlierVersionAreRead) {
    const UserSettingsRead read = read_user_settings(ORRERY_EARLIER "/settings.toml");
    EXPECT_TRUE(read.problems.empty());
    UserSettings expected{
        .width = 801, .height = 602, .text_scale = 1.25, .panel = "view", .panels = false, .tour = false};
    expected.view.exposure = -1.5f, expected.view.tone_map = ToneMap::kClamp, expected.view.mode = DrawMode::kSplat;
    EXPECT_EQ(read.settings, expected);
}

TEST(UserSettings, ErrorsNameTheirLineAndAreSkipped) {
    const Folder folder;
    folder.write("[window]\nwidth = 7\nheight = 700\npanel = \"nothing\"\n[view]\nglow = \"much\"\ncolor_map = 3\n");
    const UserSettingsRead read = read_user_settings(folder.file());
    EXPECT_EQ(read.settings.width, UserSettings{}.width);
    EXPECT_EQ(read.settings.height, 700);
    EXPECT_EQ(read.settings.panel, UserSettings{}.panel);
    ASSERT_EQ(read.problems.size(), 4u);
    for (const char* place : {":2:", ":4:", ":6:", ":7:"})
        EXPECT_TRUE(std::ranges::any_of(read.problems, [&](const std::string& p) { return p.find(place) != p.npos; }))
            << place;
    folder.write("[view]\nstretch = \"\\nmuch\"\n");
    ASSERT_EQ(read_user_settings(folder.file()).problems.size(), 1u);
    EXPECT_EQ(read_user_settings(folder.file()).problems[0].find('\n'), std::string::npos)
        << "a problem must be one line";
    folder.write("[window\n");
    EXPECT_EQ(read_user_settings(folder.file()).settings, UserSettings{.tour = false})
        << "no tour for users with a settings file";
    EXPECT_EQ(read_user_settings(folder.file()).problems.size(), 1u);
}

/// None of these files may keep the window from opening or be overwritten when it closes.
TEST(UserSettings, RefuseIrregularFilesAndDeepNesting) {
    const Folder folder;
    std::string deep = "a";
    for (int i = 0; i < 50'000; ++i) deep += ".a";
    folder.write(deep + " = 1\n");
    const UserSettingsRead nested = read_user_settings(folder.file());
    ASSERT_EQ(nested.problems.size(), 1u);
    EXPECT_NE(nested.problems[0].find("settings.toml:1: more than 32"), std::string::npos) << nested.problems[0];
    EXPECT_TRUE(nested.replaceable);
    const auto is_refused = [&] {
        const UserSettingsRead read = read_user_settings(folder.file());
        EXPECT_EQ(read.settings, UserSettings{.tour = false});
        EXPECT_EQ(read.problems.size(), 1u);
        EXPECT_FALSE(read.replaceable);
    };
    std::filesystem::remove(folder.file());
    ASSERT_EQ(mkfifo(folder.file().c_str(), 0600), 0);
    is_refused();
    std::filesystem::remove(folder.file());
    std::filesystem::create_symlink("/dev/zero", folder.file());
    is_refused();
}

class SettingsWindow : public WindowTest {};

TEST_F(SettingsWindow, LayoutIsPersistentAndFreshIgnoresIt) {
    const Folder folder;
    const auto start = [&](std::vector<std::string> more = {}) {
        std::vector<std::string> arguments{"plummer", "--bodies", "300", "--backend", "cpu"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        auto window = std::make_unique<WindowDriver>(*display(), arguments, folder.path);
        window->wait_for_bodies();
        window->key("space");
        return window;
    };
    const auto close = [](WindowDriver& window) {
        window.key("Escape");
        ASSERT_EQ(window.exit_code(patience()), 0);
    };
    {
        auto window = start({"--width", "1000", "--height", "640"});
        EXPECT_EQ(window->state("panel"), "scene");
        window->click("View");
        window->key("i");
        window->key("ctrl+equal");
        window->wait_for("larger text", [](const Json& s) { return s["text_scale"] > 1.05; });
        close(*window);
    }
    {
        auto window = start();
        const Json s = window->state();
        EXPECT_EQ(s["panel"], "view");
        EXPECT_EQ(s["overlay"], false);
        EXPECT_GT(s["text_scale"], 1.05);
        EXPECT_EQ(s["width"], 1000);
        EXPECT_EQ(s["height"], 640);
        close(*window);
    }
    const std::string before = (std::ostringstream{} << std::ifstream{folder.file()}.rdbuf()).str();
    {
        auto window = start({"--fresh"});
        const Json s = window->state();
        EXPECT_EQ(s["panel"], "scene");
        EXPECT_EQ(s["overlay"], true);
        EXPECT_EQ(s["text_scale"], 1);
        EXPECT_EQ(s["width"], 1280);
        window->click("Recording");
        close(*window);
    }
    EXPECT_EQ((std::ostringstream{} << std::ifstream{folder.file()}.rdbuf()).str(), before);
}

/// Labels in the UI map are English in every language.
TEST_F(SettingsWindow, LanguageIsSelectedAndPersistent) {
    const Folder folder;
    folder.write(kSmall);
    const auto start = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "figure-eight");
        auto window = std::make_unique<WindowDriver>(*display(), arguments, folder.path);
        window->wait_for_bodies();
        return window;
    };
    {
        auto window = start({"--language", "de"});
        EXPECT_EQ(window->state("language"), "de");
        window->click("Info");
        window->choose("Language", "Español");
        window->wait_for("Spanish", [](const Json& s) { return s["language"] == "es"; });
        window->click("Setup");
        EXPECT_TRUE(window->shows("Save scene"));
        window->key("Escape");
        ASSERT_EQ(window->exit_code(patience()), 0);
    }
    EXPECT_EQ(read_user_settings(folder.file()).settings.language, "es");
    EXPECT_EQ(start({})->state("language"), "es");
}

/// The solar system has smaller bodies, less glow and trails, none of them chosen by the user.
TEST_F(SettingsWindow, ViewOfAPresetIsNotStored) {
    const Folder folder;
    folder.write(kSmall);
    const auto see = [&](const std::string& scene, const std::function<void(WindowDriver&)>& change) {
        auto window = std::make_unique<WindowDriver>(*display(), std::vector<std::string>{scene}, folder.path);
        window->wait_for_bodies();
        change(*window);
        window->key("Escape");
        ASSERT_EQ(window->exit_code(patience()), 0);
    };
    see("solar-system", [](WindowDriver&) {});
    EXPECT_TRUE(read_user_settings(folder.file()).settings.view == ViewSettings{});
    see("solar-system", [](WindowDriver& window) {
        const double exposure = window.state()["view"]["exposure"];
        window.click("View");
        window.point_at("Exposure", 0.4);
        window.xdotool({"click", "1"});
        window.wait_for("more light", [&](const Json& s) { return s["view"]["exposure"] != exposure; });
    });
    ViewSettings expected;
    expected.exposure = read_user_settings(folder.file()).settings.view.exposure;
    EXPECT_NE(expected.exposure, 0);
    EXPECT_TRUE(read_user_settings(folder.file()).settings.view == expected)
        << "only the changed setting must be stored";
    see("figure-eight", [&](WindowDriver& window) {
        EXPECT_NEAR(window.state()["view"]["exposure"].get<double>(), double{expected.exposure}, 1e-4);
        EXPECT_LT(window.state()["view"]["size"].get<double>(), 1) << "the size of the preset";
    });
}

}  // namespace
}  // namespace orrery::test
