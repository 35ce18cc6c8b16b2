// SPDX-License-Identifier: MIT
// The gallery: scenes by their thumbnails, files by their folders.
#include "app/record/picture_files.hpp"
#include "app/scene/shipped.hpp"
#include "assets/assets.hpp"
#include "core/formats/formats.hpp"
#include "core/presets/presets.hpp"
#include "tests/app/window/series_files.hpp"
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

TEST(Thumbnails, EverySceneAndPresetHasAThumbnail) {
    std::vector<std::string> ids;
    for (const PresetEntry& preset : presets()) ids.emplace_back(preset.id);
    for (const ShippedScene& scene : shipped_scenes()) ids.emplace_back(scene.id);
    for (const std::string& id : ids) {
        const std::string name = "thumbnails/" + id + ".png";
        const std::string_view bytes = assets::file(name);
        ASSERT_FALSE(bytes.empty()) << id << ": run assets/thumbnails.sh";
        const Image image = decoded_png(name, bytes);
        EXPECT_EQ(image.width, 240) << id;
        EXPECT_EQ(image.height, 135) << id;
        int bright = 0;
        for (std::size_t i = 0; i < image.rgba.size(); i += 4) bright += image.rgba[i] + image.rgba[i + 2] > 120;
        EXPECT_GT(bright, 30) << id << ": the thumbnail is empty";
    }
}

class GalleryTest : public WindowTest {
protected:
    /// A paused window with its gallery closed; tests leave different scenes.
    static WindowDriver& any_scene() {
        WindowDriver& window = shared({"plummer", "--bodies", "300"});
        pause(window);
        return window;
    }
    static bool shows(const Json& s, const char* page) {
        return s["gallery"]["on"] == true && s["gallery"]["page"] == page;
    }
};

TEST_F(GalleryTest, EscClosesItAndKeepsTheScene) {
    WindowDriver& window = any_scene();
    EXPECT_EQ(window.state("gallery")["on"], false) << "a scene was named";
    const std::string scene = window.state("scene");
    window.key("g");
    window.wait_for("the gallery", [](const Json& s) { return s["gallery"]["on"] == true; });
    window.key("Escape");
    window.wait_for("no gallery", [](const Json& s) { return s["gallery"]["on"] == false; });
    EXPECT_EQ(window.state("scene"), scene);
}

TEST_F(GalleryTest, ClickOnAThumbnailOpensItsScene) {
    WindowDriver& window = any_scene();
    window.key("g");
    window.wait_for("the gallery", [](const Json& s) { return shows(s, "All"); });
    window.click("Few bodies");
    window.wait_for("its page", [](const Json& s) { return shows(s, "Few bodies"); });
    window.click("Pythagorean problem");
    window.wait_for("the scene", [](const Json& s) {
        return s["scene"] == "pythagorean" && s["gallery"]["on"] == false && s["engine"] == "direct";
    });
}

TEST_F(GalleryTest, FirstRowOfAFolderPlaysItsSnapshots) {
    WindowDriver& window = any_scene();
    const auto folder = window.folder() / "run";
    std::filesystem::create_directory(folder);
    SeriesFiles{folder}.write(3);
    std::ofstream{folder / "notes.txt"} << "no snapshot";
    std::ofstream{folder / "empty.csv"};
    window.key("g");
    window.click("Open a file");
    window.click("run/");
    window.wait_for("the folder", [](const Json& s) { return s["gallery"]["snapshots"] == 3; });
    window.click("Play these 3 snapshots");
    window.wait_for("the series", [](const Json& s) {
        return s["series"].is_object() && s["series"]["times"].size() == 3 && s["gallery"]["on"] == false;
    });
}

TEST_F(GalleryTest, TypedFolderIsPlayed) {
    WindowDriver& window = any_scene();
    const auto folder = window.folder() / "typed";
    std::filesystem::create_directory(folder);
    SeriesFiles{folder}.write(2);
    window.key("ctrl+o");
    window.wait_for_typing();
    window.type(folder.string());
    window.key("Return");
    window.wait_for("its snapshots", [](const Json& s) { return s["gallery"]["snapshots"] == 2; });
    window.click("Play these 2 snapshots");
    window.wait_for("the series",
                    [](const Json& s) { return s["series"].is_object() && s["series"]["times"].size() == 2; });
}

TEST_F(GalleryTest, SearchFindsAScene) {
    auto window = open_paused({"plummer", "--bodies", "300", "--fresh"});
    window->click("Setup");
    window->click("Scenes and files");
    window->wait_for("the gallery", [](const Json& s) { return shows(s, "All"); });
    window->click("Search");
    window->wait_for_typing();
    window->type("saturn");
    window->wait_for("the typed text", [](const Json& s) { return s["gallery"]["search"] == "saturn"; });
    window->click("Saturn's rings");
    window->wait_for("the scene", [](const Json& s) { return s["scene"] == "saturn"; });
}

TEST_F(GalleryTest, FileIsListedInItsFolderAndAmongRecentFiles) {
    auto window = open_paused({"plummer", "--bodies", "300"});  // stores its settings
    std::filesystem::create_directory(window->folder() / "below");
    write_snapshot(make_preset("plummer", {123}), window->folder() / "below" / "mine.csv");
    std::ofstream{window->folder() / "below" / "notes.md"} << "no snapshot";
    window->key("g");
    window->click("Open a file");
    window->wait_for("the folder", [](const Json& s) { return shows(s, "Open a file"); });
    window->click("below/");
    window->wait_for("the parent folder and the file", [](const Json& s) { return s["gallery"]["files"] == 2; });
    window->click("mine.csv");
    window->wait_for("the file", [](const Json& s) { return s["bodies"] == 123; });
    window->click("Setup");
    window->choose("Preset", "Pythagorean problem");
    window->wait_for("another scene", [](const Json& s) { return s["bodies"] != 123; });
    window->key("g");
    window->click("Recent");
    window->wait_for("the page", [](const Json& s) { return shows(s, "Recent") && s["gallery"]["recent"] == 1; });
    window->click("mine.csv");
    window->wait_for("the file again", [](const Json& s) { return s["bodies"] == 123; });
}

/// A file without a stated time step shows a card; the other snapshots of its folder are one click away.
TEST_F(GalleryTest, SnapshotShowsACardBeforeItRuns) {
    const Scene scene = make_preset("plummer", {222});
    for (const char* name : {"a.tipsy", "b.tipsy"}) write_snapshot(scene, scratch() / name);
    auto window = open({(scratch() / "a.tipsy").string(), "--fresh"});
    window->wait_for("its card", [](const Json& s) { return s["waits_for_start"] == true && s["paused"] == true; });
    EXPECT_EQ(window->state("step"), 0);
    EXPECT_EQ(window->state("guessed"), (Json{{"softening", false}, {"dt", true}}));
    window->wait_frames(4);  // a new card is drawn after the state reports it
    EXPECT_TRUE(window->shows("Play the 2 snapshots of this folder"));
    window->click("Close");
    window->wait_frames(3);
    EXPECT_FALSE(window->shows("Close"));
    EXPECT_EQ(window->state("paused"), true) << "the bodies must not move";
    window->key("space");
    window->wait_for("steps", [](const Json& s) { return s["step"] > 1 && s["waits_for_start"] == false; });
    window->key("BackSpace");
    window->wait_for("a restart without a card", [](const Json& s) {
        return s["scene_serial"] == 2 && s["step"] > 1 && s["waits_for_start"] == false;
    });
}

TEST_F(GalleryTest, OpensAtStartWithoutASceneUnlessSwitchedOff) {
    const auto home = scratch();
    std::filesystem::create_directories(home / "orrery");
    std::ofstream{home / "orrery" / "settings.toml"} << "[window]\n";  // as stored after the first-run tour
    {
        WindowDriver window{*display(), {}, home};
        window.wait_for("the gallery", [](const Json& s) { return s["gallery"]["on"] == true; });
        window.click("Open with the program");
        window.wait_for("not at a start", [](const Json& s) { return s["gallery"]["at_start"] == false; });
        window.key("Escape");
        window.wait_for("no gallery", [](const Json& s) { return s["gallery"]["on"] == false; });
        window.key("Escape");
        EXPECT_EQ(window.exit_code(patience()), 0);
    }
    WindowDriver window{*display(), {}, home};
    window.wait_for_bodies();
    EXPECT_EQ(window.state("gallery")["on"], false);
}

/// All its controls can be reached in a small window.
TEST_F(GalleryTest, FitsInASmallWindow) {
    auto window = open_paused({"plummer", "--bodies", "300", "--fresh", "--width", "800", "--height", "600"});
    window->key("g");
    window->wait_for("the gallery", [](const Json& s) { return s["gallery"]["on"] == true; });
    window->click("Open a file");
    window->wait_for("the page", [](const Json& s) { return shows(s, "Open a file"); });
    window->click("Open with the program");
    window->click("Close");
    window->wait_for("no gallery", [](const Json& s) { return s["gallery"]["on"] == false; });
}

}  // namespace
}  // namespace orrery::test
