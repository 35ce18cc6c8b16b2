// SPDX-License-Identifier: MIT
// The embedded fonts have a glyph for every character that the program writes, and for every icon.
#include "app/picture/fonts.hpp"

#include <gmock/gmock.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "app/learn/lesson.hpp"
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

/// Source files below a folder that have one of these extensions.
std::vector<fs::path> files(const char* folder, std::initializer_list<const char*> endings) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator{fs::path{ORRERY_SOURCES} / folder})
        if (std::ranges::find(endings, entry.path().extension()) != endings.end()) found.push_back(entry.path());
    return found;
}

/// Characters without a glyph in this font. Control characters are not drawn and do not count.
Characters missing(const ImFont& font, const Characters& wanted) {
    Characters without;
    for (const char32_t letter : wanted)
        if (letter >= 0x20 && (letter > 0xffff || !font.FindGlyphNoFallback(static_cast<ImWchar>(letter))))
            without.insert(letter);
    return without;
}

/// The fonts of a window, and one of another size as used in frames.
class Glyphs : public testing::Test {
protected:
    Glyphs() : window_{add_window_fonts(atlas_, 1)}, picture_{add_text_font(picture_atlas_, 48)} {
        EXPECT_TRUE(atlas_.Build() && picture_atlas_.Build());
    }
    ImFontAtlas atlas_, picture_atlas_;
    const Fonts window_;
    const ImFont* picture_;
};

TEST_F(Glyphs, CoverEveryStringOfTheSources) {
    std::size_t seen = 0, beyond_ascii = 0;
    for (const char* folder : {"app", "core"})
        for (const fs::path& file : files(folder, {".cpp", ".hpp", ".cu", ".cuh"})) {
            const Characters written = characters_of_literals(text_of(file));
            EXPECT_THAT(missing(*window_.text, written), IsEmpty()) << file;
            EXPECT_THAT(missing(*window_.large, written), IsEmpty()) << file;
            EXPECT_THAT(missing(*window_.bold, written), IsEmpty()) << file;
            EXPECT_THAT(missing(*window_.small, written), IsEmpty()) << file;
            EXPECT_THAT(missing(*picture_, written), IsEmpty()) << file;
            ++seen;
            beyond_ascii += !written.empty() && *written.rbegin() > 0x7f;
        }
    EXPECT_GT(seen, 300u) << "sources scanned";
    EXPECT_GT(beyond_ascii, 40u) << "sources with non-ASCII characters";
}

TEST_F(Glyphs, CoverEveryScene) {
    const auto scenes = files("assets", {".toml"});
    ASSERT_GT(scenes.size(), 10u);
    for (const fs::path& file : scenes)
        EXPECT_THAT(missing(*window_.text, characters_of(text_of(file))), IsEmpty()) << file;
    const auto languages = files("assets", {".po"});
    EXPECT_EQ(languages.size(), 2u);
    for (const fs::path& file : languages)
        for (const ImFont* font : {window_.text, window_.bold, window_.large, window_.small})
            EXPECT_THAT(missing(*font, characters_of(text_of(file))), IsEmpty()) << file;
    for (const PresetEntry& preset : presets())
        for (const std::string& name : make_preset(std::string{preset.id}, {0, 1}).bodies.names)
            EXPECT_THAT(missing(*window_.text, characters_of(name)), IsEmpty()) << preset.id;
}

/// Drawings in lessons, indented lines, are set in letters of equal width.
TEST_F(Glyphs, CoverEveryLesson) {
    for (const Lesson& lesson : shipped_lessons()) {
        std::string text = lesson.title + lesson.text;
        for (const std::string& hint : lesson.hints) text += hint;
        EXPECT_THAT(missing(*window_.text, characters_of(lesson.title)), IsEmpty()) << lesson.id;
        std::istringstream lines{text};
        for (std::string line; std::getline(lines, line);)
            EXPECT_THAT(missing(line.starts_with("    ") ? *window_.mono : *window_.text, characters_of(line)),
                        IsEmpty())
                << lesson.id << ": " << line;
    }
}

TEST_F(Glyphs, CoverEveryIcon) {
    ASSERT_GT(icons().size(), 20u);
    for (const Icon icon : icons())
        for (const ImFont* font : std::initializer_list<const ImFont*>{window_.text, window_.bold, window_.small}) {
            EXPECT_THAT(characters_of(icon_text(icon)), ElementsAre(static_cast<char32_t>(icon)));
            const ImFontGlyph* glyph = font->FindGlyphNoFallback(static_cast<ImWchar>(icon));
            ASSERT_NE(glyph, nullptr) << std::hex << static_cast<unsigned>(icon);
            EXPECT_GT(glyph->X1 - glyph->X0, 4) << std::hex << static_cast<unsigned>(icon) << " is empty";
        }
}

TEST_F(Glyphs, CoverNamesOfBodies) {
    for (const char* name : {"Čapek", "Łódź", "Dvořák", "Iași", "Ångström", "Γαλιλαίος", "Циолковский", "Їжак",
                             "Nguyễn", "☉ ☿ ♀ ⊕ ♂ ♃ ♄ ♅ ♆", "M₁, M₂, 10⁻³"}) {
        EXPECT_THAT(missing(*window_.text, characters_of(name)), IsEmpty()) << name;
        EXPECT_THAT(missing(*picture_, characters_of(name)), IsEmpty()) << name;
    }
}

/// Digits do not move when a number changes, in any weight.
TEST_F(Glyphs, DigitsHaveEqualWidth) {
    for (const ImFont* font :
         std::initializer_list<const ImFont*>{window_.text, window_.bold, window_.large, window_.small, picture_})
        for (char digit = '0'; digit <= '9'; ++digit)
            EXPECT_EQ(font->GetCharAdvance(static_cast<ImWchar>(digit)), font->GetCharAdvance('0')) << digit;
    EXPECT_GT(window_.bold->CalcTextSizeA(15, 1e9f, 0, "Files").x, window_.text->CalcTextSizeA(15, 1e9f, 0, "Files").x);
}

/// Armenian and Georgian: from DejaVu Sans or a system font, else drawn as missing glyphs.
TEST(BodyNames, AddTheirGlyphsToTheAtlas) {
    const std::vector<std::string> names{"Sun", "Ծիածան", "ზღვა", "Sun", "\xff\xfe"};
    const orrery::Glyphs extra = extra_glyphs(names);
    EXPECT_TRUE(extra_glyphs({"Sun", "Čapek", "Γαλιλαίος", "Циолковский", "☉", "\xf0\x9f\x8c\x8d"}).empty());
    EXPECT_NE(extra.find(u'Ծ'), orrery::Glyphs::npos);
    EXPECT_TRUE(std::ranges::is_sorted(extra));
    EXPECT_EQ(std::ranges::adjacent_find(extra), extra.end());
    ImFontAtlas atlas;
    const ImFont* font = add_text_font(atlas, 15, extra);
    ASSERT_TRUE(atlas.Build());
    for (const std::string& name : {names[1], names[2]}) EXPECT_THAT(missing(*font, characters_of(name)), IsEmpty());
}

TEST(BodyNames, UseSystemFontsIfInstalled) {
    const MachineFont* other = machine_font_for(u"火星");
    if (!other) GTEST_SKIP() << "no system font has Chinese characters";
    ImFontAtlas atlas;
    const ImFont* font = add_text_font(atlas, 15, extra_glyphs({"火星"}));
    ASSERT_TRUE(atlas.Build());
    EXPECT_THAT(missing(*font, characters_of("火星")), IsEmpty()) << other->path;
}

TEST_F(Glyphs, MissingOnesAreDetected) {
    EXPECT_THAT(missing(*window_.text, characters_of("火 star")), ElementsAre(U'火'));
    EXPECT_THAT(missing(*window_.text, characters_of_literals("const char* a = \"火\";  // 星")), ElementsAre(U'火'));
    // They are drawn as the replacement character, which cannot be mistaken for a letter.
    EXPECT_EQ(window_.text->FindGlyph(0x706b), window_.text->FindGlyphNoFallback(0xfffd));
}

TEST(Literals, AreDistinguishedFromCommentsAndNumbers) {
    EXPECT_THAT(characters_of_literals("f(\"aπ\", 'λ', 1'000, \"\\\"ρ\"); // ω\n/* θ \" */ \"b\""),
                ElementsAre(U'a', U'b', U'π', U'ρ'));
    EXPECT_THAT(characters_of_literals("R\"x(é)x\" + u8R\"(ü)\" + 'ö'"), ElementsAre(U'é', U'ü'));
    EXPECT_ANY_THROW(characters_of_literals("\"\\u2192\""));
    EXPECT_THAT(characters_of_literals("\"\\x89\" \"\\n\""), IsEmpty());
}

TEST(Font, ShipsWithItsLicence) {
    for (const std::string name : {"fonts/DejaVuSans.ttf", "fonts/DejaVuSansMono.ttf", "fonts/FontAwesome.ttf",
                                   "fonts/Inter-Regular.otf", "fonts/Inter-SemiBold.otf"})
        EXPECT_EQ(assets::file(name), text_of(fs::path{ORRERY_SOURCES} / "assets" / name));
    EXPECT_THAT(text_of(fs::path{ORRERY_SOURCES} / "assets/fonts/LICENSE"),
                testing::AllOf(testing::HasSubstr("Bitstream Vera Fonts Copyright"),
                               testing::HasSubstr("Arev Fonts Copyright"), testing::HasSubstr("The Inter Project"),
                               testing::HasSubstr("Dave Gandy"), testing::HasSubstr("SIL OPEN FONT LICENSE")));
}

}  // namespace
}  // namespace orrery::test
