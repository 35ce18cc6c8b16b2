// SPDX-License-Identifier: MIT
#pragma once
#include <imgui.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "app/picture/fonts.hpp"

namespace orrery {

/// Colours of panels and dialogs. The picture and the drawings over it are dark in both themes.
enum class Theme : std::uint8_t { kDark, kLight };

struct ThemeEntry {
    std::string_view id, label, doc;
    Theme theme;
};
std::span<const ThemeEntry> themes();
Theme theme_of(std::string_view id);

/// Sets the colours of ImGui's current style.
void set_colors(Theme theme);

/// Colours of a button that stands out: the action that a page is for, or a running recording.
struct RoleColors {
    ImVec4 ground, hovered, text;
};
RoleColors role_colors(bool recording);
ImVec4 record_mark();  ///< of the circle that starts a recording

/// Switches to the colours of the dark theme while it lives, for a drawing over the picture.
class DarkColors {
public:
    DarkColors();
    DarkColors(const DarkColors&) = delete;
    DarkColors& operator=(const DarkColors&) = delete;
    ~DarkColors();

private:
    Theme before_;
};

/// Contrast of two opaque colours as defined by WCAG 2.1, 1 to 21: (L₁ + 0.05) / (L₂ + 0.05) with the relative
/// luminances of sRGB.
double contrast(const ImVec4& a, const ImVec4& b);
/// `color`, darkened or lightened until its contrast with `ground`, which is opaque, is at least `least`.
ImVec4 visible_on(const ImVec4& ground, ImVec4 color, double least);
/// The colour of `above` drawn over `below`, which is opaque.
ImVec4 blended(const ImVec4& above, const ImVec4& below);

inline constexpr double kLeastTextScale = 0.6, kMostTextScale = 2.5;
inline constexpr int kDefaultSidebar = 376, kLeastSidebar = 320, kMostSidebar = 900;  // pixels at scale 1

// Fonts of the current frame, beside that of text: for headings, for remarks and for code.
ImFont* bold_font();
ImFont* small_font();
ImFont* mono_font();  ///< for code

/// Sets colours, spacing and fonts for a screen of this scale; `extra` as in add_text_font(). Needs an ImGui context,
/// and must be called before its first frame.
Fonts apply_style(float scale, Theme theme = Theme::kDark, const Glyphs& extra = {});

}  // namespace orrery
