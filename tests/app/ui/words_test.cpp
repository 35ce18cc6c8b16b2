// SPDX-License-Identifier: MIT
// The catalogues of translations and the reader of .po files.
#include "app/ui/words.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "app/picture/compare_view.hpp"
#include "app/record/record_settings.hpp"
#include "app/render/color_maps.hpp"
#include "app/render/color_modes.hpp"
#include "app/render/view_settings.hpp"
#include "app/scene/shipped.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/style.hpp"
#include "core/analysis/analyses.hpp"
#include "core/base/error.hpp"
#include "core/bodies/bodies.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/menu.hpp"
#include "core/integrators/integrators.hpp"
#include "core/lab/experiments.hpp"
#include "core/lab/launch_variants.hpp"
#include "core/maps/maps.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/scene_request.hpp"
#include "tests/app/ui/translatable_texts.hpp"

namespace orrery::test {
namespace {

using testing::ElementsAre;

/// The placeholders of fmt, in order.
std::vector<std::string> places_in(const std::string& text) {
    static const std::regex place{R"(\{[^}]*\})"};
    return {std::sregex_token_iterator{text.begin(), text.end(), place}, {}};
}

class Words : public testing::Test {
protected:
    ~Words() override { set_language("en"); }
    static std::vector<std::string> others() {
        std::vector<std::string> ids;
        for (const LanguageEntry& entry : languages())
            if (entry.id != "auto" && entry.id != "en") ids.emplace_back(entry.id);
        return ids;
    }
};

TEST_F(Words, HaveTheSameKeysAndPlaceholdersInAllCatalogues) {
    ASSERT_THAT(others(), ElementsAre("de", "es"));
    const Catalogue& german = catalogue("de");
    EXPECT_GT(german.size(), 400u);
    for (const std::string& language : others()) {
        EXPECT_EQ(catalogue(language).size(), german.size()) << language;
        for (const auto& [english, other] : catalogue(language)) {
            EXPECT_TRUE(german.contains(english)) << language << ": " << english;
            EXPECT_EQ(places_in(english), places_in(other)) << language << ": " << english;
            EXPECT_FALSE(other.empty()) << language << ": " << english;
        }
    }
}

TEST_F(Words, AreTranslatedWholeOrInPartsAndMissingOnesAreRecorded) {
    set_language("de");
    EXPECT_EQ(tr("Restart"), catalogue("de").at("Restart"));
    EXPECT_EQ(in_parts("Scene: Cold collapse"),
              catalogue("de").at("Scene") + ": " + catalogue("de").at("Cold collapse"));
    EXPECT_EQ(phrase("{} of {}", 2, 6), "2 von 6");
    EXPECT_EQ(tr(phrase("{} of {}", 3, 6)), "3 von 6");
    EXPECT_TRUE(untranslated().empty());
    EXPECT_EQ(tr("A word of nobody"), "A word of nobody");
    EXPECT_EQ(if_known("Another"), "Another");
    EXPECT_THAT(untranslated(), ElementsAre("A word of nobody"));
    set_language("en");
    EXPECT_EQ(tr("Restart"), "Restart");
}

TEST(TranslatableTexts, AreTheTranslatedArguments) {
    EXPECT_THAT(translatable_texts(
                    R"(ui.button(on ? "Stop###film" : "Record###film", "a tip", width_for(ui, "no")); // tr("x y")
                              notice(phrase("Map: {}", name("cpu")));
                              messages.notice("one " "text", "topic"); ui.value("–", "b");)"),
                testing::UnorderedElementsAre("Stop", "Record", "a tip", "Map: {}", "one text"));
}

/// Every text of panels, overlays, messages and tooltips has a German translation.
TEST_F(Words, CoverEveryTextOfTheWindow) {
    namespace fs = std::filesystem;
    std::set<std::string> texts;
    for (const char* folder : {"app/ui", "app/window"})
        for (const auto& entry : fs::recursive_directory_iterator{fs::path{ORRERY_SOURCES} / folder}) {
            if (entry.path().extension() != ".cpp") continue;
            std::ifstream file{entry.path()};
            texts.merge(translatable_texts(std::string{std::istreambuf_iterator<char>{file}, {}}));
        }
    EXPECT_GT(texts.size(), 300u);
    // Ids that are not displayed, parts of tips that are translated whole, and prefixes of messages that name a file.
    for (const char* not_said : {"sigma", "cut_off", "octree_first", "octree_last", ". The scene restarts",
                                 ". Takes effect at the next step", "File to write: ", "PNG: ", "Recorded "})
        texts.erase(not_said);
    const Catalogue& german = catalogue("de");
    for (const std::string& text : texts) EXPECT_TRUE(german.contains(text)) << text;
}

TEST_F(Words, CoverTheMenusWithTheirTips) {
    const Catalogue& german = catalogue("de");
    const std::regex words{"[A-Za-z]{2}"};  // σ and p are the same in all languages
    const auto expect = [&](std::string_view text) {
        EXPECT_TRUE(!std::regex_search(std::string{text}, words) || german.contains(text)) << text;
    };
    for (const PresetEntry& preset : presets()) expect(preset.label), expect(preset.doc), expect(preset.family);
    for (const ShippedScene& scene : shipped_scenes()) expect(scene.label), expect(scene.read().watch);
    for (const ColorModeEntry& mode : color_modes()) expect(mode.label), expect(mode.doc);
    for (const ColorMapEntry& map : color_maps()) expect(map.label), expect(map.doc);
    for (const LabEntry& entry : experiments()) expect(entry.label), expect(entry.doc);
    for (const EngineEntry& engine : engines()) expect(engine.label), expect(engine.doc);
    for (const auto& menu : {maps(), study_maps()})
        for (const MapEntry& map : menu)
            expect(map.doc), expect(map.title), expect(map.formula), expect(form_note(map.id).name);
    for (const MapEntry& map : maps()) expect(map.label);
    for (const Map3Entry& map : simplex3_maps()) expect(map.title), expect(map.formula);
    for (const LabForm& form : lab_forms()) expect(form.doc), expect(form_note(form.id).name);
    for (const RootEntry& root : roots()) expect(root.title), expect(without_id(root.title));
    for (const RootEntry& root : roots()) expect(root.doc);
    for (const IntegratorEntry& integrator : integrators()) expect(integrator.label), expect(integrator.doc);
    for (const AnalysisEntry& plot : analyses()) expect(plot.label), expect(plot.doc);
    for (const ThemeEntry& theme : themes()) expect(theme.label), expect(theme.doc);
    for (const LanguageEntry& language : languages()) expect(language.label), expect(language.doc);
    for (const PanelEntry& panel : panels()) expect(panel.label), expect(panel.doc);
    const auto expect_all = [&](const auto& settings) {
        for (const auto& each : settings)
            if (!each.info.label.empty()) {
                expect(each.info.label), expect(tip_of(each.info));
                if (const auto* kind = std::get_if<ChoiceKind>(&each.info.kind))
                    for (const SettingChoice& choice : kind->choices)
                        if (!choice.doc.empty()) expect(choice.doc);
            }
    };
    expect_all(scene_settings()), expect_all(view_settings()), expect_all(engine_settings());
    expect_all(record_settings()), expect_all(analysis_settings()), expect_all(compare_view_settings());
    for (std::size_t k = 0; k < kSpeciesCount; ++k) expect(name(static_cast<Species>(k)));
}

TEST_F(Words, CountsFollowTheLanguage) {
    set_language("de");
    EXPECT_EQ(count_phrase(1, "snapshot"), "1 Schnappschuss");
    EXPECT_EQ(count_phrase(2048, "snapshot"), "2 048 Schnappschüsse");
    EXPECT_EQ(bodies_in_words(1), "1 Körper");
    set_language("en");
    EXPECT_EQ(count_phrase(1, "step"), "1 step");
    EXPECT_EQ(count_phrase(71, "step"), "71 steps");
}

TEST_F(Words, UnitsOfTimeFollowTheLanguage) {
    set_language("de");
    EXPECT_EQ(in_local_unit("1.06 yr"), "1.06 Jahre");
    EXPECT_EQ(in_local_unit("3.2 h"), "3.2 h");
    EXPECT_EQ(in_local_unit("0.5"), "0.5");
    set_language("en");
    EXPECT_EQ(in_local_unit("1.06 yr"), "1.06 yr");
}

TEST_F(Words, DefaultToTheLanguageOfTheEnvironment) {
    struct Case {
        const char *all, *messages, *lang, *spoken;
    };
    for (const auto& [all, messages, lang, wanted] :
         {Case{"", "", "de_DE.UTF-8", "de"}, Case{"", "es_MX", "de_DE", "es"}, Case{"C", "es_MX", "de_DE", "en"},
          Case{"", "", "deutsch", "en"}, Case{"", "", "fr_FR.UTF-8", "en"}, Case{"es@euro", "", "", "es"}}) {
        setenv("LC_ALL", all, 1), setenv("LC_MESSAGES", messages, 1), setenv("LANG", lang, 1);
        set_language("auto");
        EXPECT_EQ(language(), wanted) << all << messages << lang;
    }
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) unsetenv(name);
}

TEST_F(Words, AreReadFromPoFiles) {
    const Catalogue words = read_catalogue(
        "# a comment\nmsgid \"\"\nmsgstr \"header\"\n\nmsgid \"one \"\n\"two\"\n"
        "msgstr \"eins \\\"zwei\\\"\"\n",
        "x.po");
    EXPECT_EQ(words, (Catalogue{{"one two", "eins \"zwei\""}}));
    const auto refused = [](const char* text) {
        try {
            read_catalogue(text, "x.po");
        } catch (const Error& error) {
            return std::string{error.what()};
        }
        return std::string{};
    };
    EXPECT_THAT(refused("msgid \"a\"\nmsgstr \"b\"\nmsgid \"a\"\nmsgstr \"c\"\n"), testing::HasSubstr("twice: a"));
    EXPECT_THAT(refused("msgid a\n"), testing::StartsWith("x.po:1: "));
    EXPECT_THAT(refused("msgid \"a\"\n\nmsgctxt \"b\"\n"), testing::StartsWith("x.po:3: "));
    EXPECT_THAT(refused("msgid \"a\"\n"), testing::HasSubstr("without a msgstr"));
}

}  // namespace
}  // namespace orrery::test
