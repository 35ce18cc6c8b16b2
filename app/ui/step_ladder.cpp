// SPDX-License-Identifier: MIT
#include "app/ui/step_ladder.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/picture/format.hpp"
#include "app/ui/words.hpp"

namespace orrery {

static constexpr float kLadderHeight = 40;      // pixels at scale 1
static constexpr std::size_t kFewestRungs = 8;  // limits the width of the bars

void step_ladder(Widgets& ui, std::span<const std::size_t> bodies) {
    if (bodies.empty()) return;
    const float width = ImGui::GetContentRegionAvail().x, height = kLadderHeight * ui.scale();
    const bool hovered = ui.canvas("Ladder of steps", width, height);
    const ImVec2 at = ImGui::GetItemRectMin();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(at, {at.x + width, at.y + height}, ImGui::GetColorU32(ImGuiCol_FrameBg));
    const auto tall = [](std::size_t count) { return std::log2(1 + static_cast<float>(count)); };
    const float most = tall(*std::ranges::max_element(bodies)),
                step = width / static_cast<float>(std::max(bodies.size(), kFewestRungs));
    for (std::size_t level = 0; level < bodies.size(); ++level) {
        const float left = at.x + step * static_cast<float>(level), high = height * tall(bodies[level]) / most;
        draw.AddRectFilled({left, at.y + height - high}, {left + step - ui.scale(), at.y + height},
                           ImGui::GetColorU32(ImGuiCol_PlotHistogram));
        const float mouse = ImGui::GetMousePos().x;
        if (hovered && mouse >= left && mouse < left + step)
            ImGui::SetTooltip("%s", phrase("steps of dt/{}: {} bodies", std::size_t{1} << level,
                                           grouped(static_cast<std::int64_t>(bodies[level])))
                                        .c_str());
    }
}

}  // namespace orrery
