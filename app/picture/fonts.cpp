// SPDX-License-Identifier: MIT
#include "app/picture/fonts.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "app/picture/machine_fonts.hpp"
#include "assets/assets.hpp"

namespace orrery {
namespace {

constexpr float kTextSize = 15, kLargeSize = 34;  // pixels at scale 1

// Pairs of first and last. A test compares them with the strings of the sources and fails if a character is missing.
constexpr ImWchar kLatinAndGreek[] = {0x20,   0xff,   0x391,  0x3c9,  0x2010, 0x2026, 0x2192, 0x2192,
                                      0x2212, 0x221e, 0x2264, 0x2265, 0x2609, 0x2609, 0};
/// Combining macron and overline; superscripts and subscripts; primes, thirds, arrows; mathematical signs; lines, small
/// triangles; planets; the replacement character.
constexpr ImWchar kSigns[] = {0x304,  0x305,  0x1d40, 0x1d40, 0x2032, 0x2033, 0x2070, 0x2094, 0x2153, 0x215e,
                              0x2190, 0x2199, 0x21d0, 0x21d4, 0x2202, 0x2202, 0x2208, 0x2208, 0x222b, 0x222b,
                              0x2248, 0x2248, 0x2260, 0x2261, 0x2295, 0x2295, 0x2308, 0x230b, 0x2500, 0x2503,
                              0x25b2, 0x25c3, 0x263f, 0x2647, 0xfffd, 0xfffd, 0};
/// For names: Latin Extended-A, Romanian letters, the rest of Greek, Cyrillic, Vietnamese.
constexpr ImWchar kNames[] = {0x100, 0x17f, 0x218, 0x21b, 0x386, 0x390, 0x3ca, 0x3ce, 0x400, 0x4ff, 0x1e80, 0x1ef9, 0};

/// Limit for characters of a scene's names; an atlas has a maximum size.
constexpr std::size_t kMostExtra = 2000;

ImFont* add_file(ImFontAtlas& atlas, std::string_view file, int number, float pixels, const ImWchar* glyphs,
                 bool to_last) {
    ImFontConfig config;
    config.FontNo = number;
    config.FontDataOwnedByAtlas = false;
    config.MergeMode = to_last;
    if (to_last) config.OversampleH = 1;  // a third of the memory; these characters are rare
    return atlas.AddFontFromMemoryTTF(const_cast<char*>(file.data()), static_cast<int>(file.size()), pixels, &config,
                                      glyphs);
}

ImFont* add(ImFontAtlas& atlas, float pixels, const ImWchar* glyphs, bool to_last = false) {
    return add_file(atlas, assets::file("fonts/DejaVuSans.ttf"), 0, pixels, glyphs, to_last);
}

/// ImGui aborts the program if an atlas in use contains a font file that it cannot read.
bool readable(const MachineFont& font) {
    static std::vector<std::pair<const MachineFont*, bool>> known;
    const auto found = std::ranges::find(known, &font, &std::pair<const MachineFont*, bool>::first);
    if (found != known.end()) return found->second;
    constexpr ImWchar kOne[] = {0x20, 0x20, 0};
    ImFontAtlas trial;
    add_file(trial, font.file, font.number, 12, kOne, false);
    return known.emplace_back(&font, trial.Build()).second;
}

bool within(const ImWchar* ranges, ImWchar glyph) {
    for (; ranges[0] != 0; ranges += 2)
        if (ranges[0] <= glyph && glyph <= ranges[1]) return true;
    return false;
}

/// In ImGui's format. ImGui keeps the address until the atlas is built, and with its configuration afterwards.
const ImWchar* ranges_of(const Glyphs& glyphs) {
    static std::vector<std::pair<Glyphs, std::vector<ImWchar>>> all;
    const auto known = std::ranges::find(all, glyphs, &std::pair<Glyphs, std::vector<ImWchar>>::first);
    if (known != all.end()) return known->second.data();
    std::vector<ImWchar> ranges;
    for (const char16_t glyph : glyphs) ranges.push_back(glyph), ranges.push_back(glyph);
    ranges.push_back(0);
    return all.emplace_back(glyphs, std::move(ranges)).second.data();
}

}  // namespace

Glyphs extra_glyphs(const std::vector<std::string>& names) {
    Glyphs glyphs;
    for (const std::string& name : names)
        for (const char *at = name.data(), *end = at + name.size(); at < end;) {
            unsigned glyph = 0;
            const int bytes = ImTextCharFromUtf8(&glyph, at, end);
            at += std::max(1, bytes);
            if (glyph < 0x80 || glyph > 0xffff || glyph == 0xfffd) continue;
            const auto wide = static_cast<ImWchar>(glyph);
            if (within(kLatinAndGreek, wide) || within(kSigns, wide) || within(kNames, wide)) continue;
            glyphs.push_back(static_cast<char16_t>(glyph));
        }
    std::ranges::sort(glyphs);
    glyphs.erase(std::unique(glyphs.begin(), glyphs.end()), glyphs.end());
    if (glyphs.size() > kMostExtra) glyphs.resize(kMostExtra);
    return glyphs;
}

ImFont* add_text_font(ImFontAtlas& atlas, float pixels, const Glyphs& extra) {
    ImFont* font = add(atlas, pixels, kLatinAndGreek);
    add(atlas, pixels, kSigns, true);
    add(atlas, pixels, kNames, true);
    if (extra.empty()) return font;
    add(atlas, pixels, ranges_of(extra), true);
    if (const MachineFont* other = machine_font_for(extra); other && readable(*other))
        add_file(atlas, other->file, other->number, pixels, ranges_of(extra), true);
    return font;
}

Fonts add_window_fonts(ImFontAtlas& atlas, float scale, const Glyphs& extra) {
    ImFont* text = add_text_font(atlas, std::round(kTextSize * scale), extra);
    const std::string_view heavy = assets::file("fonts/DejaVuSans-Bold.ttf");
    ImFont* bold = add_file(atlas, heavy, 0, std::round(kTextSize * scale), kLatinAndGreek, false);
    add_file(atlas, heavy, 0, std::round(kTextSize * scale), kSigns, true);
    const float pixels = std::round(kLargeSize * scale);
    ImFont* large = add(atlas, pixels, kLatinAndGreek);
    add(atlas, pixels, kSigns, true);
    return {text, bold, large};
}

}  // namespace orrery
