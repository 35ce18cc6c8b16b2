// SPDX-License-Identifier: MIT
#include "app/window/panels.hpp"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <sstream>
#include <vector>

#include "app/ui/words.hpp"
#include "app/window/overlays.hpp"

namespace orrery {
namespace {

constexpr std::string_view kTearOff = "↗", kClosePage = "×";
constexpr std::string_view kClosePageDoc =
    "Closes the page; a click on a group opens it again. Key Tab hides all panels";
constexpr std::string_view kTearOffDoc =
    "Opens this page in a separate window, which can be moved and resized, and is remembered; its × puts it back";
constexpr float kGroupsHeight = 46, kHandleWidth = 8;
constexpr int kSidebarStep = 16;  // by an arrow key

constexpr auto kGroups = std::to_array<PanelGroupEntry>({
    {PanelGroup::kScene, "Scene", "Presets, files, bodies, softening, step length"},
    {PanelGroup::kLook, "Look", "Picture, camera, videos and screenshots"},
    {PanelGroup::kMeasure, "Measure", "Energies, structure, times, a comparison of two simulations"},
    {PanelGroup::kCompute, "Compute", "Engines, thread maps, the laboratory"},
});

/// In pixels; the picture keeps at least half of the window.
float panel_width(const UiState& state, float scale) {
    const float most = std::max(kLeastSidebar * scale, ImGui::GetIO().DisplaySize.x / 2);
    return std::min(static_cast<float>(state.layout.sidebar) * scale, most);
}

const PanelEntry* panel_of(std::string_view id) {
    const auto found = std::ranges::find(panels(), id, &PanelEntry::id);
    return found == panels().end() ? nullptr : &*found;
}

/// The page of a group that was open last, or its first.
const PanelEntry& last_of(PanelGroup group, const UiState& state) {
    const PanelEntry* last = panel_of(state.layout.last_panels[static_cast<std::size_t>(group)]);
    return last ? *last : *std::ranges::find(panels(), group, &PanelEntry::group);
}

/// Buttons that fill a line, or two if one is too short: each is as wide as its text and an equal share of the
/// remaining space.
class Line {
public:
    void add(std::string_view label) { widths_.push_back(button_width(tr(label))); }
    /// Draws the next button. Returns whether it was clicked.
    bool tab(Widgets& ui, std::string_view label, std::string_view tip, bool chosen) {
        if (next_ == 0) in_row_ = left_over(0, widths_.size()) >= 0 ? widths_.size() : (widths_.size() + 1) / 2;
        const std::size_t of_row = std::min(in_row_, widths_.size() - next_ / in_row_ * in_row_);
        if (next_ % in_row_ == 0)
            each_ = left_over(next_, of_row) / static_cast<float>(of_row);
        else
            ImGui::SameLine();
        return ui.tab(label, chosen, tip, std::floor(widths_[next_++] + each_));
    }

private:
    /// Pixels left beside the texts of `count` buttons.
    float left_over(std::size_t first, std::size_t count) const {
        const float gaps = static_cast<float>(count - 1) * ImGui::GetStyle().ItemSpacing.x;
        const auto begin = widths_.begin() + static_cast<std::ptrdiff_t>(first);
        return ImGui::GetContentRegionAvail().x - gaps -
               std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(count), 0.0f);
    }

    std::vector<float> widths_;
    std::size_t next_ = 0, in_row_ = 1;
    float each_ = 0;
};

/// True if a page can be detached: it has no drawing over the picture.
bool can_be_detached(std::string_view panel) { return panel != "maps" && panel != "kernel" && panel != "lab"; }

/// Draws the groups, then the pages of the open one. A page stays open until another is chosen or it is closed.
void tabs(Widgets& ui, const PanelEntry* open, const UiState& state, UiRequests& requests) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {4 * ui.scale(), ImGui::GetStyle().ItemSpacing.y});
    ImGui::PushID("tabs");  // a control of a page may have the same name
    Line groups, pages;
    for (const PanelGroupEntry& group : kGroups) groups.add(group.label);
    if (open) groups.add(kClosePage);
    for (const PanelGroupEntry& group : kGroups) {
        const bool chosen = open && open->group == group.group;
        if (groups.tab(ui, group.label, group.doc, chosen) && !chosen)
            requests.layout.panel = last_of(group.group, state).id;
    }
    if (open && groups.tab(ui, kClosePage, kClosePageDoc, false)) requests.layout.panel = std::string_view{};
    if (open) {
        const auto of_group = [&](const PanelEntry& panel) { return panel.group == open->group; };
        for (const PanelEntry& panel : panels())
            if (of_group(panel)) pages.add(panel.label);
        if (can_be_detached(open->id) && !is_detached(state.layout.detached, open->id)) pages.add(kTearOff);
        for (const PanelEntry& panel : panels())
            if (of_group(panel) && pages.tab(ui, panel.label, panel.doc, &panel == open))
                requests.layout.panel = panel.id;
        if (can_be_detached(open->id) && !is_detached(state.layout.detached, open->id) &&
            pages.tab(ui, kTearOff, kTearOffDoc, false)) {
            const float right = ImGui::GetIO().DisplaySize.x / ui.scale() - kOverlayGap;
            requests.layout.detached = state.layout.detached;
            // As high as the page, if there is room; its tabs in the sidebar take as much room as the title of a
            // window.
            const float page = ImGui::GetCurrentWindow()->ContentSize.y / ui.scale() + 2 * kOverlayGap;
            const float free =
                (ImGui::GetIO().DisplaySize.y - transport_height(state, ui.scale())) / ui.scale() - 2 * kOverlayGap;
            const float height = std::min(std::max(page, kDefaultDetachedHeight), free);
            requests.layout.detached->push_back(
                {open->id, right - kDefaultDetachedWidth, kOverlayGap, kDefaultDetachedWidth, height});
        }
        ImGui::Separator();
    }
    ImGui::PopID();
    ImGui::PopStyleVar();
}

/// Shown instead of a page that is in its own window.
void elsewhere(Widgets& ui, const PanelEntry& panel, const UiState& state, UiRequests& requests) {
    ui.note("This page is open in a separate window.");
    if (!ui.button("Put back", "Closes the window; the page is here again", -1)) return;
    requests.layout.detached = state.layout.detached;
    std::erase_if(*requests.layout.detached, [&](const DetachedPanel& page) { return page.panel == panel.id; });
}

/// The right edge of the sidebar, which can be dragged; a double click restores the default width.
void handle(Widgets& ui, const UiState& state, float right, float top, float bottom, UiRequests& requests) {
    const float wide = kHandleWidth * ui.scale(), tall = std::max(1.0f, bottom - top);
    ImGui::SetNextWindowPos({right, top});
    ImGui::SetNextWindowSize({wide, tall});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    constexpr int flags = kFloatingWindow | ImGuiWindowFlags_NoBackground;
    if (ImGui::Begin("sidebar edge", nullptr, flags)) {
        const bool hovered = ui.canvas("Sidebar edge", wide, tall,
                                       "Drag to set the width of the sidebar; double click for the default width");
        if (hovered || ImGui::IsItemActive()) {
            ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
            const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
            ImGui::GetWindowDrawList()->AddLine(low, {low.x, high.y}, ImGui::GetColorU32(ImGuiCol_CheckMark),
                                                2 * ui.scale());
        }
        const float wanted = ImGui::GetIO().MousePos.x / ui.scale() - kOverlayGap;
        const auto set_width = [&](int width) {
            requests.change([width](UiState& now) { now.layout.sidebar = width; });
        };
        if (ImGui::IsItemActive() && ImGui::GetIO().MouseDelta.x != 0)
            set_width(std::clamp(static_cast<int>(wanted), kLeastSidebar, kMostSidebar));
        if (const int steps = ui.canvas_steps(); steps != 0)
            set_width(std::clamp(state.layout.sidebar + steps * kSidebarStep, kLeastSidebar, kMostSidebar));
        if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) set_width(kDefaultSidebar);
    }
    ImGui::End();
    ImGui::PopStyleVar(3);
}

constexpr float kLargestPlots = 100, kLargestInSidebar = 2.5f,
                kSmallestPlots = 0.65f;                                ///< relative to the standard height
constexpr float kTornReach = 16, kLeastTorn = 220, kMostTorn = 16384;  // pixels at scale 1

FreeArea free_area(const UiState& state, float scale) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float left = std::max(sidebar_width(state, scale), 0.0f) / scale + kOverlayGap;
    return {left, kOverlayGap, screen.x / scale - kOverlayGap,
            (screen.y - transport_height(state, scale)) / scale - kOverlayGap};
}

/// The current position and size of the ImGui window.
DetachedPanel seen(std::string_view panel, float scale) {
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    return {panel, std::round(at.x / scale), std::round(at.y / scale), std::round(size.x / scale),
            std::round(size.y / scale)};
}

/// Scales the plots, from kSmallestPlots up to a factor of `most`, to fill the height of `room` pixels that the rest of
/// the page leaves, as measured in the previous frame.
void enlarged_page(Widgets& ui, const PanelEntry& panel, const UiState& state, float room, float most,
                   UiRequests& requests) {
    const auto kept = [&](const char* what) {
        return ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID(fmt::format("{} {}", panel.id, what).c_str()), 0);
    };
    float &rest = *kept("rest"), &plots = *kept("plots");
    const float top = ImGui::GetCursorPosY();
    const float fit = plots > 0 ? (room - rest) / plots : 1;
    const float enlarged =
        fit < kSmallestPlots ? 1 : std::min(fit, most);  // a page that scrolls anyway is not squeezed
    ui.set_enlarged(enlarged);
    panel.draw(ui, state, requests);
    plots = ui.plots();
    rest = ImGui::GetCursorPosY() - top - enlarged * plots;
    ui.set_enlarged(1);
}

}  // namespace

PanelGroup group_of(std::string_view panel) { return panel_of(panel)->group; }

std::string_view label_of(PanelGroup group) {
    return std::ranges::find(kGroups, group, &PanelGroupEntry::group)->label;
}

bool advanced(Widgets& ui, std::string_view page, const UiState& state, UiRequests& requests) {
    ImGui::Spacing();
    const bool open = state.layout.advanced.contains(page);
    if (ui.fold("Advanced", "Shows or hides the rarely used controls of this page; remembered", open))
        requests.change([id = std::string{page}](UiState& now) {
            if (now.layout.advanced.erase(id) == 0) now.layout.advanced.insert(id);
        });
    return open || ui.lists();
}

float sidebar_width(const UiState& state, float scale) {
    return state.layout.panels && panel_of(state.layout.panel) ? kOverlayGap * scale + panel_width(state, scale) : 0;
}

float groups_height(const UiState& state, float scale) {
    return state.layout.panels && !panel_of(state.layout.panel) ? (kOverlayGap + kGroupsHeight) * scale : 0;
}

float groups_width(const UiState& state, float scale) {
    return groups_height(state, scale) > 0 ? kOverlayGap * scale + panel_width(state, scale) : 0;
}

void sidebar(Widgets& ui, const UiState& state, UiRequests& requests) {
    const PanelEntry* open = panel_of(state.layout.panel);
    const float gap = kOverlayGap * ui.scale(), width = panel_width(state, ui.scale());
    const float height = std::max(60.0f, ImGui::GetIO().DisplaySize.y - 2 * gap - transport_height(state, ui.scale()));
    ImGui::SetNextWindowPos({gap, gap}, ImGuiCond_Always);
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, height});
    // ImGui rounds the height down: a fraction of the padding would add a scroll bar.
    const float padding = std::floor(gap);
    const int flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                      ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                      ImGuiWindowFlags_NoFocusOnAppearing | (open ? 0 : ImGuiWindowFlags_NoScrollbar);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, padding});
    float bottom = gap;
    if (ImGui::Begin(kSidebar, nullptr, flags)) {
        tabs(ui, open, state, requests);
        if (open) {
            ImGui::Spacing();
            const float room = height - ImGui::GetCursorPosY() - gap;
            is_detached(state.layout.detached, open->id)
                ? elsewhere(ui, *open, state, requests)
                : enlarged_page(ui, *open, state, room, kLargestInSidebar, requests);
        }
        bottom = ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
    }
    ImGui::End();
    ImGui::PopStyleVar();
    if (open) handle(ui, state, gap + width, gap, bottom, requests);
}

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
                              ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoNavFocus;
        if (ImGui::Begin(name.c_str(), &stays, flags)) {
            enlarged_page(ui, *panel, state, ImGui::GetContentRegionAvail().y, kLargestPlots, requests);
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
