// SPDX-License-Identifier: MIT
// Every character that the program writes has a letter in the font that is part of it.
#include "app/picture/fonts.hpp"

#include <gmock/gmock.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/picture/machine_fonts.hpp"
#include "assets/assets.hpp"
#include "core/presets/presets.hpp"
#include "tests/app/ui/literals.hpp"

namespace orrery::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using Characters = std::set<char32_t>;

std::string text_of(const fs::path& file) {
    std::ifstream stream{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

/// Files below a folder of the sources with one of these endings.
std::vector<fs::path> files(const char* folder, std::initializer_list<const char*> endings) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator{fs::path{ORRERY_SOURCES} / folder})
        if (std::ranges::find(endings, entry.path().extension()) != endings.end()) found.push_back(entry.path());
    return found;
}

/// Characters without a letter in this font; control characters are not drawn.
Characters missing(const ImFont& font, const Characters& wanted) {
    Characters without;
    for (const char32_t letter : wanted)
        if (letter >= 0x20 && (letter > 0xffff || !font.FindGlyphNoFallback(static_cast<ImWchar>(letter))))
            without.insert(letter);
    return without;
}

/// The fonts of a window, and one of another height, as pictures have it.
class Letters : public testing::Test {
protected:
    Letters() : window_{add_window_fonts(atlas_, 1)}, picture_{add_text_font(picture_atlas_, 48)} {
        EXPECT_TRUE(atlas_.Build() && picture_atlas_.Build());
    }
    ImFontAtlas atlas_, picture_atlas_;
    const Fonts window_;
    const ImFont* picture_;
};

TEST_F(Letters, AreThereForEveryStringOfTheSources) {
    std::size_t seen = 0, beyond_ascii = 0;
    for (const char* folder : {"app", "core"})
        for (const fs::path& file : files(folder, {".cpp", ".hpp", ".cu", ".cuh"})) {
            const Characters written = characters_of_literals(text_of(file));
            EXPECT_THAT(missing(*window_.text, written), IsEmpty()) << file;
            EXPECT_THAT(missing(*window_.large, written), IsEmpty()) << file;
            EXPECT_THAT(missing(*window_.bold, written), IsEmpty()) << file;
            EXPECT_THAT(missing(*picture_, written), IsEmpty()) << file;
            ++seen;
            beyond_ascii += !written.empty() && *written.rbegin() > 0x7f;
        }
    EXPECT_GT(seen, 300u) << "of the sources";
    EXPECT_GT(beyond_ascii, 40u) << "of the sources have such letters";
}

TEST_F(Letters, AreThereForEveryScene) {
    const auto scenes = files("assets", {".toml"});
    ASSERT_GT(scenes.size(), 10u);
    for (const fs::path& file : scenes)
        EXPECT_THAT(missing(*window_.text, characters_of(text_of(file))), IsEmpty()) << file;
    const auto languages = files("assets", {".po"});
    EXPECT_EQ(languages.size(), 2u);
    for (const fs::path& file : languages)
        for (const ImFont* font : {window_.text, window_.bold, window_.large})
            EXPECT_THAT(missing(*font, characters_of(text_of(file))), IsEmpty()) << file;
    for (const PresetEntry& preset : presets())
        for (const std::string& name : make_preset(std::string{preset.id}, {0, 1}).bodies.names)
            EXPECT_THAT(missing(*window_.text, characters_of(name)), IsEmpty()) << preset.id;
}

TEST_F(Letters, AreThereForNamesOfBodies) {
    for (const char* name : {"Čapek", "Łódź", "Dvořák", "Iași", "Ångström", "Γαλιλαίος", "Циолковский", "Їжак",
                             "Nguyễn", "☉ ☿ ♀ ⊕ ♂ ♃ ♄ ♅ ♆", "M₁, M₂, 10⁻³"}) {
        EXPECT_THAT(missing(*window_.text, characters_of(name)), IsEmpty()) << name;
        EXPECT_THAT(missing(*picture_, characters_of(name)), IsEmpty()) << name;
    }
}

/// Numbers do not move when they change, in any weight.
TEST_F(Letters, FiguresAreAllAsWide) {
    for (const ImFont* font : std::initializer_list<const ImFont*>{window_.text, window_.bold, window_.large, picture_})
        for (char digit = '0'; digit <= '9'; ++digit)
            EXPECT_EQ(font->GetCharAdvance(static_cast<ImWchar>(digit)), font->GetCharAdvance('0')) << digit;
    EXPECT_GT(window_.bold->CalcTextSizeA(15, 1e9f, 0, "Files").x, window_.text->CalcTextSizeA(15, 1e9f, 0, "Files").x);
}

/// Of a script that is not always there: DejaVu Sans has it, or a font of the machine does, or it is shown as missing.
TEST(NamesOfBodies, HaveLettersOfTheirOwn) {
    const std::vector<std::string> names{"Sun", "Ծիածան", "ზღვა", "Sun", "\xff\xfe"};
    const orrery::Letters extra = letters_beyond(names);
    EXPECT_TRUE(letters_beyond({"Sun", "Čapek", "Γαλιλαίος", "Циолковский", "☉", "\xf0\x9f\x8c\x8d"}).empty());
    EXPECT_NE(extra.find(u'Ծ'), orrery::Letters::npos);
    EXPECT_TRUE(std::ranges::is_sorted(extra));
    EXPECT_EQ(std::ranges::adjacent_find(extra), extra.end());
    ImFontAtlas atlas;
    const ImFont* font = add_text_font(atlas, 15, extra);
    ASSERT_TRUE(atlas.Build());
    for (const std::string& name : {names[1], names[2]}) EXPECT_THAT(missing(*font, characters_of(name)), IsEmpty());
}

TEST(NamesOfBodies, TakeFontsOfTheMachineWhereThereAreSome) {
    const MachineFont* other = machine_font_for(u"火星");
    if (!other) GTEST_SKIP() << "no font of this machine has Chinese characters";
    ImFontAtlas atlas;
    const ImFont* font = add_text_font(atlas, 15, letters_beyond({"火星"}));
    ASSERT_TRUE(atlas.Build());
    EXPECT_THAT(missing(*font, characters_of("火星")), IsEmpty()) << other->path;
}

TEST_F(Letters, ThatAreMissingAreNoticed) {
    EXPECT_THAT(missing(*window_.text, characters_of("火 star")), ElementsAre(U'火'));
    EXPECT_THAT(missing(*window_.text, characters_of_literals("const char* a = \"火\";  // 星")), ElementsAre(U'火'));
    // They show as the character for that, which looks like no letter.
    EXPECT_EQ(window_.text->FindGlyph(0x706b), window_.text->FindGlyphNoFallback(0xfffd));
}

TEST(Literals, AreToldFromCommentsAndNumbers) {
    EXPECT_THAT(characters_of_literals("f(\"aπ\", 'λ', 1'000, \"\\\"ρ\"); // ω\n/* θ \" */ \"b\""),
                ElementsAre(U'a', U'b', U'π', U'ρ'));
    EXPECT_THAT(characters_of_literals("R\"x(é)x\" + u8R\"(ü)\" + 'ö'"), ElementsAre(U'é', U'ü'));
    EXPECT_ANY_THROW(characters_of_literals("\"\\u2192\""));
    EXPECT_THAT(characters_of_literals("\"\\x89\" \"\\n\""), IsEmpty());
}

TEST(Font, ComesWithItsLicence) {
    for (const std::string name : {"fonts/DejaVuSans.ttf", "fonts/DejaVuSans-Bold.ttf"})
        EXPECT_EQ(assets::file(name), text_of(fs::path{ORRERY_SOURCES} / "assets" / name));
    EXPECT_THAT(text_of(fs::path{ORRERY_SOURCES} / "assets/fonts/LICENSE"),
                testing::AllOf(testing::HasSubstr("Bitstream Vera Fonts Copyright"),
                               testing::HasSubstr("Arev Fonts Copyright")));
}

}  // namespace
}  // namespace orrery::test
