// SPDX-License-Identifier: MIT
// The tour: six cards, each next to the page it explains, shown only at the first start.
#include "app/window/tour/tour_control.hpp"

#include <algorithm>

#include "app/window/panels.hpp"
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

TEST(Tour, EveryCardHasAPage) {
    EXPECT_EQ(tour_cards().size(), 6u);
    for (const TourCard& card : tour_cards()) {
        EXPECT_NE(std::ranges::find(panels(), card.panel, &PanelEntry::id), panels().end()) << card.title;
        for (const std::string_view words : {card.title, card.text, card.button, card.tip})
            EXPECT_FALSE(words.empty()) << card.title;
    }
}

class TourTest : public WindowTest {
protected:
    static void wait_for_card(const WindowDriver& window, std::size_t card) {
        window.wait_for("card " + std::to_string(card), [&](const Json& s) {
            return s["tour"]["on"] == true && s["tour"]["card"] == card && s["panel"] == tour_cards()[card].panel;
        });
    }
    static void wait_for_end(const WindowDriver& window) {
        window.wait_for("no tour", [](const Json& s) { return s["tour"]["on"] == false; });
    }
};

TEST_F(TourTest, IsShownOnlyAtTheFirstStartBeforeTheGallery) {
    const auto home = scratch();
    {
        WindowDriver window{*display(), {}, home};
        wait_for_card(window, 0);
        EXPECT_EQ(window.state("gallery")["on"], false);
        for (std::size_t card = 1; card < tour_cards().size(); ++card) {
            window.click("Next");
            wait_for_card(window, card);
        }
        window.click("Back");
        wait_for_card(window, tour_cards().size() - 2);
        window.click("Next");
        window.click("Done");
        wait_for_end(window);
        window.wait_for("the gallery", [](const Json& s) { return s["gallery"]["on"] == true; });
        ::kill(window.process(), SIGKILL);  // it is remembered even if the window is not closed properly
        window.exit_code(patience());
    }
    WindowDriver window{*display(), {}, home};
    window.wait_for("the gallery", [](const Json& s) { return s["gallery"]["on"] == true; });
    EXPECT_EQ(window.state("tour")["on"], false);
}

TEST_F(TourTest, IsSkippedByEscOrAButton) {
    for (const bool by_key : {true, false}) {
        WindowDriver window{*display(), {}, scratch() / (by_key ? "key" : "button")};
        wait_for_card(window, 0);
        by_key ? window.key("Escape") : window.click("Skip the tour");
        wait_for_end(window);
    }
}

/// With a given scene, or with settings of an earlier version, the tour starts only on request.
TEST_F(TourTest, ButtonsPerformTheirActions) {
    auto window = open({"plummer", "--bodies", "300"});
    EXPECT_EQ(window->state("tour")["on"], false);
    window->click("Info");
    window->click("First steps");
    wait_for_card(*window, 0);
    window->click("Pause, resume");
    window->wait_for("a pause", [](const Json& s) { return s["paused"] == true; });
    window->click("Next");
    window->click("Switch to Half matrix");
    window->wait_for("the engine", [](const Json& s) { return s["engine"] == "half"; });
    window->click("Next");
    wait_for_card(*window, 2);
    const std::string map = window->state("map");
    window->click("Next map");
    window->wait_for("another map", [&](const Json& s) { return s["map"] != map; });
    window->click("Next");
    wait_for_card(*window, 3);
    window->click("Next");
    window->click("Open the gallery");
    window->wait_for("the gallery", [](const Json& s) { return s["gallery"]["on"] == true; });
    window->key("Escape");
    window->wait_for("the card again",
                     [](const Json& s) { return s["gallery"]["on"] == false && s["tour"]["on"] == true; });
    window->click("Next");
    window->click("Show all keys");
    window->wait_for("help", [](const Json& s) { return s["help"] == true; });
}

/// Card 3 must leave the whole map visible, and each other card the control it explains.
TEST_F(TourTest, CardsDoNotCoverTheirSubject) {
    for (const auto& [width, height] : {std::pair{"800", "600"}, {"1280", "800"}}) {
        auto window = open_paused({"plummer", "--bodies", "300", "--fresh", "--width", width, "--height", height});
        window->key("2");
        window->wait_for("maps to switch", [](const Json& s) { return s["engine"] == "half"; });
        window->click("Info");
        window->scroll_to("First steps");
        window->click("First steps");
        for (std::size_t card = 0; card < tour_cards().size(); ++card) {
            wait_for_card(*window, card);
            window->wait_frames(4);
            const std::string shown{tour_cards()[card].shown};
            if (!shown.empty() && shown != "Help") {  // below the visible part of a small window
                EXPECT_TRUE(window->shows(shown)) << shown << " at " << width;
            }
            if (card == 2) {
                EXPECT_TRUE(window->shows("Launch grid")) << width;
                EXPECT_TRUE(window->shows("Triangle")) << width;
            }
            if (card + 1 < tour_cards().size()) window->click("Next");
        }
    }
}

/// In a small window, every card can be read and dismissed.
TEST_F(TourTest, FitsInASmallWindow) {
    auto window = open_paused({"plummer", "--bodies", "300", "--fresh", "--width", "800", "--height", "600"});
    window->key("2");
    window->wait_for("maps to switch", [](const Json& s) { return s["engine"] == "half"; });
    window->click("Info");
    window->scroll_to("First steps");  // further down in a build without CUDA, which lists its reasons
    window->click("First steps");
    for (std::size_t card = 0; card < tour_cards().size(); ++card) {
        wait_for_card(*window, card);
        const std::string on = card + 1 < tour_cards().size() ? "Next" : "Done";
        window->wait_for("its button", [&](const Json&) { return window->shows(on); });
        for (const std::string& label : {on, std::string{tour_cards()[card].button}}) {
            const Json place = window->map()["widgets"][label];
            EXPECT_LE(place[2].get<double>(), 800) << label;
            EXPECT_LE(place[3].get<double>(), 600) << label;
        }
        window->click(on);
    }
    wait_for_end(*window);
}

}  // namespace
}  // namespace orrery::test
