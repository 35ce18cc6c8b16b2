// SPDX-License-Identifier: MIT
#include "app/ui/style.hpp"

#include <imgui.h>

namespace orrery {
Fonts apply_style(float scale, Theme theme, const Glyphs& extra) {
    ImGuiStyle& style = ImGui::GetStyle();
    set_colors(theme);
    style.WindowPadding = {12, 12};
    style.FramePadding = {8, 4};
    style.ItemSpacing = {8, 6};
    style.ItemInnerSpacing = {6, 4};
    style.WindowRounding = 8;
    style.PopupRounding = style.FrameRounding = style.GrabRounding = style.TabRounding = 4;
    style.ScrollbarRounding = 6;
    style.ScrollbarSize = 10;
    style.GrabMinSize = 12;
    style.FrameBorderSize = 0;
    style.ScaleAllSizes(scale);
    return add_window_fonts(*ImGui::GetIO().Fonts, scale, extra);
}

ImFont* bold_font() { return ImGui::GetIO().Fonts->Fonts[1]; }  // add_window_fonts() makes it second

}  // namespace orrery
