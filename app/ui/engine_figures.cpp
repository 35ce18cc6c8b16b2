// SPDX-License-Identifier: MIT
#include "app/ui/engine_figures.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/picture/format.hpp"
#include "app/ui/words.hpp"

namespace orrery {
namespace {

// M. Okabe & K. Ito, "Color Universal Design", 2008: distinguishable with any kind of colour vision.
constexpr auto kPhaseColors =
    std::to_array<ImU32>({IM_COL32(86, 180, 233, 255), IM_COL32(230, 159, 0, 255), IM_COL32(0, 158, 115, 255),
                          IM_COL32(204, 121, 167, 255), IM_COL32(213, 94, 0, 255), IM_COL32(240, 228, 66, 255)});
constexpr float kBarHeight = 14, kSwatch = 10;  // pixels at scale 1

ImU32 color_of(std::size_t phase) { return kPhaseColors[phase % kPhaseColors.size()]; }

std::string phase_text(const Phase& phase, double total) {
    return fmt::format("{}: {}, {:.0f} %", if_known(phase.name), milliseconds_text(phase.seconds),
                       total > 0 ? 100 * phase.seconds / total : 0);
}

void bar(Widgets& ui, const EngineReport& report, double total) {
    const float width = ImGui::GetContentRegionAvail().x, height = kBarHeight * ui.scale();
    const bool hovered = ui.canvas("Phases", width, height);
    const ImVec2 at = ImGui::GetItemRectMin();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(at, {at.x + width, at.y + height}, ImGui::GetColorU32(ImGuiCol_FrameBg));
    float left = at.x;
    for (std::size_t i = 0; i < report.phases.size(); ++i) {
        const float right = left + width * static_cast<float>(report.phases[i].seconds / total);
        draw.AddRectFilled({left, at.y}, {std::max(left + 1, right - ui.scale()), at.y + height}, color_of(i));
        const float mouse = ImGui::GetMousePos().x;
        if (hovered && mouse >= left && mouse < right)
            ImGui::SetTooltip("%s", phase_text(report.phases[i], total).c_str());
        left = right;
    }
}

/// Swatch, name and time of each phase, two in a row.
void legend(const Widgets& ui, const EngineReport& report) {
    const float left = ImGui::GetCursorPosX(), column = ImGui::GetContentRegionAvail().x / 2;
    const float swatch = kSwatch * ui.scale();
    for (std::size_t i = 0; i < report.phases.size(); ++i) {
        const float x = left + column * static_cast<float>(i % 2);
        if (i % 2 == 1) ImGui::SameLine();
        ImGui::SetCursorPosX(x);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float top = at.y + (ImGui::GetTextLineHeight() - swatch) / 2;
        ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + swatch, top + swatch}, color_of(i));
        ImGui::SetCursorPosX(x + 1.6f * swatch);
        const std::string name{if_known(report.phases[i].name)}, time = milliseconds_text(report.phases[i].seconds);
        ImGui::TextUnformatted(name.c_str());
        ImGui::SameLine(x + column - ImGui::CalcTextSize(time.c_str()).x - 1.6f * swatch);
        ImGui::TextDisabled("%s", time.c_str());
    }
}

std::string count_text(double number) { return grouped(static_cast<std::uint64_t>(std::llround(number))); }

}  // namespace

void engine_figures(Widgets& ui, const EngineReport& report) {
    double total = 0;
    for (const Phase& phase : report.phases) total += phase.seconds;
    if (total > 0) {
        ImGui::Spacing();
        bar(ui, report, total);
        legend(ui, report);
    }
    if (report.with_bodies + report.with_cells > 0)
        ui.value("Interactions",
                 phrase("{} per body ({} bodies, {} cells)", count_text(report.with_bodies + report.with_cells),
                        count_text(report.with_bodies), count_text(report.with_cells)),
                 "Mean over all bodies: interactions with single bodies, and with accepted cells");
    if (report.cells > 0) {
        ui.value("Cells", phrase("{}, {} leaves", grouped(report.cells), grouped(report.leaves)),
                 "Cells of the tree, and the leaves among them");
        if (report.groups > 0)
            ui.value("Groups", phrase("{}, {} levels", grouped(report.groups), report.levels),
                     "Groups of neighbouring bodies that share a walk; levels of the tree, including the root");
        else
            ui.value("Levels", grouped(static_cast<std::uint64_t>(report.levels)), "Of the tree, including the root");
    }
}

}  // namespace orrery
