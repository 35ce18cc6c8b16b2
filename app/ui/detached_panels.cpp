// SPDX-License-Identifier: MIT
#include "app/ui/torn_pages.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "app/ui/overlays.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/words.hpp"

namespace orrery {
namespace {

constexpr float kTornGap = 10, kTornReach = 16, kLeastTorn = 220, kMostTorn = 16384;  // pixels at scale 1

FreeArea free_area(const UiState& state, float scale) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float left = std::max(sidebar_width(state, scale), 0.0f) / scale + kTornGap;
    return {left, kTornGap, screen.x / scale - kTornGap,
            (screen.y - transport_height(state, scale)) / scale - kTornGap};
}

/// Where ImGui has it now.
TornPage seen(std::string_view panel, float scale) {
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    return {panel, std::round(at.x / scale), std::round(at.y / scale), std::round(size.x / scale),
            std::round(size.y / scale)};
}

/// Its plots share what the rest of the page leaves of the window's height, as the frame before has found it.
void enlarged_page(Widgets& ui, const PanelEntry& panel, const UiState& state, Wishes& wishes) {
    float& rest = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("rest"), 0);
    float& plots = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("plots"), 0);
    const float room = ImGui::GetContentRegionAvail().y, top = ImGui::GetCursorPosY();
    const float enlarged = plots > 0 ? std::max(1.0f, (room - rest) / plots) : 1;
    ui.set_enlarged(enlarged);
    panel.draw(ui, state, wishes);
    plots = ui.plots();
    rest = ImGui::GetCursorPosY() - top - enlarged * plots;
    ui.set_enlarged(1);
}

}  // namespace

bool can_be_torn(std::string_view panel) { return panel != "maps" && panel != "lab"; }

bool is_torn(const TornPages& pages, std::string_view panel) {
    return std::ranges::find(pages, panel, &TornPage::panel) != pages.end();
}

std::string text_of(const TornPages& pages) {
    std::string text;
    for (const TornPage& page : pages)
        text += fmt::format("{}{} {:.0f} {:.0f} {:.0f} {:.0f}", text.empty() ? "" : ", ", page.panel, page.x, page.y,
                            page.width, page.height);
    return text;
}

TornPages torn_pages(std::string_view text) {
    TornPages pages;
    std::istringstream all{std::string{text}};
    for (std::string one; std::getline(all, one, ',');) {
        std::istringstream words{one};
        std::string id;
        TornPage page;
        if (!(words >> id >> page.x >> page.y >> page.width >> page.height)) continue;
        const auto panel = std::ranges::find(panels(), id, &PanelEntry::id);
        const bool sane = std::max(std::abs(page.x), std::abs(page.y)) <= kMostTorn &&
                          std::min(page.width, page.height) > 0 && std::max(page.width, page.height) <= kMostTorn;
        if (panel == panels().end() || !sane || !can_be_torn(id) || is_torn(pages, id)) continue;
        page.panel = panel->id;
        pages.push_back(page);
    }
    return pages;
}

TornPage snapped(TornPage page, const FreeArea& area, float reach) {
    const auto along = [&](float& at, float& size, float low, float high) {
        size = std::min(size, std::max(kLeastTorn, high - low));
        if (std::abs(at - low) <= reach || at < low) at = low;
        if (std::abs(at + size - high) <= reach || at + size > high) at = std::max(low, high - size);
    };
    along(page.x, page.width, area.left, area.right);
    along(page.y, page.height, area.top, area.bottom);
    return page;
}

void torn_windows(Widgets& ui, const UiState& state, Wishes& wishes) {
    const float scale = ui.scale();
    const bool held = ImGui::IsMouseDown(ImGuiMouseButton_Left);
    TornPages pages = state.torn;
    for (TornPage& page : pages) {
        const auto panel = std::ranges::find(panels(), page.panel, &PanelEntry::id);
        const ImGuiCond when = held ? ImGuiCond_Appearing : ImGuiCond_Always;  // a hand that holds it moves it
        ImGui::SetNextWindowPos({page.x * scale, page.y * scale}, when);
        ImGui::SetNextWindowSize({page.width * scale, page.height * scale}, when);
        ImGui::SetNextWindowBgAlpha(1);  // what it covers does not shine through
        ImGui::SetNextWindowSizeConstraints({kLeastTorn * scale, kLeastTorn * scale}, {1e6f, 1e6f});
        const std::string name = fmt::format("{}###torn {}", tr(panel->label), page.panel);
        bool stays = true;
        constexpr int flags = ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                              ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoNav;
        if (ImGui::Begin(name.c_str(), &stays, flags)) {
            enlarged_page(ui, *panel, state, wishes);
        }
        if (held) page = seen(page.panel, scale);
        ImGui::End();
        if (!held) page = snapped(page, free_area(state, scale), kTornReach);
        if (!stays) page.width = 0;
    }
    std::erase_if(pages, [](const TornPage& page) { return page.width == 0; });
    if (pages != state.torn && !wishes.torn) wishes.torn = std::move(pages);
}

}  // namespace orrery
