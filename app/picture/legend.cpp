// SPDX-License-Identifier: MIT
#include "app/picture/legend.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "core/physics/units.hpp"

namespace orrery {
namespace {

constexpr ImU32 kInk = IM_COL32(235, 238, 245, 230), kShade = IM_COL32(0, 0, 0, 150),
                kFaint = IM_COL32(205, 214, 230, 200);

float width_of(ImFont* font, float size, const std::string& words) {
    return font->CalcTextSizeA(size, 1e9f, 0, words.c_str()).x;
}

void words_in(ImDrawList& draw, ImFont* font, float size, const std::string& words, ImVec2 at, ImU32 ink) {
    draw.AddText(font, size, {at.x + 1, at.y + 1}, kShade, words.c_str());
    draw.AddText(font, size, at, ink, words.c_str());
}

/// A length of the scene as a labelled bar, from (left, bottom) to the right.
LegendArea draw_scale_bar(ImDrawList& draw, ImFont* font, float size, const ScaleBar& bar, const std::string& unit,
                          float left, float bottom) {
    const float right = left + static_cast<float>(bar.pixels), tick = 0.35f * size, wide = std::max(1.0f, size / 10);
    for (const auto& [shift, ink] : {std::pair{1.0f, kShade}, std::pair{0.0f, kInk}}) {
        const float y = bottom + shift, a = left + shift, b = right + shift;
        draw.AddLine({a, y}, {b, y}, ink, wide);
        draw.AddLine({a, y - tick}, {a, y}, ink, wide);
        draw.AddLine({b, y - tick}, {b, y}, ink, wide);
    }
    const std::string words = fmt::format("{:g}{}{}", bar.length, unit.empty() ? "" : " ", unit);
    const float width = width_of(font, size, words), middle = (left + right) / 2, top = bottom - tick - 1.1f * size;
    draw_words(draw, font, size, words, middle - width / 2, top);
    return {"scale", std::min(left, middle - width / 2), top, std::max(right, middle + width / 2), bottom};
}

/// One line per name, the first on top.
LegendArea draw_names(ImDrawList& draw, ImFont* font, float size, const ColorBar& bar, float right, float bottom) {
    const float line = 1.4f * size, swatch = 0.8f * size;
    float y = bottom - line * static_cast<float>(bar.ticks.size()), widest = width_of(font, size, bar.title);
    const float top = y - 1.4f * size;
    draw_words(draw, font, size, bar.title, right - widest, top);
    for (const ColorTick& tick : bar.ticks) {
        draw.AddRectFilled({right - swatch, y}, {right, y + swatch}, color_for_screen(bar.colors, tick.at));
        const float width = 1.5f * swatch + width_of(font, size, tick.text);
        draw_words(draw, font, size, tick.text, right - width, y + (swatch - size) / 2);
        widest = std::max(widest, width);
        y += line;
    }
    return {"colours", right - widest, top, right, bottom};
}

/// A vertical bar with its lower right corner at (right, bottom).
LegendArea draw_color_bar(ImDrawList& draw, ImFont* font, float size, const ColorBar& bar, float right, float bottom) {
    if (bar.names) return draw_names(draw, font, size, bar, right, bottom);
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
    float widest = width_of(font, size, bar.title);
    for (const ColorTick& tick : bar.ticks) {
        const float y = bottom - height * std::clamp(tick.at, 0.0f, 1.0f);
        draw.AddLine({left - gap / 2, y}, {left, y}, kInk);
        const float width = wide + gap + width_of(font, size, tick.text);
        draw_words(draw, font, size, tick.text, right - width, y - size / 2);
        widest = std::max(widest, width);
    }
    draw_words(draw, font, size, bar.title, right - width_of(font, size, bar.title), top - 1.6f * size);
    return {"colours", right - widest, top - 1.6f * size, right, bottom};
}

/// Places labels beside their bodies, in order; omits those that would overlap an earlier one.
void draw_labels(ImDrawList& draw, ImFont* font, float size, const std::vector<Label>& labels) {
    std::vector<ImVec4> taken;  // left, top, right, bottom
    for (const Label& label : labels) {
        const float left = static_cast<float>(label.at.x) + 0.7f * size,
                    top = static_cast<float>(label.at.y) - size / 2;
        const ImVec4 box{left, top, left + width_of(font, size, label.text), top + size};
        const bool hidden = std::ranges::any_of(taken, [&](const ImVec4& other) {
            return box.x < other.z && other.x < box.z && box.y < other.w && other.y < box.w;
        });
        if (hidden) continue;
        taken.push_back(box);
        words_in(draw, font, size, label.text, {left, top}, kFaint);
    }
}

std::vector<Label> labels_of(const LegendSource& source) {
    const auto& names = source.words.names;
    const std::size_t count = std::min(names.size(), kMostLabels);
    std::vector<Label> labels;
    if (source.places.size() < count) return labels;
    const auto& species = source.words.species_of;
    const auto hidden = source.view.species.hidden();
    const Periodic space = periodic_of(source.view, source.words.box);
    for (std::size_t i = 0; i < count; ++i) {
        if (i < species.size() && hidden[static_cast<std::size_t>(species[i])]) continue;
        const Vec4f& place = source.places[i];
        const Vec3d drawn = space.nearest({place.x, place.y, place.z});
        const auto at = source.camera.project({drawn.x, drawn.y, drawn.z}, source.width, source.height);
        if (at && !names[i].empty()) labels.push_back({*at, names[i]});
    }
    return labels;
}

/// The scale bar of a cosmological snapshot: a round length in its own unit, or a physical one.
void add_scale(Legend& legend, const LegendSource& source) {
    legend.scale = scale_bar(source.camera, source.height, source.longest_scale);
    const Cosmology& universe = source.words.cosmology;
    const double physical = physical_factor(universe, source.expansion);
    if (!(physical > 0) || (universe.length_a == 0 && universe.length_h == 0)) return;
    std::string& unit = legend.length_unit;
    if (source.view.guides.physical) {
        legend.scale = scale_bar(source.camera, source.height, source.longest_scale, physical);
        unit += unit.empty() ? "physical" : " physical";
        return;
    }
    if (universe.length_h == -1) unit += unit.empty() ? "1/h" : "/h";
    if (universe.length_a == 1) unit += unit.empty() ? "comoving" : " comoving";
}

}  // namespace

Legend make_legend(const LegendSource& source) {
    const BodyMetadata& words = source.words;
    Legend legend{.length_unit = words.length_unit};
    if (source.view.color_bar && source.colored)
        legend.colors = color_bar(source.view, source.extent, words, source.expansion);
    const GuideView& guides = source.view.guides;
    if (guides.scale_bar) add_scale(legend, source);
    if (guides.time_stamp) legend.clock = named_clock_text(source.time, words.days_per_time, source.scale_factor);
    if (guides.labels) legend.labels = labels_of(source);
    return legend;
}

std::vector<LegendArea> draw_legend(ImDrawList& draw, ImFont* font, float size, const Legend& legend,
                                    const LegendPlace& place) {
    std::vector<LegendArea> areas;
    draw_labels(draw, font, size, legend.labels);
    if (legend.colors)
        areas.push_back(
            draw_color_bar(draw, font, size, *legend.colors, place.right, place.bottom - place.above_right));
    if (legend.scale && legend.scale->pixels > 0)
        areas.push_back(draw_scale_bar(draw, font, size, *legend.scale, legend.length_unit, place.left, place.bottom));
    if (!legend.clock.empty()) {
        const float top = place.bottom - (legend.scale ? 3.2f : 1.0f) * size;
        draw_words(draw, font, size, legend.clock, place.left, top);
        areas.push_back({"clock", place.left, top, place.left + width_of(font, size, legend.clock), top + size});
    }
    return areas;
}

void draw_words(ImDrawList& draw, ImFont* font, float size, const std::string& words, float left, float top) {
    words_in(draw, font, size, words, {left, top}, kInk);
}

}  // namespace orrery
