// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/picture/format.hpp"
#include "app/render/cells_pass.hpp"
#include "app/render/color_ramp.hpp"
#include "app/ui/color_controls.hpp"
#include "app/ui/menu_combo.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/view_extras.hpp"

namespace orrery {
namespace {

int deepest_level(const UiState& state) {
    return state.status.engine_report.levels > 1 ? state.status.engine_report.levels - 1 : OctreeView::kDeepest;
}

/// The levels that are drawn, each in its colour.
void level_colors(Widgets& ui, const OctreeView& view, int deepest) {
    const int last = std::min(view.last, deepest), count = last - view.first + 1;
    const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetTextLineHeight();
    ui.canvas("Levels", width, height);
    const ImVec2 at = ImGui::GetItemRectMin();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    for (int i = 0; i < count; ++i) {
        const float left = at.x + width * static_cast<float>(i) / static_cast<float>(count);
        const float right = at.x + width * static_cast<float>(i + 1) / static_cast<float>(count);
        const float share = octree_share(view.first + i, view);
        draw.AddRectFilled({left, at.y}, {right - ui.scale(), at.y + height}, ramp_color(share));
        const std::string text = fmt::format("{}", view.first + i);
        const float wide = ImGui::CalcTextSize(text.c_str()).x;
        if (wide < right - left)
            draw.AddText({(left + right - wide) / 2, at.y}, share > 0.45f ? IM_COL32_BLACK : IM_COL32_WHITE,
                         text.c_str());
    }
}

bool octree(Widgets& ui, const UiState& state, OctreeView& view) {
    const OctreeView standard;
    bool edited = ui.toggle("Octree", view.on, "The cells of a tree engine, coloured by level. Key O");
    if (!view.on) return edited;
    ImGui::SameLine();
    edited |= ui.toggle("Leaves only", view.leaves_only, "Cells that hold bodies, without those above them");
    const int deepest = deepest_level(state);
    int last = std::min(view.last, deepest);
    if (ui.whole_number("First level", view.first, 0, deepest, standard.first, "0: the root, which holds all bodies"))
        edited = true, last = std::max(last, view.first);
    if (ui.whole_number("Last level", last, 0, deepest, deepest, "Down to which the cells are drawn"))
        edited = true, view.first = std::min(view.first, last);
    if (edited) view.last = last == deepest ? OctreeView::kDeepest : last;
    edited |= ui.slider("Opacity", view.opacity, {0, 1, standard.opacity, "%.2f"}, "Of the lines");
    level_colors(ui, view, deepest);
    if (state.cells_drawn > 0)
        ui.value("Cells drawn", grouped(state.cells_drawn),
                 "Whole levels from the root downward, up to 20 000 cells in all");
    else
        ui.note("There are no cells: the engine in force has no tree, or none at these levels.");
    return edited;
}

}  // namespace

void view_panel(Widgets& ui, const UiState& state, Wishes& wishes) {
    const ViewSettings standard;
    ViewSettings view = state.view;
    bool edited = menu_combo(ui, "Drawing", draw_modes(), view.mode, &DrawModeEntry::mode,
                             "How a body becomes light; automatic chooses by their number and the kind of GL");
    edited |= exposure_controls(ui, state, view);
    // What grows when it is on comes first: it must not lie below the end of a small window.
    edited |= octree(ui, state, view.octree);
    edited |= trail_and_star_controls(ui, view.trails, view.stars);
    edited |= ui.slider("Size", view.size, {0.25, 8, standard.size, "%.2f", Scale::kLogarithmic},
                        "Times the size chosen for this number of bodies");
    edited |= ui.slider("Size by mass", view.mass_size, {0, 1, standard.mass_size, "%.2f"},
                        "A body's light is proportional to its mass to this power; 0: all shine alike");
    edited |= ui.slider("Glow", view.glow, {0, 1, standard.glow, "%.2f"}, "Light that bright places spread; 0: none");
    edited |= ui.slider("Stretch", view.stretch, {0.05, 8, standard.stretch, "%.2f", Scale::kLogarithmic},
                        "More lifts what is faint; towards 0 the picture becomes linear");
    edited |= menu_combo(ui, "Tone map", tone_maps(), view.tone_map, &ToneMapEntry::tone_map,
                         "How more light than a screen can show is folded into it");
    edited |= color_controls(ui, state, view);
    edited |= guide_controls(ui, view.guides);
    edited |= ui.toggle("Colour bar", view.color_bar, "What the colours mean, in the lower right corner");
    if (edited) wishes.view = view;

    ImGui::Spacing();
    bool overlay = state.overlay;
    if (ui.toggle("Large figures", overlay, "Readable from the back of a room. Key I")) wishes.ask(Command::kOverlay);
    if (state.gpu_ms > 0)
        ui.value("Draw time", fmt::format("{:.2f} ms", state.gpu_ms), "Of one picture, as GL measures it");
}

}  // namespace orrery
