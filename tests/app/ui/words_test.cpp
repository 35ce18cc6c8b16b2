// SPDX-License-Identifier: MIT
// The catalogues of other languages, and how they are read.
#include "app/ui/words.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace orrery::test {
namespace {

using testing::ElementsAre;

/// What fmt fills in, in the order in which it stands.
std::vector<std::string> places_in(const std::string& text) {
    static const std::regex place{R"(\{[^}]*\})"};
    return {std::sregex_token_iterator{text.begin(), text.end(), place}, {}};
}

class Words : public testing::Test {
protected:
    ~Words() override { speak("en"); }
    static std::vector<std::string> others() {
        std::vector<std::string> ids;
        for (const LanguageEntry& entry : languages())
            if (entry.id != "auto" && entry.id != "en") ids.emplace_back(entry.id);
        return ids;
    }
};

TEST_F(Words, AreTheSameInAllCataloguesWithTheSameNumbersInThem) {
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

TEST_F(Words, AreTranslatedWholeOrInPartsAndWhatIsMissingIsKnown) {
    speak("de");
    EXPECT_EQ(tr("Restart"), catalogue("de").at("Restart"));
    EXPECT_EQ(in_parts("Scene: Cold collapse"),
              catalogue("de").at("Scene") + ": " + catalogue("de").at("Cold collapse"));
    EXPECT_EQ(phrase("{} of {}", 2, 6), "2 von 6");
    EXPECT_EQ(tr(phrase("{} of {}", 3, 6)), "3 von 6");
    EXPECT_TRUE(untranslated().empty());
    EXPECT_EQ(tr("A word of nobody"), "A word of nobody");
    EXPECT_EQ(if_known("Another"), "Another");
    EXPECT_THAT(untranslated(), ElementsAre("A word of nobody"));
    speak("en");
    EXPECT_EQ(tr("Restart"), "Restart");
}

TEST_F(Words, AreThoseOfTheEnvironmentWhereNobodyChose) {
    struct Case {
        const char *all, *messages, *lang, *spoken;
    };
    for (const auto& [all, messages, lang, wanted] :
         {Case{"", "", "de_DE.UTF-8", "de"}, Case{"", "es_MX", "de_DE", "es"}, Case{"C", "es_MX", "de_DE", "en"},
          Case{"", "", "deutsch", "en"}, Case{"", "", "fr_FR.UTF-8", "en"}, Case{"es@euro", "", "", "es"}}) {
        setenv("LC_ALL", all, 1), setenv("LC_MESSAGES", messages, 1), setenv("LANG", lang, 1);
        speak("auto");
        EXPECT_EQ(spoken(), wanted) << all << messages << lang;
    }
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) unsetenv(name);
}

TEST_F(Words, ComeFromFilesOfGettext) {
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
