// SPDX-License-Identifier: MIT
#include "app/ui/color_controls.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/render/color_bar.hpp"
#include "app/render/color_maps.hpp"
#include "app/render/color_modes.hpp"
#include "app/ui/words.hpp"

namespace orrery {
namespace {

constexpr int kBands = 48;  // of a gradient on the screen

void gradient(const ColorTable& table, ImVec2 low, ImVec2 high) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float step = (high.x - low.x) / kBands;
    for (int i = 0; i < kBands; ++i) {
        const float left = low.x + step * static_cast<float>(i);
        draw.AddRectFilled({left, low.y}, {left + step, high.y},
                           color_for_screen(table, static_cast<float>(i) / (kBands - 1)));
    }
}

/// Draws the gradient on the right half of the last item.
void gradient_on_item(const ColorMapEntry& map) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float inset = 0.2f * (high.y - low.y), arrow = high.y - low.y;
    gradient(color_table(map), {low.x + 0.45f * (high.x - low.x), low.y + inset},
             {high.x - arrow - inset, high.y - inset});
}

bool mode_combo(Widgets& ui, const UiState& state, ViewSettings& view) {
    const ColorModeEntry& now = color_mode(view.color_mode);
    if (!ui.begin_combo("Colour by", now.label, phrase("{}. From: {}", tr(now.doc), if_known(now.source))))
        return false;
    bool edited = false;
    for (const ColorModeEntry& entry : color_modes()) {
        const ShownUnit unit = shown_unit(entry.unit, units_of(state.status));
        const std::string tip = phrase("{}. From: {}", tr(entry.doc), if_known(entry.source)) +
                                (unit.text.empty() ? "" : phrase(". In {}", unit.text));
        if (!ui.choice(entry.label, &entry == &now, tip)) continue;
        view.color_mode = entry.id;
        view.scalar_range.reset();  // the old range belonged to another quantity
        edited = true;
    }
    ui.end_combo();
    return edited;
}

bool map_combo(Widgets& ui, const UiState& state, ViewSettings& view) {
    const ColorMapEntry& now = color_map_for(view.color_map, state.picture.extent.color_by);
    const bool automatic = view.color_map == kAutoColorMap;
    const std::string automatic_label =
        phrase("Automatic ({})", if_known(color_map_for(kAutoColorMap, state.picture.extent.color_by).label));
    bool edited = false;
    if (ui.begin_combo("Colour map", automatic ? std::string_view{automatic_label} : now.label,
                       translated(fmt::format("{}. {}", tr(now.doc), now.source)))) {
        if (ui.choice("Automatic", automatic, "The map that suits the colour quantity"))
            view.color_map = kAutoColorMap, edited = true;
        for (const ColorMapEntry& entry : color_maps()) {
            if (ui.choice(entry.label, entry.id == view.color_map,
                          translated(fmt::format("{}. {}", tr(entry.doc), entry.source))))
                view.color_map = entry.id, edited = true;
            gradient_on_item(entry);
        }
        ui.end_combo();
    }
    const float width = ImGui::GetContentRegionAvail().x, height = 0.6f * ImGui::GetTextLineHeight();
    ui.canvas("Gradient", width, height);
    gradient(color_table(now), ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    return edited;
}

bool color_range(Widgets& ui, const UiState& state, ViewSettings& view) {
    const ColorModeEntry& mode = color_mode(state.picture.extent.color_by);
    if (without_order(mode.scale)) return false;
    bool automatic = !view.scalar_range;
    bool edited = ui.toggle("Colour range from the bodies", automatic,
                            "The colour map spans the 2nd to 98th percentile of the quantity; off: the values below");
    const ScalarRange measured = scalar_range(ViewSettings{}, state.picture.extent);
    if (edited) view.scalar_range = automatic ? std::nullopt : std::optional{measured};
    if (automatic) return edited;
    ScalarRange range = view.scalar_range.value_or(measured);
    const bool logarithmic = mode.scale == ColorScale::kLogarithmic;
    const double size =
        std::max({std::abs(measured.low), std::abs(measured.high), std::abs(range.low), std::abs(range.high), 1e-12});
    const double bottom = logarithmic ? size * 1e-8 : std::min(measured.low, range.low) < 0 ? -4 * size : 0;
    const auto scale = logarithmic ? Scale::kLogarithmic : Scale::kLinear;
    edited |= ui.slider("Low", range.low, {bottom, 4 * size, measured.low, "%.3g", scale},
                        "Value at the low end of the colour map, in the scene's units");
    edited |= ui.slider("High", range.high, {bottom, 4 * size, measured.high, "%.3g", scale},
                        "Value at the high end of the colour map, in the scene's units");
    view.scalar_range = range;
    return edited;
}

}  // namespace

SceneUnits units_of(const Status& status) { return {status.length_unit, status.mass_unit, status.days_per_time}; }

bool color_controls(Widgets& ui, const UiState& state, ViewSettings& view) {
    bool edited = mode_combo(ui, state, view);
    if (!state.picture.no_color.empty())
        ui.note(
            phrase("No colours by {}: {}.", color_mode(state.picture.extent.color_by).label, state.picture.no_color));
    edited |= map_combo(ui, state, view);
    edited |= color_range(ui, state, view);
    return edited;
}

}  // namespace orrery
