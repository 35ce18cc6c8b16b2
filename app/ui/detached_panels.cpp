// SPDX-License-Identifier: MIT
#include "app/ui/detached_panels.hpp"

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

/// The current position and size of the ImGui window.
DetachedPanel seen(std::string_view panel, float scale) {
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    return {panel, std::round(at.x / scale), std::round(at.y / scale), std::round(size.x / scale),
            std::round(size.y / scale)};
}

/// Scales the plots to fill the height that the rest of the page leaves, as measured in the previous frame.
void enlarged_page(Widgets& ui, const PanelEntry& panel, const UiState& state, UiRequests& requests) {
    float& rest = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("rest"), 0);
    float& plots = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("plots"), 0);
    const float room = ImGui::GetContentRegionAvail().y, top = ImGui::GetCursorPosY();
    const float enlarged = plots > 0 ? std::max(1.0f, (room - rest) / plots) : 1;
    ui.set_enlarged(enlarged);
    panel.draw(ui, state, requests);
    plots = ui.plots();
    rest = ImGui::GetCursorPosY() - top - enlarged * plots;
    ui.set_enlarged(1);
}

}  // namespace

bool can_be_detached(std::string_view panel) { return panel != "maps" && panel != "lab"; }

bool is_detached(const DetachedPanels& pages, std::string_view panel) {
    return std::ranges::find(pages, panel, &DetachedPanel::panel) != pages.end();
}

std::string text_of(const DetachedPanels& pages) {
    std::string text;
    for (const DetachedPanel& page : pages)
        text += fmt::format("{}{} {:.0f} {:.0f} {:.0f} {:.0f}", text.empty() ? "" : ", ", page.panel, page.x, page.y,
                            page.width, page.height);
    return text;
}

DetachedPanels detached_panels(std::string_view text) {
    DetachedPanels pages;
    std::istringstream all{std::string{text}};
    for (std::string one; std::getline(all, one, ',');) {
        std::istringstream words{one};
        std::string id;
        DetachedPanel page;
        if (!(words >> id >> page.x >> page.y >> page.width >> page.height)) continue;
        const auto panel = std::ranges::find(panels(), id, &PanelEntry::id);
        const bool sane = std::max(std::abs(page.x), std::abs(page.y)) <= kMostTorn &&
                          std::min(page.width, page.height) > 0 && std::max(page.width, page.height) <= kMostTorn;
        if (panel == panels().end() || !sane || !can_be_detached(id) || is_detached(pages, id)) continue;
        page.panel = panel->id;
        pages.push_back(page);
    }
    return pages;
}

DetachedPanel snapped(DetachedPanel page, const FreeArea& area, float reach) {
    const auto along = [&](float& at, float& size, float low, float high) {
        size = std::min(size, std::max(kLeastTorn, high - low));
        if (std::abs(at - low) <= reach || at < low) at = low;
        if (std::abs(at + size - high) <= reach || at + size > high) at = std::max(low, high - size);
    };
    along(page.x, page.width, area.left, area.right);
    along(page.y, page.height, area.top, area.bottom);
    return page;
}

void detached_windows(Widgets& ui, const UiState& state, UiRequests& requests) {
    const float scale = ui.scale();
    const bool held = ImGui::IsMouseDown(ImGuiMouseButton_Left);
    DetachedPanels pages = state.layout.detached;
    for (DetachedPanel& page : pages) {
        const auto panel = std::ranges::find(panels(), page.panel, &PanelEntry::id);
        const ImGuiCond when = held ? ImGuiCond_Appearing : ImGuiCond_Always;  // while dragging, ImGui moves the window
        ImGui::SetNextWindowPos({page.x * scale, page.y * scale}, when);
        ImGui::SetNextWindowSize({page.width * scale, page.height * scale}, when);
        ImGui::SetNextWindowBgAlpha(1);  // opaque
        ImGui::SetNextWindowSizeConstraints({kLeastTorn * scale, kLeastTorn * scale}, {1e6f, 1e6f});
        const std::string name = fmt::format("{}###torn {}", tr(panel->label), page.panel);
        bool stays = true;
        constexpr int flags = ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                              ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoNav;
        if (ImGui::Begin(name.c_str(), &stays, flags)) {
            enlarged_page(ui, *panel, state, requests);
        }
        if (held) page = seen(page.panel, scale);
        ImGui::End();
        if (!held) page = snapped(page, free_area(state, scale), kTornReach);
        if (!stays) page.width = 0;
    }
    std::erase_if(pages, [](const DetachedPanel& page) { return page.width == 0; });
    if (pages != state.layout.detached && !requests.layout.detached) requests.layout.detached = std::move(pages);
}

}  // namespace orrery
