// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/picture/format.hpp"
#include "app/render/color_maps.hpp"
#include "app/render/scene_lines.hpp"
#include "app/ui/color_controls.hpp"
#include "app/ui/menu_combo.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/view_extras.hpp"

namespace orrery {
namespace {

int deepest_level(const UiState& state) {
    return state.status.engine_report.levels > 1 ? state.status.engine_report.levels - 1 : OctreeView::kDeepest;
}

/// The drawn levels, each in its colour.
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

const SettingInfo& info_of(std::string_view id) { return setting(view_settings(), id).info; }

bool octree(Widgets& ui, const UiState& state, ViewSettings& settings) {
    const OctreeView standard;
    OctreeView& view = settings.octree;
    ViewControls controls{ui, view_settings(), settings};
    controls("octree");
    if (!view.on) return controls.edited();
    ImGui::SameLine();
    controls("octree_leaves");
    bool edited = controls.edited();
    const int deepest = deepest_level(state);
    int last = std::min(view.last, deepest);
    if (ui.whole_number(info_of("octree_first").label, view.first, 0, deepest, standard.first,
                        tip_of(info_of("octree_first"))))
        edited = true, last = std::max(last, view.first);
    if (ui.whole_number(info_of("octree_last").label, last, 0, deepest, deepest, tip_of(info_of("octree_last"))))
        edited = true, view.first = std::min(view.first, last);
    if (edited) view.last = last == deepest ? OctreeView::kDeepest : last;
    edited |= setting_control(ui, setting(view_settings(), "octree_opacity"), settings);
    level_colors(ui, view, deepest);
    if (state.cells_drawn > 0)
        ui.value("Cells drawn", grouped(state.cells_drawn), "Whole levels from the root down, at most 20 000 cells");
    else
        ui.note("There are no cells: the current engine has no tree, or none at these levels.");
    return edited;
}

}  // namespace

void view_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    ViewSettings view = state.view;
    ViewControls controls{ui, view_settings(), view};
    if (ui.button("Reset view", "Restores the view settings of the scene; changes made in this tab are lost", -1))
        requests.ask(Command::kResetView);
    controls("mode");
    controls("neighbours");
    controls("exposure");
    if (!view.white) controls("exposure_by");
    if (state.status.cloud.on)
        for (const char* id : {"cloud_bodies", "cloud_spacing"}) controls(id);
    bool edited = white_controls(ui, state, view);
    // Controls that expand when switched on come first, so that they do not expand below the end of a small window.
    edited |= octree(ui, state, view);
    trail_and_star_controls(controls);
    for (const char* id : {"size", "mass_size", "glow", "stretch", "local_contrast", "contours", "tone_map"})
        controls(id);
    edited |= color_controls(ui, state, view);
    species_controls(ui, state, view, controls);
    guide_controls(controls);
    // Rarely used: the common controls must be above the end of a small window.
    controls("dispersion");
    const SettingInfo& slice = info_of("slice");
    if (const auto thick = ui.typed_real(slice.label, view.slice, tip_of(slice))) view.slice = *thick, edited = true;
    controls("slice_across");
    controls.rest();
    edited |= controls.edited();
    if (edited) requests.view = view;

    ImGui::Spacing();
    bool overlay = state.overlay;
    if (ui.toggle("Large figures", overlay, "Shows large figures, readable from the back of a room. Key I"))
        requests.ask(Command::kOverlay);
    if (state.gpu_ms > 0)
        ui.value("Draw time", fmt::format("{:.2f} ms", state.gpu_ms),
                 "GPU time to draw one frame, as measured by OpenGL");
}

}  // namespace orrery
