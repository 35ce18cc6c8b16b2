// SPDX-License-Identifier: MIT
#include "app/ui/legend.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

namespace orrery {
namespace {

constexpr ImU32 kInk = IM_COL32(235, 238, 245, 230), kShade = IM_COL32(0, 0, 0, 150);

}  // namespace

void draw_words(ImDrawList& draw, ImFont* font, float size, const std::string& words, float left, float top) {
    draw.AddText(font, size, {left + 1, top + 1}, kShade, words.c_str());
    draw.AddText(font, size, {left, top}, kInk, words.c_str());
}

void draw_scale_bar(ImDrawList& draw, ImFont* font, float size, const ScaleBar& bar, const std::string& unit,
                    float left, float bottom) {
    if (!(bar.pixels > 0)) return;
    const float right = left + static_cast<float>(bar.pixels), tick = 0.35f * size, wide = std::max(1.0f, size / 10);
    for (const auto& [shift, ink] : {std::pair{1.0f, kShade}, std::pair{0.0f, kInk}}) {
        const float y = bottom + shift, a = left + shift, b = right + shift;
        draw.AddLine({a, y}, {b, y}, ink, wide);
        draw.AddLine({a, y - tick}, {a, y}, ink, wide);
        draw.AddLine({b, y - tick}, {b, y}, ink, wide);
    }
    const std::string words = fmt::format("{:g}{}{}", bar.length, unit.empty() ? "" : " ", unit);
    const float width = font->CalcTextSizeA(size, 1e9f, 0, words.c_str()).x;
    draw_words(draw, font, size, words, (left + right - width) / 2, bottom - tick - 1.1f * size);
}

void draw_color_bar(ImDrawList& draw, ImFont* font, float size, const ColorBar& bar, float right, float bottom) {
    const auto text = [&](float x, float y, const std::string& words) { draw_words(draw, font, size, words, x, y); };
    const auto width_of = [&](const std::string& words) { return font->CalcTextSizeA(size, 1e9f, 0, words.c_str()).x; };
    const float height = 10 * size, wide = 0.8f * size, gap = 0.4f * size;
    const float left = right - wide, top = bottom - height;
    constexpr int kBands = 64;
    for (int i = 0; i < kBands; ++i) {
        const float at = (static_cast<float>(i) + 0.5f) / kBands;
        const float high = bottom - height * static_cast<float>(i + 1) / kBands;
        draw.AddRectFilled({left, high}, {right, bottom - height * static_cast<float>(i) / kBands},
                           color_for_screen(bar.colors, at));
    }
    draw.AddRect({left, top}, {right, bottom}, kShade);
    for (const ColorTick& tick : bar.ticks) {
        const float y = bottom - height * std::clamp(tick.at, 0.0f, 1.0f);
        draw.AddLine({left - gap / 2, y}, {left, y}, kInk);
        text(left - gap - width_of(tick.text), y - size / 2, tick.text);
    }
    text(right - width_of(bar.title), top - 1.6f * size, bar.title);
}

}  // namespace orrery
