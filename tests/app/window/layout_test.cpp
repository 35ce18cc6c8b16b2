// SPDX-License-Identifier: MIT
// Layout: every page at every size, the collapsed sidebar, and the view centred in the free area.
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>

#include "app/window/layout/detached_panels.hpp"
#include "core/kernels/compiler.hpp"
#include "tests/app/window/window_fixture.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;
using Place = std::array<double, 4>;  // left, top, right, bottom

std::map<std::string, Place> places(const WindowDriver& window) {
    std::map<std::string, Place> all;
    const Json map = window.map();
    for (const char* kind : {"widgets", "disabled"})
        for (const auto& [label, place] : map[kind].items()) all[label] = place.get<Place>();
    return all;
}

double overlap(const Place& a, const Place& b) {
    return std::max(0.0, std::min(a[2], b[2]) - std::max(a[0], b[0])) *
           std::max(0.0, std::min(a[3], b[3]) - std::max(a[1], b[1]));
}

/// Windows, legend and title must not overlap each other.
void expect_apart(const WindowDriver& window, const std::string& page) {
    std::map<std::string, Place> drawn;
    const Json map = window.map();
    for (const auto& [name, place] : map["places"].items()) drawn[name] = place.get<Place>();
    for (auto one = drawn.begin(); one != drawn.end(); ++one)
        for (auto other = std::next(one); other != drawn.end(); ++other) {
            // A tip belongs to the control under the mouse.
            if (one->first.starts_with("##Tooltip") || other->first.starts_with("##Tooltip")) continue;
            // The drawing of a map leaves the upper right corner of its window to the figures.
            if (one->first == "figures" && other->first.starts_with("map")) continue;
            EXPECT_LE(overlap(one->second, other->second), 1)
                << page << ": " << one->first << " overlaps " << other->first;
        }
}

/// `below`: widgets of the windows covered by this one.
void expect_tidy(const WindowDriver& window, const std::string& page, double width, double height,
                 const std::map<std::string, Place>& below) {
    const auto all = places(window);
    EXPECT_EQ(window.map()["cut"], Json::array()) << page << ": truncated texts";
    for (auto one = all.begin(); one != all.end(); ++one) {
        const auto& [label, place] = *one;
        EXPECT_TRUE(place[0] >= 0 && place[1] >= 0 && place[2] <= width && place[3] <= height)
            << page << ": " << label << " leaves the window";
        for (auto other = std::next(one); other != all.end(); ++other) {
            if (below.contains(label) || below.contains(other->first)) continue;
            EXPECT_LE(overlap(place, other->second), 1) << page << ": " << label << " overlaps " << other->first;
        }
    }
    if (!below.empty()) return;
    expect_apart(window, page);
    const char* const record = window.state("recording") == true ? "Stop" : "Record";
    for (const char* label : {"Scene", "Look", "Measure", "Compute", "Step", "Restart", record})
        EXPECT_TRUE(all.contains(label)) << page << " hides " << label;
}

struct Size {
    int width, height;
    const char* theme;
    int dpi = 96;
    int larger = 0;  // steps of text size
    const char* language = "en";
    bool often = false;  // in every run; otherwise only with ORRERY_LONG=1
};

class EveryPage : public testing::TestWithParam<Size> {
protected:
    EveryPage() {
        std::filesystem::create_directories(settings_ / "orrery");
        const Size& asked = size();
        std::ofstream{settings_ / "orrery" / "settings.toml"}
            << "[window]\nwidth = " << asked.width * 96 / asked.dpi << "\nheight = " << asked.height * 96 / asked.dpi
            << "\ntheme = \"" << asked.theme << "\"\nlanguage = \"" << asked.language << "\"\n\n[view]\nglow = 0\n";
    }
    ~EveryPage() override { std::filesystem::remove_all(settings_); }
    static const Size& size() { return GetParam(); }
    std::unique_ptr<WindowDriver> open(std::vector<std::string> arguments = {"plummer", "--bodies", "300", "--backend",
                                                                             "cpu", "--engine", "half"}) {
        display_ = std::make_unique<VirtualDisplay>(size().width, size().height, size().dpi);
        auto window = std::make_unique<WindowDriver>(*display_, std::move(arguments), settings_);
        window->wait_for_bodies();
        pause(*window);
        for (int i = 0; i < size().larger; ++i) window->key("ctrl+plus");
        return window;
    }
    static void pause(WindowDriver& window) {
        window.key("space");
        window.wait_for("a pause", [](const Json& s) { return s["paused"] == true; });
    }
    static void check_page(const WindowDriver& window, const std::string& page,
                           const std::map<std::string, Place>& below = {}) {
        window.wait_frames(4);  // an ImGui window grows to its contents within three frames
        expect_tidy(window, page, size().width, size().height, below);
    }

    /// Arguments for bodies of a periodic box with a field, with a catalogue of their haloes.
    std::vector<std::string> bodies_with_halos() const {
        std::ofstream bodies{settings_ / "bodies.csv"};
        bodies << "# orrery: bodies=300 time=1 scale_factor=1 box=10 length_unit=Mpc/h "
                  "mass_unit=Msun/h\nm,x,y,z,vx,vy,vz,heat\n";
        for (int i = 0; i < 300; ++i)
            bodies << "1e-9," << (i < 150 ? 2 : 7) + 0.01 * (i % 8) << ',' << 0.01 * (i % 40 / 8) << ','
                   << 0.01 * (i / 40) << ",0,0,0," << i << '\n';
        std::ofstream list{settings_ / "out_1.list"};
        list << "#ID DescID Mvir Rvir Np X Y Z\n#a = 1.0\n";
        for (int i = 0; i < 40; ++i)
            list << 123456789 + i << " -1 " << 40 + i << " 500 40 " << (i % 2 == 0 ? 2.04 : 7.04) << " 0.02 0.02\n";
        return {settings_ / "bodies.csv", "--backend", "cpu", "--engine", "half", "--fields", "heat", "--halos",
                settings_ / "out_1.list"};
    }

    /// On a screen of 1280 × 720 or more, relative to its scale.
    static void expect_no_scrolling(const WindowDriver& window, const std::string& page) {
        if (size().height * 96 < 720 * size().dpi || size().larger > 0) return;
        const Json scrolled = window.map()["scrolls"];
        EXPECT_EQ(std::ranges::count(scrolled, "sidebar"), 0) << page << " scrolls";
    }

private:
    const std::filesystem::path settings_ = new_folder();
    std::unique_ptr<VirtualDisplay> display_;
};

/// Opens every page of the sidebar, with a selected body for more controls, the gallery and its pages, the palette, the
/// laboratory, the help, the tour, a comparison, and the question before leaving.
TEST_P(EveryPage, HasNoOverlapsOrTruncatedTexts) {
    if (!size().often && !runs_long()) GTEST_SKIP() << "set ORRERY_LONG=1 for all sizes and themes";
    auto window = open();
    const Json pages = window->map()["pages"];
    for (const auto& [page, group] : pages.items()) {
        window->click(page);
        check_page(*window, page);
        expect_no_scrolling(*window, page);
    }
    EXPECT_EQ(window->state("language"), size().language);
    if (size().language != std::string{"en"}) {
        for (const char* key : {"g", "ctrl+p", "h"}) {
            window->key(key);
            window->wait_frames(4);
            window->key("Escape");
        }
        window->wait_frames(2);
        for (const char* page : {"Open a file", "Recent"}) {
            window->key("g");
            window->click(page);
            window->wait_frames(4);
            window->key("Escape");
        }
        window->key("x");
        window->wait_for("a comparison", [](const Json& s) { return s["compare"]["on"] == true; });
        window->wait_frames(8);
        window->key("x");
        for (const char* key : {"s", "m", "r", "r"}) {  // messages
            window->key(key);
            window->wait_frames(4);
        }
        EXPECT_EQ(window->state("untranslated"), Json::array());
        EXPECT_EQ(window->state("foreign_words"), Json::array());
        return;
    }
    window->click("Body");
    window->type_into("Pick number", "7");
    window->wait_for("picked", [](const Json& s) { return s["hand"]["picked"] == 1; });
    check_page(*window, "a picked body");
    window->key("Escape");
    window->wait_frames(4);
    auto below = places(*window);
    window->key("g");
    for (const char* page : {"All", "Recent", "Open a file"}) {
        window->click(page);
        check_page(*window, std::string{"gallery, "} + page, below);
    }
    window->key("Escape");
    window->key("ctrl+p");
    check_page(*window, "palette", below);
    window->key("Escape");
    window->key("h");
    check_page(*window, "help", below);
    window->key("h");
    window->click("Info");
    window->scroll_to("First steps");
    window->click("First steps");
    for (int card = 0; card < 6; ++card) {
        window->wait_frames(4);
        below = places(*window);
        for (const char* own : {"Back", "Next", "Done", "Skip the tour", "Pause, resume", "Switch to Half matrix",
                                "Next map", "Start, end a video", "Open the gallery", "Show all keys"})
            below.erase(own);
        check_page(*window, "card " + std::to_string(card) + " of the tour", below);
        if (card < 5) window->click("Next");
    }
    window->click("Done");
    window->key("x");
    window->wait_for("a comparison", [](const Json& s) { return s["compare"]["on"] == true; });
    window->click("Compare");
    check_page(*window, "comparison");
    expect_no_scrolling(*window, "comparison");
    window->key("x");
    window->key("r");
    window->wait_for("a recording", [](const Json& s) { return s["recording"] == true; });
    window->wait_frames(4);
    below = places(*window);
    window->key("Escape");
    window->wait_for("the question", [](const Json& s) { return !s["leave"].get<std::string>().empty(); });
    check_page(*window, "question", below);
}

/// Every page with the content of a long session: a field, a halo that is lit, results of the laboratory, a filter and
/// kept selections, the verdict of a kernel, and a recording.
TEST_P(EveryPage, HasNoOverlapsOrTruncatedTextsWhenFull) {
    const bool german = size().language == std::string{"de"};  // has the longest texts
    if (!(size().often && german) && !runs_long()) GTEST_SKIP() << "set ORRERY_LONG=1 for all sizes and themes";
    auto window = open(bodies_with_halos());
    const Json pages = window->map()["pages"];
    window->click("Haloes");
    window->wait_for("haloes", [](const Json& s) { return s["halos"]["count"] == 40; });
    window->click("Lab");
    window->scroll_to("N to");
    window->type_into("N to", "1024");
    window->scroll_to("Start");
    window->click("Start");
    window->click("Selection");
    window->type_into("Condition", "x > 2.03 & y < 1000000 & heat < 1000000");
    window->wait_for("a filter", [](const Json& s) { return s["selection"]["satisfy"] > 0; });
    window->click("Select them");
    window->wait_for("a selection", [](const Json& s) { return s["selection"]["selected"] > 0; });
    for (const char* name : {"inner", "a_name_of_some_words"}) window->type_into("Store as", name);
    window->wait_for("its names", [](const Json& s) { return s["selection"]["sets"].size() == 2; });
    if (why_no_kernel_compiler().empty()) {
        window->click("Kernel");
        window->click("Run");
        window->wait_for("a verdict", [](const Json& s) { return s["kernel"]["force"].is_object(); });
    }
    window->wait_for("results", [](const Json& s) { return s["lab"]["rows"] > 0 && s["lab"]["running"] == false; });
    window->key("r");
    window->wait_for("a recording", [](const Json& s) { return s["recording"] == true && s["recorded_frames"] > 1; });
    pause(*window);                 // each frame would be drawn twice
    const auto has_message = [&] {  // messages leave after seconds, and the editor of a kernel has no room for them
        const Json drawn = window->map()["places"];
        return std::ranges::any_of(drawn.items(), [](const auto& place) { return place.key().starts_with("toast"); });
    };
    while (has_message()) window->wait_frames(4);
    for (const auto& [page, group] : pages.items()) {
        window->click(page);
        check_page(*window, page + ", full");
    }
    if (size().language != std::string{"en"}) {
        EXPECT_EQ(window->state("untranslated"), Json::array());
        EXPECT_EQ(window->state("foreign_words"), Json::array());
    }
    window->key("r");
    window->wait_for("no recording", [](const Json& s) { return s["recording"] == false; });
}

std::vector<Size> sizes() {
    struct Screen {
        int width, height, dpi;
    };
    std::vector<Size> all{{1280, 800, "dark", 96, 3}, {1280, 800, "light", 96, 3, "de"}};
    for (const Screen& screen : {Screen{800, 600, 96}, {1280, 720, 96}, {1920, 1080, 144}, {3840, 2160, 192}})
        for (const char* theme : {"light", "dark"})
            for (const char* language : {"en", "de", "es"}) {
                const std::string name = std::to_string(screen.width) + theme + language;
                const bool often = name == "800lighten" || name == "1280darkde" || name == "1280lightes";
                all.push_back({screen.width, screen.height, theme, screen.dpi, 0, language, often});
            }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Sizes, EveryPage, testing::ValuesIn(sizes()), [](const auto& each) {
    const Size& of = each.param;
    return std::to_string(of.width) + 'x' + std::to_string(of.height) + of.theme + of.language +
           std::to_string(of.larger);
});

TEST(DetachedPanels, RoundTripAsTextAndSnapToEdges) {
    const DetachedPanels pages{{"history", 400, 10, 420, 480}, {"energy", 30, 40, 300, 250}};
    EXPECT_EQ(text_of(pages), "history 400 10 420 480, energy 30 40 300 250");
    EXPECT_EQ(detached_panels(text_of(pages)), pages);
    EXPECT_EQ(detached_panels("history 1 2 3 4, nowhere 1 2 3 4, maps 1 2 3 4, energy 1 2 x 4, history 5 6 7 8"),
              (DetachedPanels{{"history", 1, 2, 3, 4}}));
    const FreeArea area{100, 10, 1000, 700};
    EXPECT_EQ(snapped({"energy", 110, 200, 300, 250}, area, 16), (DetachedPanel{"energy", 100, 200, 300, 250}));
    EXPECT_EQ(snapped({"energy", 690, 445, 300, 250}, area, 16), (DetachedPanel{"energy", 700, 450, 300, 250}));
    EXPECT_EQ(snapped({"energy", 2000, -50, 300, 250}, area, 16), (DetachedPanel{"energy", 700, 10, 300, 250}));
    EXPECT_EQ(snapped({"energy", 400, 200, 300, 250}, area, 16), (DetachedPanel{"energy", 400, 200, 300, 250}));
}

class LayoutWindow : public WindowTest {};

TEST_F(LayoutWindow, PanelIsDetachedMovedAndRestored) {
    const VirtualDisplay screen{1280, 1000};
    const std::filesystem::path settings = scratch();
    std::filesystem::create_directories(settings / "orrery");
    std::ofstream{settings / "orrery" / "settings.toml"}
        << "[window]\nwidth = 1200\nheight = 960\n\n[view]\nglow = 0\n";
    const std::vector<std::string> arguments{"plummer", "--bodies", "300", "--backend", "cpu"};
    const auto torn = [](const Json& state) { return detached_panels(state["torn"].get<std::string>()); };
    DetachedPanel kept;
    {
        WindowDriver window{screen, arguments, settings};
        window.wait_for_bodies();
        window.click("History");
        window.click("↗");
        window.wait_for("its window", [&](const Json& s) { return torn(s).size() == 1; });
        window.wait_frames(4);
        const auto at = [&](float x, float y) {
            window.xdotool({"mousemove", std::to_string(std::lround(x)), std::to_string(std::lround(y))});
            window.wait_frames(3);
        };
        const DetachedPanel first = torn(window.state())[0];  // as high as the window, because plots grow
        at(first.x + first.width - 4, first.y + first.height - 4);
        window.xdotool({"mousedown", "1"});
        window.wait_frames(3);
        at(first.x + first.width - 4, first.y + first.height - 134);
        window.xdotool({"mouseup", "1"});
        window.wait_for("a lower panel", [&](const Json& s) { return torn(s)[0].height < first.height - 100; });
        window.wait_frames(4);
        const DetachedPanel before = torn(window.state())[0];
        EXPECT_EQ(before.panel, "history");
        EXPECT_TRUE(window.shows("Times")) << "in its window";
        window.click("Energy");
        EXPECT_TRUE(window.shows("Times")) << "in its window, next to another page";
        at(before.x + 150, before.y + 8);
        window.xdotool({"mousedown", "1"});
        window.wait_frames(3);
        at(before.x + 50, before.y + 88);
        window.xdotool({"mouseup", "1"});
        window.wait_for("another position", [&](const Json& s) {
            const DetachedPanel now = torn(s)[0];
            return std::abs(now.x - before.x + 100) <= 2 && std::abs(now.y - before.y - 80) <= 2;
        });
        const DetachedPanel moved = torn(window.state())[0];
        const Place plot = places(window)["Times"];
        at(moved.x + moved.width - 4, moved.y + moved.height - 4);
        window.xdotool({"mousedown", "1"});
        window.wait_frames(3);
        at(moved.x + moved.width + 40, moved.y + moved.height + 40);
        window.xdotool({"mouseup", "1"});
        window.wait_for("a larger panel", [&](const Json& s) { return torn(s)[0].height > moved.height + 30; });
        window.wait_frames(4);
        const Place larger = places(window)["Times"];
        EXPECT_GT(larger[2] - larger[0], plot[2] - plot[0] + 30);
        EXPECT_GT(larger[3] - larger[1], plot[3] - plot[1] + 10) << "half of the growth of the two plots";
        kept = torn(window.state())[0];
        window.key("Escape");
        ASSERT_EQ(window.exit_code(patience()), 0);
    }
    WindowDriver window{screen, arguments, settings};
    window.wait_for_bodies();
    EXPECT_EQ(torn(window.state()), DetachedPanels{kept});
    window.click("History");
    window.click("Put back");
    window.wait_for("the page", [&](const Json& s) { return torn(s).empty() && window.shows("Times"); });
}

/// GLFW scales the requested window size by the scale of the desktop; the stored size must not grow with each start.
TEST(FineScreen, WindowSizeIsStableAcrossStarts) {
    const VirtualDisplay display{1600, 1200, 192};
    const std::filesystem::path settings = new_folder();
    std::filesystem::create_directories(settings / "orrery");
    std::ofstream{settings / "orrery" / "settings.toml"} << "[window]\nwidth = 640\nheight = 400\n";
    for (int start = 0; start < 2; ++start) {
        WindowDriver window{display, {"figure-eight"}, settings};
        window.wait_for_bodies();
        EXPECT_EQ(window.state("width"), 1280) << start;
        EXPECT_EQ(window.state("height"), 800) << start;
        window.xdotool({"key", "Escape"});
        EXPECT_EQ(window.exit_code(patience()), 0);
    }
    std::filesystem::remove_all(settings);
}

TEST_F(LayoutWindow, GroupButtonOpensItsLastPageAndCloseButtonClosesIt) {
    auto window = open_paused({"plummer", "--bodies", "300", "--backend", "cpu"});
    const auto wait_for_panel = [&](const char* id) {
        window->wait_for(id, [&](const Json& s) { return s["panel"] == id; });
    };
    window->click("Maps");
    wait_for_panel("maps");
    window->click("Look");
    wait_for_panel("view");
    window->click("Compute");
    wait_for_panel("maps");
    window->click("Compute");  // is open: nothing changes
    window->wait_frames(3);
    EXPECT_EQ(window->state("panel"), "maps");
    EXPECT_TRUE(window->shows("Launch grid"));
    window->click("×");
    wait_for_panel("");
    EXPECT_FALSE(window->shows("Launch grid"));
    EXPECT_EQ(window->state("message"), "The page is closed; a click on its group opens it again");
    window->click("Compute");
    wait_for_panel("maps");
}

TEST_F(LayoutWindow, TitlesAndMessagesDoNotOverlapMapOrFiguresAt800x600) {
    const VirtualDisplay screen{800, 600};
    const std::filesystem::path settings = scratch();
    std::filesystem::create_directories(settings / "orrery");
    std::ofstream{settings / "orrery" / "settings.toml"}
        << "[window]\nwidth = 800\nheight = 600\npanel = \"engine\"\n\n[view]\nglow = 0\n";
    WindowDriver window{screen, {"plummer", "--bodies", "300", "--backend", "cpu", "--engine", "half"}, settings};
    window.wait_for_bodies();
    const auto drawn = [&] {
        std::map<std::string, Place> all;
        const Json map = window.map();
        for (const auto& [name, place] : map["places"].items()) all[name] = place.get<Place>();
        return all;
    };
    window.key("bracketright");
    window.wait_for("a title", [&](const Json&) { return drawn().contains("title"); });
    const auto all = drawn();
    for (const char* name : {"figures", "sidebar"})
        EXPECT_TRUE(!all.contains(name) || overlap(all.at(name), all.at("title")) <= 1) << name;
    window.wait_for("the figures again", [&](const Json&) { return drawn().contains("figures"); });
    window.click("Maps");
    window.wait_for("the map", [&](const Json&) { return drawn().contains("map"); });
    for (const char* key : {"s", "ctrl+s", "Return"}) {  // messages with files, and one without
        window.key(key);
        window.wait_frames(3);
        const auto now = drawn();
        ASSERT_TRUE(now.contains("toast 0")) << key;
        EXPECT_FALSE(now.contains("toast 1")) << key;
        EXPECT_LE(overlap(now.at("toast 0"), now.at("map")), 1) << key;
        EXPECT_FALSE(now.contains("title")) << key;
    }
}

/// The followed body is centred in the area left free by sidebar and bar, or in the whole window if they are hidden.
TEST_F(LayoutWindow, FollowedBodyIsCentredInTheFreeArea) {
    auto window = open_paused({"plummer", "--bodies", "300", "--backend", "cpu", "--width", "1000", "--height", "600"});
    window->click("Body");
    window->type_into("Pick number", "7");
    window->wait_for("picked", [](const Json& s) { return s["hand"]["picked"] == 1; });
    window->click("Follow it");
    const auto follows = [&](double x, double y) {
        window->wait_for("the body in the middle", [&](const Json& s) {
            const Json markers = s["hand"]["markers"];
            return markers.size() == 1 && std::abs(markers[0][0].get<double>() - x) < 4 &&
                   std::abs(markers[0][1].get<double>() - y) < 4;
        });
    };
    const double sidebar = places(*window)["×"][2] + 10, bar = places(*window)["Step"][1] - 8;
    follows((sidebar + 1000) / 2, bar / 2);
    window->key("Tab");
    follows(500, 300);
}

}  // namespace
}  // namespace orrery::test
