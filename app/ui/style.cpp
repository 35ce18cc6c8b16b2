// SPDX-License-Identifier: MIT
#include "app/ui/style.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace orrery {
namespace {

constexpr auto kThemes = std::to_array<ThemeEntry>({
    {"dark", "Dark", "light text on dark panels", Theme::kDark},
    {"light", "Light panels", "dark text on light panels; the picture and the drawings over it stay dark",
     Theme::kLight},
});

Theme current = Theme::kDark;  // theme of ImGui's style, which is global

ImVec4 mix(float r, float g, float b, float a = 1) { return {r, g, b, a}; }

/// The colours and opacities in which the themes differ.
struct Shades {
    ImVec4 text, dim, window, popup, accent, grab, ink;  // ink: drawn thinly for frames and lines
    float button, line;                                  // opacities of ink
};

constexpr float kTransparent = 0.92f;

Shades shades(Theme theme) {
    if (theme == Theme::kLight)
        return {.text = mix(0.10f, 0.11f, 0.13f),
                .dim = mix(0.33f, 0.35f, 0.39f),
                .window = mix(0.955f, 0.96f, 0.965f, 0.97f),
                .popup = mix(0.985f, 0.985f, 0.99f, 1),
                .accent = mix(0.80f, 0.44f, 0.06f),
                .grab = mix(0.72f, 0.38f, 0.03f),
                .ink = mix(0, 0, 0),
                .button = 0.085f,
                .line = 0.16f};
    return {.text = mix(0.90f, 0.91f, 0.93f),
            .dim = mix(0.58f, 0.61f, 0.66f),
            .window = mix(0.055f, 0.06f, 0.075f, kTransparent),
            .popup = mix(0.075f, 0.08f, 0.10f, 0.98f),
            .accent = mix(0.94f, 0.62f, 0.28f),
            .grab = mix(1, 0.75f, 0.45f),
            .ink = mix(1, 1, 1),
            .button = 0.10f,
            .line = 0.12f};
}

/// Linear value of an sRGB component.
double linear(float c) {
    const double v = c;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

double luminance(const ImVec4& c) { return 0.2126 * linear(c.x) + 0.7152 * linear(c.y) + 0.0722 * linear(c.z); }

}  // namespace

std::span<const ThemeEntry> themes() { return kThemes; }

Theme theme_of(std::string_view id) {
    const auto found = std::ranges::find(kThemes, id, &ThemeEntry::id);
    return found == kThemes.end() ? Theme::kDark : found->theme;
}

void set_colors(Theme theme) {
    current = theme;
    const Shades s = shades(theme);
    if (theme == Theme::kLight)
        ImGui::StyleColorsLight();
    else
        ImGui::StyleColorsDark();
    ImVec4* c = ImGui::GetStyle().Colors;
    const auto faint = [&](float a) { return ImVec4{s.accent.x, s.accent.y, s.accent.z, a}; };
    const auto thin = [&](float a) { return ImVec4{s.ink.x, s.ink.y, s.ink.z, a}; };
    c[ImGuiCol_Text] = s.text;
    c[ImGuiCol_TextDisabled] = s.dim;
    c[ImGuiCol_WindowBg] = s.window;
    c[ImGuiCol_PopupBg] = s.popup;
    c[ImGuiCol_ChildBg] = thin(0);
    c[ImGuiCol_Border] = thin(s.line * 0.75f);
    c[ImGuiCol_FrameBg] = thin(s.button * 0.75f);
    c[ImGuiCol_FrameBgHovered] = thin(0.13f);
    c[ImGuiCol_FrameBgActive] = thin(0.17f);
    c[ImGuiCol_Button] = thin(s.button);
    c[ImGuiCol_ButtonHovered] = faint(0.45f);
    c[ImGuiCol_ButtonActive] = faint(0.50f);
    c[ImGuiCol_Header] = faint(0.28f);
    c[ImGuiCol_HeaderHovered] = faint(0.40f);
    c[ImGuiCol_HeaderActive] = faint(0.48f);
    c[ImGuiCol_CheckMark] = s.accent;
    c[ImGuiCol_SliderGrab] = faint(0.65f);  // keeps the number behind it readable
    c[ImGuiCol_SliderGrabActive] = s.grab;
    c[ImGuiCol_PlotHistogram] = s.accent;
    c[ImGuiCol_Separator] = thin(s.line);
    c[ImGuiCol_Tab] = thin(0.05f);
    c[ImGuiCol_TabHovered] = faint(0.45f);
    c[ImGuiCol_TabActive] = faint(0.30f);
    c[ImGuiCol_TextSelectedBg] = faint(0.40f);
    c[ImGuiCol_NavHighlight] = s.accent;
    for (const ImGuiCol bar : {ImGuiCol_TitleBg, ImGuiCol_TitleBgActive, ImGuiCol_TitleBgCollapsed, ImGuiCol_MenuBarBg})
        c[bar] = blended(faint(bar == ImGuiCol_TitleBgActive ? 0.30f : 0.16f), s.popup);
    c[ImGuiCol_ResizeGrip] = thin(s.line * 1.5f);
    c[ImGuiCol_ResizeGripHovered] = c[ImGuiCol_SeparatorHovered] = faint(0.55f);
    c[ImGuiCol_ResizeGripActive] = c[ImGuiCol_SeparatorActive] = faint(0.85f);
    c[ImGuiCol_TabUnfocused] = c[ImGuiCol_Tab];
    c[ImGuiCol_TabUnfocusedActive] = c[ImGuiCol_TabActive];
    c[ImGuiCol_DragDropTarget] = c[ImGuiCol_PlotHistogramHovered] = c[ImGuiCol_PlotLinesHovered] = s.grab;
    c[ImGuiCol_ScrollbarBg] = thin(0);
    c[ImGuiCol_ScrollbarGrab] = thin(s.line * 1.5f);
}

RoleColors role_colors(bool recording) {
    if (recording)
        return {.ground = mix(0.76f, 0.16f, 0.14f), .hovered = mix(0.66f, 0.12f, 0.11f), .text = mix(1, 1, 1)};
    const Shades s = shades(current);
    return {.ground = s.accent, .hovered = blended(mix(1, 1, 1, 0.15f), s.accent), .text = mix(0.09f, 0.06f, 0.02f)};
}

ImVec4 record_mark() { return current == Theme::kLight ? mix(0.76f, 0.10f, 0.09f) : mix(1, 0.52f, 0.48f); }

DarkColors::DarkColors() : before_{current} {
    if (before_ != Theme::kDark) set_colors(Theme::kDark);
}

DarkColors::~DarkColors() {
    if (before_ != Theme::kDark) set_colors(before_);
}

double contrast(const ImVec4& a, const ImVec4& b) {
    const double one = luminance(a) + 0.05, other = luminance(b) + 0.05;
    return std::max(one, other) / std::min(one, other);
}

ImVec4 visible_on(const ImVec4& ground, ImVec4 color, double least) {
    constexpr float kStep = 0.1f;
    const float end = luminance(ground) > 0.18 ? 0 : 1;  // at 0.18, black and white have the same contrast
    for (int i = 0; i < 20 && contrast(color, ground) < least; ++i)
        for (float* part : {&color.x, &color.y, &color.z}) *part += kStep * (end - *part);
    return color;
}

ImVec4 blended(const ImVec4& above, const ImVec4& below) {
    const auto part = [&](float a, float b) { return b + above.w * (a - b); };
    return {part(above.x, below.x), part(above.y, below.y), part(above.z, below.z), 1};
}

Fonts apply_style(float scale, Theme theme, const Glyphs& extra) {
    ImGuiStyle& style = ImGui::GetStyle();
    set_colors(theme);
    style.WindowPadding = {12, 12};
    style.FramePadding = {8, 3};
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

// In the order of add_window_fonts().
ImFont* bold_font() { return ImGui::GetIO().Fonts->Fonts[1]; }
ImFont* small_font() { return ImGui::GetIO().Fonts->Fonts[3]; }
ImFont* mono_font() { return ImGui::GetIO().Fonts->Fonts[4]; }

}  // namespace orrery
