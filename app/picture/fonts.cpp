// SPDX-License-Identifier: MIT
#include "app/picture/fonts.hpp"

#include <imgui.h>

#include <cmath>
#include <string_view>

#include "assets/assets.hpp"

namespace orrery {
namespace {

constexpr float kTextSize = 15, kLargeSize = 34;  // pixels at scale 1

// Pairs of first and last. A test compares all of them with the strings of the sources: what is missing there fails it.
constexpr ImWchar kLatinAndGreek[] = {0x20,   0xff,   0x391,  0x3c9,  0x2010, 0x2026, 0x2192, 0x2192,
                                      0x2212, 0x221e, 0x2264, 0x2265, 0x2609, 0x2609, 0};
/// Combining macron and overline; superscripts and subscripts; primes, thirds, arrows; of mathematics; lines, small
/// triangles; planets; what stands for a character that is not there.
constexpr ImWchar kSigns[] = {0x304,  0x305,  0x1d40, 0x1d40, 0x2032, 0x2033, 0x2070, 0x2094, 0x2153, 0x215e,
                              0x2190, 0x2195, 0x21d0, 0x21d4, 0x2202, 0x2202, 0x2208, 0x2208, 0x222b, 0x222b,
                              0x2248, 0x2248, 0x2260, 0x2261, 0x2295, 0x2295, 0x2308, 0x230b, 0x2500, 0x2503,
                              0x25b2, 0x25c3, 0x263f, 0x2647, 0xfffd, 0xfffd, 0};
/// Of names: Latin Extended-A, Romanian letters, the rest of Greek, Cyrillic, Vietnamese.
constexpr ImWchar kNames[] = {0x100, 0x17f, 0x218, 0x21b, 0x386, 0x390, 0x3ca, 0x3ce, 0x400, 0x4ff, 0x1e80, 0x1ef9, 0};

ImFont* add(ImFontAtlas& atlas, float pixels, const ImWchar* glyphs, bool to_last = false) {
    const std::string_view file = assets::file("fonts/DejaVuSans.ttf");
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.MergeMode = to_last;
    if (to_last) config.OversampleH = 1;  // a third of the memory, for letters that are rare
    return atlas.AddFontFromMemoryTTF(const_cast<char*>(file.data()), static_cast<int>(file.size()), pixels, &config,
                                      glyphs);
}

}  // namespace

ImFont* add_text_font(ImFontAtlas& atlas, float pixels) {
    ImFont* font = add(atlas, pixels, kLatinAndGreek);
    add(atlas, pixels, kSigns, true);
    add(atlas, pixels, kNames, true);
    return font;
}

Fonts add_window_fonts(ImFontAtlas& atlas, float scale) {
    ImFont* text = add_text_font(atlas, std::round(kTextSize * scale));
    const float pixels = std::round(kLargeSize * scale);
    ImFont* large = add(atlas, pixels, kLatinAndGreek);
    add(atlas, pixels, kSigns, true);
    return {text, large};
}

}  // namespace orrery
