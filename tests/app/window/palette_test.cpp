// SPDX-License-Identifier: MIT
// The command palette: every action and setting, found by part of its name.
#include "app/window/palette/palette.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "app/ui/words.hpp"
#include "app/window/commands.hpp"
#include "app/window/engine/engine_choice.hpp"
#include "core/engines/engine_settings.hpp"
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

/// State of a window on a machine without a GPU.
UiState some_state() {
    UiState state;
    state.requested.engine = default_engine_config();
    state.requested.engine.backend = Backend::kCpu;
    state.status.engine.config = state.requested.engine;
    state.gallery.cards.push_back({"saturn", "Saturn's rings", "particles about a planet", "Few bodies", 1000});
    return state;
}

UiState changed(const UiRequests& requests) {
    UiState state = some_state();
    for (const auto& change : requests.changes) change(state);
    return state;
}

const PaletteLine& labelled(const std::vector<PaletteLine>& lines, std::string_view label) {
    const auto found = std::ranges::find(lines, label, &PaletteLine::label);
    if (found == lines.end()) throw std::runtime_error{"no line " + std::string{label}};
    return *found;
}

TEST(Palette, ContainsEveryCommandExceptEngineSelection) {
    std::set<Command> all;
    for (const PaletteCommand& each : palette_commands()) all.insert(each.call.command);
    for (int i = 0; i <= static_cast<int>(Command::kQuit); ++i) {
        const auto command = static_cast<Command>(i);
        EXPECT_EQ(all.contains(command), command != Command::kEngine && command != Command::kPalette) << i;
    }
}

TEST(Palette, LabelsAreUnique) {
    std::set<std::string> seen;
    for (const PaletteLine& line : palette_lines(some_state(), palette_commands())) {
        EXPECT_FALSE(line.label.empty());
        EXPECT_TRUE(seen.insert(line.label).second) << line.label;
        EXPECT_TRUE(line.ask) << line.label;
    }
}

TEST(Palette, FindsByWordsInAnyOrderAndCase) {
    const auto lines = palette_lines(some_state(), palette_commands());
    const auto first = [&](std::string_view words) {
        const auto found = palette_matches(lines, words);
        return found.empty() ? std::string{} : found.front()->label;
    };
    EXPECT_EQ(first("saturn"), "Scene: Saturn's rings");
    EXPECT_EQ(first("RINGS scene"), "Scene: Saturn's rings");
    EXPECT_EQ(first("particles planet"), "Scene: Saturn's rings") << "by its tooltip";
    EXPECT_EQ(first("restart"), "Restart the scene");
    EXPECT_EQ(first("  double  "), "Precision: double");
    EXPECT_EQ(first("no such word"), "");
    EXPECT_EQ(palette_matches(lines, "").size(), lines.size());
}

TEST(Palette, FindsWordsOfTheDisplayedLanguageAndEnglishOnes) {
    const auto lines = palette_lines(some_state(), palette_commands());
    for (const auto& [language, words, label] : {std::tuple{"de", "verlauf", "Measure: History"},
                                                 {"de", "messen verlauf", "Measure: History"},
                                                 {"de", "history", "Measure: History"},
                                                 {"es", "error de fuerza", "Colour by: Force error"}}) {
        set_language(language);
        const auto found = palette_matches(lines, words);
        EXPECT_TRUE(std::ranges::any_of(found, [&](const PaletteLine* line) { return line->label == label; })) << words;
    }
    set_language("en");
    EXPECT_TRUE(palette_matches(lines, "verlauf").empty());
}

TEST(Palette, FindsEverySettingOfTheWindow) {
    const auto lines = palette_lines(some_state(), palette_commands());
    for (const char* words : {"theme", "language", "dt", "autosave", "text size", "field of view", "speed", "backward",
                              "rewind memory", "experiment", "steps between", "frame rate"})
        EXPECT_FALSE(palette_matches(lines, words).empty()) << words;
    UiRequests requests;
    labelled(lines, "Theme: Light panels").ask(requests);
    EXPECT_EQ(changed(requests).layout.theme, Theme::kLight);
    labelled(lines, "Language: Deutsch").ask(requests);
    EXPECT_EQ(requests.layout.language, "de");
    labelled(lines, "Setting: dt").ask(requests);
    EXPECT_EQ(requests.layout.panel, "scene");
}

TEST(Palette, FieldsNameTheirPageAndLeadToTheirRow) {
    UiState state = some_state();
    state.palette.controls = {{"view", "A field of a page", "its tip"}};
    const auto lines = palette_lines(state, palette_commands());
    const PaletteLine& field = labelled(lines, "Setting: A field of a page");
    EXPECT_EQ(field.aside, "Look > View");
    EXPECT_EQ(field.tip, "its tip");
    UiRequests requests;
    field.ask(requests);
    EXPECT_EQ(requests.layout.panel, "view");
    EXPECT_EQ(requests.layout.seek, "A field of a page");
}

TEST(Palette, LinesRequestTheirActions) {
    const UiState state = some_state();
    const auto lines = palette_lines(state, palette_commands());
    const auto asked = [&](std::string_view label) {
        UiRequests requests;
        labelled(lines, label).ask(requests);
        return requests;
    };
    EXPECT_EQ(asked("Restart the scene").commands.at(0).command, Command::kRestart);
    EXPECT_EQ(asked("Slower").commands.at(0).argument, -1);
    EXPECT_EQ(asked("Scene: Saturn's rings").open, "saturn");
    EXPECT_EQ(asked("Look: Camera").layout.panel, "camera");
    EXPECT_EQ(changed(asked("Colour by: Speed")).view.color_mode, "speed");
    EXPECT_EQ(std::get<SetEngine>(asked("Precision: double").actions.at(0)).config.precision, Precision::kDouble);
    const EngineConfig map = std::get<SetEngine>(asked("Map: Recursive partition").actions.at(0)).config;
    EXPECT_EQ(map.engine, "half") << "the engine with maps";
    EXPECT_EQ(map.map, "rec");
    EXPECT_EQ(labelled(lines, "Precision: single").aside, "in force");
    EXPECT_EQ(labelled(lines, "Colour by: Speed").aside, "in force");
}

TEST(Palette, OpensPagesAlsoIfPanelsAreHidden) {
    UiState state = some_state();
    state.layout.panels = false;
    UiRequests requests;
    labelled(palette_lines(state, palette_commands()), "Look: Camera").ask(requests);
    EXPECT_EQ(requests.layout.panel, "camera");
    ASSERT_EQ(requests.commands.size(), 1u);
    EXPECT_EQ(requests.commands[0].command, Command::kPanels);
}

class PaletteTest : public WindowTest {
protected:
    static void find(WindowDriver& window, const std::string& words) {
        window.key("ctrl+p");
        window.wait_for("the palette", [](const Json& s) { return s["palette"]["on"] == true; });
        window.wait_for_typing();
        window.type(words);
        window.wait_for("the typed text", [&](const Json& s) { return s["palette"]["search"] == words; });
    }
};

TEST_F(PaletteTest, TypingAndEnterSwitchEngineMapSceneAndPage) {
    auto window = open_paused({"plummer", "--bodies", "300", "--fresh"});
    find(*window, "engine half");
    window->key("Return");
    window->wait_for("the engine", [](const Json& s) { return s["engine"] == "half" && s["palette"]["on"] == false; });
    find(*window, "recursive");
    window->key("Return");
    window->wait_for("the map", [](const Json& s) { return s["map"] == "rec"; });
    find(*window, "figure");
    window->click("Scene: Figure eight");
    window->wait_for("the scene", [](const Json& s) { return s["scene"] == "figure-eight"; });
    window->key("Tab");
    window->wait_for("no panels", [](const Json& s) { return s["panels"] == false; });
    find(*window, "camera");
    window->click("Look: Camera");
    window->wait_for("its page", [](const Json& s) { return s["panel"] == "camera" && s["panels"] == true; });
}

TEST_F(PaletteTest, ListsEveryFieldAndFramesTheChosenOne) {
    auto window = open_paused({"plummer", "--bodies", "300", "--backend", "cpu", "--engine", "tree", "--fresh"});
    find(*window, "field of view");
    const auto listed = window->state("palette")["controls"].get<std::set<std::string>>();
    window->key("Return");
    window->wait_for("its page",
                     [](const Json& s) { return s["panel"] == "camera" && s["sought"] == "Field of view"; });
    EXPECT_TRUE(window->shows("Field of view"));
    const Json pages = window->map()["pages"];
    for (const auto& [page, group] : pages.items()) {
        window->click(page);
        window->wait_frames(4);
        const Json sliders = window->map()["sliders"];
        for (const auto& [label, slider] : sliders.items())
            EXPECT_TRUE(listed.contains(label)) << page << ": " << label;
    }
}

TEST_F(PaletteTest, ArrowsSelectAndEscCloses) {
    auto window = open({"plummer", "--bodies", "300", "--fresh"});
    find(*window, "precision");
    window->key("Down");
    window->wait_for("the second line", [](const Json& s) { return s["palette"]["chosen"] == 1; });
    window->key("Up");
    window->wait_for("the first line", [](const Json& s) { return s["palette"]["chosen"] == 0; });
    window->key("Escape");
    window->wait_for("no palette", [](const Json& s) { return s["palette"]["on"] == false; });
    find(*window, "pause");
    window->key("Return");
    window->wait_for("a pause", [](const Json& s) { return s["paused"] == true; });
}

}  // namespace
}  // namespace orrery::test
