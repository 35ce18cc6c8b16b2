// SPDX-License-Identifier: MIT
// Words are read back from the triangles of a frame, and the check of words finds those of another language.
#include "app/ui/drawn_text.hpp"

#include <gmock/gmock.h>

#include "app/picture/fonts.hpp"
#include "app/ui/words.hpp"
#include "app/window/gallery/gallery_control.hpp"

namespace orrery::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class DrawnText : public testing::Test {
protected:
    DrawnText() {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = {800, 600};
        fonts_ = add_window_fonts(*io.Fonts, 1);
        unsigned char* pixels = nullptr;
        int width = 0, height = 0;
        io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    }
    ~DrawnText() override {
        set_language("en");
        ImGui::DestroyContext();
    }
    template <class Draw>
    std::vector<DrawnWord> words_of(const Draw& draw) {
        ImGui::NewFrame();
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({400, 300});
        ImGui::Begin("test", nullptr, ImGuiWindowFlags_NoDecoration);
        draw();
        ImGui::End();
        ImGui::Render();
        return drawn_words(*ImGui::GetDrawData(), *ImGui::GetIO().Fonts);
    }
    template <class Draw>
    std::vector<std::string> plain_words_of(const Draw& draw) {
        std::vector<std::string> words;
        for (const DrawnWord& each : words_of(draw)) words.push_back(each.word);
        return words;
    }

    Fonts fonts_;
};

TEST_F(DrawnText, WordsAreReadWithTheirLineFromWidgetsAndDrawings) {
    EXPECT_THAT(plain_words_of([] { ImGui::TextUnformatted("Größe der Kräfte: 3 µs, x"); }),
                ElementsAre("Größe", "der", "Kräfte", "µs"));
    EXPECT_THAT(plain_words_of([] { ImGui::Button("Press me"); }), ElementsAre("Press", "me"));
    EXPECT_THAT(
        plain_words_of([&] {
            ImGui::GetWindowDrawList()->AddText(fonts_.large, 31.7f, {20.3f, 50.6f}, IM_COL32_WHITE, "Two words");
        }),
        ElementsAre("Two", "words"));
    const auto found = words_of([] { ImGui::TextUnformatted("one more line"); });
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[1].line, "one more line");
}

TEST_F(DrawnText, TruncatedWordsAreSkipped) {
    EXPECT_THAT(plain_words_of([] {
                    ImGui::SetCursorPosX(360);
                    ImGui::TextUnformatted("incomprehensibilities");
                }),
                IsEmpty());
    EXPECT_THAT(plain_words_of([] { ImGui::TextUnformatted("whole shorten…"); }), ElementsAre("whole"));
}

TEST_F(DrawnText, WordsOutsideOfTranslationsAndDataAreForeign) {
    check_words();
    set_language("de");
    note_drawn("Qqzwords", "Qqzwords here");
    EXPECT_THAT(foreign_words(), ElementsAre("Qqzwords: Qqzwords here"));
    set_language("de");
    verbatim("a file named qqzwords.csv");
    note_drawn("Qqzwords", "Qqzwords here");
    for (const std::string& word : letters_of(catalogue("de").at("Restart"))) note_drawn(word, word);
    EXPECT_THAT(foreign_words(), IsEmpty());
    set_language("en");
    note_drawn("Xxywords", "Xxywords");
    EXPECT_THAT(foreign_words(), IsEmpty()) << "English needs no translation";
}

TEST_F(DrawnText, LettersOfOtherScriptsMakeWords) {
    EXPECT_THAT(letters_of("Größe 3µs: x, Ω αβ — km/s"), ElementsAre("größe", "µs", "αβ", "km"));
}

TEST_F(DrawnText, MapPictureHasEveryBlockAndTile) {
    const auto indices = [&](const char* map, bool moves) {
        int count = 0;
        words_of([&] {
            ImDrawList* list = ImGui::GetWindowDrawList();
            list->Flags = ImDrawListFlags_None;  // without antialiasing, a rectangle or a line has six indices
            const int before = list->IdxBuffer.Size;
            draw_map_picture(*list, {0, 0}, {320, 180}, map, moves);
            count = list->IdxBuffer.Size - before;
        });
        return count / 6;
    };
    EXPECT_EQ(indices("lambda", false), 45 + 45) << "nine rows: 45 blocks and as many tiles";
    EXPECT_EQ(indices("bb", false), 81 + 45 + 2 * 36) << "36 blocks are crossed out";
    EXPECT_EQ(indices("bb", true), indices("bb", false));
}

}  // namespace
}  // namespace orrery::test
