// SPDX-License-Identifier: MIT
// Scenes by their pictures, and files by their folders.
#include "app/record/png_file.hpp"
#include "app/scene/shipped.hpp"
#include "assets/assets.hpp"
#include "core/formats/formats.hpp"
#include "core/presets/presets.hpp"
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

TEST(Thumbnails, EverySceneAndPresetHasItsPicture) {
    std::vector<std::string> ids;
    for (const PresetEntry& preset : presets()) ids.emplace_back(preset.id);
    for (const ShippedScene& scene : shipped_scenes()) ids.emplace_back(scene.id);
    for (const std::string& id : ids) {
        const std::string name = "thumbnails/" + id + ".png";
        const std::string_view bytes = assets::file(name);
        ASSERT_FALSE(bytes.empty()) << id << ": assets/thumbnails.sh makes it";
        const Image image = decoded_png(name, bytes);
        EXPECT_EQ(image.width, 240) << id;
        EXPECT_EQ(image.height, 135) << id;
        int bright = 0;
        for (std::size_t i = 0; i < image.rgba.size(); i += 4) bright += image.rgba[i] + image.rgba[i + 2] > 120;
        EXPECT_GT(bright, 30) << id << ": something is seen";
    }
}

class GalleryTest : public WindowTest {
protected:
    static bool shows(const Json& s, const char* page) {
        return s["gallery"]["on"] == true && s["gallery"]["page"] == page;
    }
};

TEST_F(GalleryTest, AClickOnAPictureClosesIntoItsScene) {
    auto window = open_paused({"plummer", "--bodies", "300", "--fresh"});
    window->key("g");
    window->wait_for("the gallery", [](const Json& s) { return shows(s, "All"); });
    window->click("Few bodies");
    window->wait_for("its page", [](const Json& s) { return shows(s, "Few bodies"); });
    window->click("Pythagorean problem");
    window->wait_for("the scene", [](const Json& s) {
        return s["scene"] == "pythagorean" && s["gallery"]["on"] == false && s["engine"] == "direct";
    });
}

TEST_F(GalleryTest, AWordFindsAScene) {
    auto window = open_paused({"plummer", "--bodies", "300", "--fresh"});
    window->click("Setup");
    window->click("Scenes and files");
    window->wait_for("the gallery", [](const Json& s) { return shows(s, "All"); });
    window->click("Search");
    window->wait_for_typing();
    window->type("saturn");
    window->wait_for("what was typed", [](const Json& s) { return s["gallery"]["search"] == "saturn"; });
    window->click("Saturn's rings");
    window->wait_for("the scene", [](const Json& s) { return s["scene"] == "saturn"; });
}

TEST_F(GalleryTest, AFileIsFoundInItsFolderAndAmongTheRecentOnes) {
    auto window = open_paused({"plummer", "--bodies", "300"});  // with settings
    std::filesystem::create_directory(window->folder() / "below");
    write_snapshot(make_preset("plummer", {123}), window->folder() / "below" / "mine.csv");
    std::ofstream{window->folder() / "below" / "notes.md"} << "no snapshot";
    window->key("g");
    window->click("Open a file");
    window->wait_for("the folder", [](const Json& s) { return shows(s, "Open a file"); });
    window->click("below/");
    window->wait_for("the folder above and the file", [](const Json& s) { return s["gallery"]["files"] == 2; });
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

TEST_F(GalleryTest, EscClosesItAndTheScenesStays) {
    auto window = open_paused({"plummer", "--bodies", "300", "--fresh"});
    EXPECT_EQ(window->state("gallery")["on"], false) << "a scene was named";
    window->key("g");
    window->wait_for("the gallery", [](const Json& s) { return s["gallery"]["on"] == true; });
    window->key("Escape");
    window->wait_for("none", [](const Json& s) { return s["gallery"]["on"] == false; });
    EXPECT_EQ(window->state("scene"), "plummer");
}

TEST_F(GalleryTest, OpensAtAStartWithoutASceneUntilNobodyWantsIt) {
    const auto home = scratch();
    std::filesystem::create_directories(home / "orrery");
    std::ofstream{home / "orrery" / "settings.toml"} << "[window]\n";  // of who has seen the first steps
    {
        WindowDriver window{*display(), {}, home};
        window.wait_for("the gallery", [](const Json& s) { return s["gallery"]["on"] == true; });
        window.click("Open with the program");
        window.wait_for("not at a start", [](const Json& s) { return s["gallery"]["at_start"] == false; });
        window.key("Escape");
        window.wait_for("none", [](const Json& s) { return s["gallery"]["on"] == false; });
        window.key("Escape");
        EXPECT_EQ(window.exit_code(patience()), 0);
    }
    WindowDriver window{*display(), {}, home};
    window.wait_for_bodies();
    EXPECT_EQ(window.state("gallery")["on"], false);
}

/// Everything of it can be reached in a small window.
TEST_F(GalleryTest, FitsIntoASmallWindow) {
    auto window = open_paused({"plummer", "--bodies", "300", "--fresh", "--width", "800", "--height", "600"});
    window->key("g");
    window->wait_for("the gallery", [](const Json& s) { return s["gallery"]["on"] == true; });
    window->click("Open a file");
    window->wait_for("the page", [](const Json& s) { return shows(s, "Open a file"); });
    window->click("Open with the program");
    window->click("Close");
    window->wait_for("none", [](const Json& s) { return s["gallery"]["on"] == false; });
}

}  // namespace
}  // namespace orrery::test
