// SPDX-License-Identifier: MIT
#include "app/ui/style.hpp"

#include <imgui.h>

namespace orrery {
namespace {

ImVec4 mix(float r, float g, float b, float a = 1) { return {r, g, b, a}; }

void set_colors(ImGuiStyle& style) {
    ImVec4* c = style.Colors;
    ImGui::StyleColorsDark();
    const ImVec4 accent = mix(0.94f, 0.62f, 0.28f);
    const auto faint = [&](float a) { return ImVec4{accent.x, accent.y, accent.z, a}; };
    c[ImGuiCol_Text] = mix(0.90f, 0.91f, 0.93f);
    c[ImGuiCol_TextDisabled] = mix(0.58f, 0.61f, 0.66f);
    c[ImGuiCol_WindowBg] = mix(0.055f, 0.06f, 0.075f, 0.86f);
    c[ImGuiCol_PopupBg] = mix(0.075f, 0.08f, 0.10f, 0.98f);
    c[ImGuiCol_Border] = mix(1, 1, 1, 0.09f);
    c[ImGuiCol_FrameBg] = mix(1, 1, 1, 0.075f);
    c[ImGuiCol_FrameBgHovered] = mix(1, 1, 1, 0.13f);
    c[ImGuiCol_FrameBgActive] = mix(1, 1, 1, 0.17f);
    c[ImGuiCol_Button] = mix(1, 1, 1, 0.10f);
    c[ImGuiCol_ButtonHovered] = faint(0.45f);
    c[ImGuiCol_ButtonActive] = faint(0.70f);
    c[ImGuiCol_Header] = faint(0.28f);
    c[ImGuiCol_HeaderHovered] = faint(0.40f);
    c[ImGuiCol_HeaderActive] = faint(0.55f);
    c[ImGuiCol_CheckMark] = accent;
    c[ImGuiCol_SliderGrab] = faint(0.65f);  // the number behind it stays readable
    c[ImGuiCol_SliderGrabActive] = mix(1, 0.75f, 0.45f);
    c[ImGuiCol_PlotHistogram] = accent;
    c[ImGuiCol_Separator] = mix(1, 1, 1, 0.12f);
    c[ImGuiCol_Tab] = mix(1, 1, 1, 0.05f);
    c[ImGuiCol_TabHovered] = faint(0.45f);
    c[ImGuiCol_TabActive] = faint(0.30f);
    c[ImGuiCol_TextSelectedBg] = faint(0.40f);
    c[ImGuiCol_NavHighlight] = accent;
    c[ImGuiCol_ScrollbarBg] = mix(0, 0, 0, 0);
    c[ImGuiCol_ScrollbarGrab] = mix(1, 1, 1, 0.18f);
}

}  // namespace

Fonts apply_style(float scale) {
    ImGuiStyle& style = ImGui::GetStyle();
    set_colors(style);
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
    return add_window_fonts(*ImGui::GetIO().Fonts, scale);
}

}  // namespace orrery
