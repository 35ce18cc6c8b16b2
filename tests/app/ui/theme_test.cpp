// SPDX-License-Identifier: MIT
// Text is readable in both themes: contrast of at least 4.5 to 1 (WCAG 2.1, 1.4.3, level AA).
#include "app/ui/style.hpp"

#include <gtest/gtest.h>
#include <imgui.h>

#include <array>
#include <utility>

namespace orrery::test {
namespace {

constexpr double kReadable = 4.5;

class EveryTheme : public testing::TestWithParam<Theme> {
protected:
    EveryTheme() { ImGui::CreateContext(); }
    ~EveryTheme() override { ImGui::DestroyContext(); }
};

TEST(Contrast, MatchesTheStandard) {
    const ImVec4 black{0, 0, 0, 1}, white{1, 1, 1, 1}, grey{0x77 / 255.0f, 0x77 / 255.0f, 0x77 / 255.0f, 1};
    EXPECT_NEAR(contrast(black, white), 21, 1e-9);
    EXPECT_NEAR(contrast(white, black), 21, 1e-9);
    EXPECT_NEAR(contrast(white, white), 1, 1e-9);
    EXPECT_NEAR(contrast(grey, white), 4.48, 0.005) << "the standard's example of a colour that just fails";
    EXPECT_NEAR(blended({1, 1, 1, 0.25f}, black).x, 0.25, 1e-6);
}

TEST(Contrast, OnlyInvisibleColorsAreChanged) {
    const ImVec4 black{0, 0, 0, 1}, white{1, 1, 1, 1}, yellow{0.94f, 0.89f, 0.26f, 1};
    EXPECT_EQ(visible_on(black, yellow, 3).x, yellow.x);
    const ImVec4 darker = visible_on(white, yellow, 3);
    EXPECT_GE(contrast(darker, white), 3);
    EXPECT_LT(contrast(darker, white), 4) << "no more than necessary";
    EXPECT_GE(contrast(visible_on(black, {0, 0, 0.3f, 1}, 3), black), 3);
}

/// Panels are translucent, and the frame below them may have any brightness from black to white.
TEST_P(EveryTheme, TextIsReadable) {
    set_colors(GetParam());
    const ImVec4* color = ImGui::GetStyle().Colors;
    const std::array<std::pair<ImGuiCol, float>, 4> grounds{
        {{ImGuiCol_WindowBg, 0}, {ImGuiCol_WindowBg, 1}, {ImGuiCol_PopupBg, 0}, {ImGuiCol_PopupBg, 1}}};
    for (const auto& [ground, picture] : grounds) {
        const ImVec4 below = blended(color[ground], {picture, picture, picture, 1});
        for (const ImGuiCol text : {ImGuiCol_Text, ImGuiCol_TextDisabled})
            EXPECT_GE(contrast(color[text], below), kReadable) << text << " on " << ground << " over " << picture;
        for (const ImGuiCol control :
             {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive, ImGuiCol_Button,
              ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive, ImGuiCol_Header, ImGuiCol_HeaderHovered,
              ImGuiCol_HeaderActive, ImGuiCol_Tab, ImGuiCol_TabActive, ImGuiCol_TabHovered, ImGuiCol_TextSelectedBg})
            EXPECT_GE(contrast(color[ImGuiCol_Text], blended(color[control], below)), kReadable)
                << "text on " << control << " on " << ground << " over " << picture;
        EXPECT_GE(contrast(color[ImGuiCol_TextDisabled], blended(color[ImGuiCol_FrameBg], below)), kReadable)
            << "hint of a text field on " << ground << " over " << picture;
    }
}

TEST_P(EveryTheme, PrimaryButtonsAreReadable) {
    set_colors(GetParam());
    const ImVec4* color = ImGui::GetStyle().Colors;
    for (const bool recording : {false, true}) {
        const RoleColors colors = role_colors(recording);
        EXPECT_GE(contrast(colors.text, colors.ground), kReadable) << recording;
        EXPECT_GE(contrast(colors.text, colors.hovered), kReadable) << recording;
    }
    const ImVec4 panel = blended(color[ImGuiCol_WindowBg], {0, 0, 0, 1});
    for (const ImGuiCol button : {ImGuiCol_Button, ImGuiCol_ButtonHovered})
        EXPECT_GE(contrast(record_mark(), blended(color[button], panel)), 3)
            << "a mark needs 3 to 1 (WCAG 2.1, 1.4.11)";
}

/// The keyboard's focus is a frame in this colour.
TEST_P(EveryTheme, FocusIsVisible) {
    set_colors(GetParam());
    const ImVec4* color = ImGui::GetStyle().Colors;
    for (const ImGuiCol ground : {ImGuiCol_WindowBg, ImGuiCol_PopupBg})
        EXPECT_GE(contrast(color[ImGuiCol_NavHighlight], blended(color[ground], {0, 0, 0, 1})), 3) << ground;
}

TEST_P(EveryTheme, OverlaysUseDarkColors) {
    set_colors(GetParam());
    const ImVec4 before = ImGui::GetStyle().Colors[ImGuiCol_Text];
    {
        const DarkColors dark;
        EXPECT_GT(ImGui::GetStyle().Colors[ImGuiCol_Text].x, 0.8);
    }
    EXPECT_EQ(ImGui::GetStyle().Colors[ImGuiCol_Text].x, before.x);
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryTheme, testing::Values(Theme::kDark, Theme::kLight), [](const auto& chosen) {
    return std::string{themes()[static_cast<std::size_t>(chosen.param)].id};
});

}  // namespace
}  // namespace orrery::test
