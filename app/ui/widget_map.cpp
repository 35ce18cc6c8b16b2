// SPDX-License-Identifier: MIT
#include "app/ui/widget_map.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>

namespace orrery {
namespace {

constexpr float kLeastPart = 0.6f;  ///< visible fraction of its height from which a widget counts as clickable

/// The window that a click at this place would reach.
const ImGuiWindow* top_window_at(ImVec2 place) {
    const auto& windows = ImGui::GetCurrentContext()->Windows;
    for (int i = windows.Size - 1; i >= 0; --i) {
        const ImGuiWindow* window = windows[i];
        if (!window->Active || window->Hidden || (window->Flags & ImGuiWindowFlags_NoMouseInputs)) continue;
        if (window->IsFallbackWindow && !window->WriteAccessed) continue;  // ImGui hides it at the end of the frame
        if (window->OuterRectClipped.Contains(place)) return window;
    }
    return nullptr;
}

}  // namespace

void WidgetMap::note(std::string_view label, bool enabled, bool tipped) {
    const ImGuiWindow* window = ImGui::GetCurrentWindow();
    ImRect seen{ImGui::GetItemRectMin(), ImGui::GetItemRectMax()};
    const float height = seen.GetHeight(), width = seen.GetWidth();
    seen.ClipWith(window->ClipRect);
    noted_ = false;
    if (window->SkipItems || seen.GetWidth() < 4 || seen.GetHeight() < kLeastPart * height) return;
    widgets_.push_back({std::string{label},
                        {seen.Min.x, seen.Min.y, seen.Max.x, seen.Max.y},
                        enabled,
                        tipped,
                        seen.GetWidth() < width - 1,
                        std::nullopt,
                        window->RootWindow->ID});
    noted_ = true;
}

void WidgetMap::note_cut() {
    if (noted_) widgets_.back().cut = true;
}

void WidgetMap::note_slider(double value, double reset) {
    if (noted_) widgets_.back().slider = Slider{value, reset};
}

void WidgetMap::note_place(std::string_view name, const Rectangle& place) {
    places_.push_back({std::string{name}, place});
}

void WidgetMap::drop_covered() {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
        if (window->Active && !window->Hidden && !window->IsFallbackWindow && window == window->RootWindow)
            note_place(window->Name,
                       {window->Pos.x, window->Pos.y, window->Pos.x + window->Size.x, window->Pos.y + window->Size.y});
    std::erase_if(widgets_, [](const Widget& widget) {
        const Rectangle& r = widget.place;
        const ImGuiWindow* top = top_window_at({(r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2});
        return !top || top->RootWindow->ID != widget.root;
    });
}

}  // namespace orrery
