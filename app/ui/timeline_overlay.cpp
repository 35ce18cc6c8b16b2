// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/picture/format.hpp"
#include "app/ui/overlays.hpp"
#include "app/ui/panels.hpp"

namespace orrery {
namespace {

constexpr float kTimelineGap = 10, kTimelineHeight = 34, kLeast = 200;  // pixels at scale 1
constexpr ImU32 kBar = IM_COL32(255, 255, 255, 40), kPast = IM_COL32(240, 158, 71, 110);
constexpr ImU32 kTick = IM_COL32(255, 255, 255, 70), kTimelineHead = IM_COL32(255, 255, 255, 240);

/// From the first snapshot to the last, or to the present when that is later.
struct Span {
    std::uint64_t first = 0, last = 0;
    float part(std::uint64_t moment) const {
        return last > first ? static_cast<float>(moment - first) / static_cast<float>(last - first) : 1;
    }
    std::uint64_t moment(float part) const {
        return first + static_cast<std::uint64_t>(
                           std::llround(static_cast<double>(last - first) * std::clamp(part, 0.0f, 1.0f)));
    }
};

Span span_of(const Timeline& timeline) {
    if (timeline.moments->empty()) return {timeline.now.moment, timeline.now.moment};
    return {timeline.moments->front().moment, std::max(timeline.moments->back().moment, timeline.now.moment)};
}

void draw(const Timeline& timeline, const Span& span, ImVec2 low, ImVec2 high, float scale) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float middle = (low.y + high.y) / 2, half = 4 * scale, width = high.x - low.x;
    const float now = low.x + width * span.part(timeline.now.moment);
    list.AddRectFilled({low.x, middle - half}, {high.x, middle + half}, kBar, half);
    list.AddRectFilled({low.x, middle - half}, {now, middle + half}, kPast, half);
    for (const Moment& moment : *timeline.moments) {
        const float x = low.x + width * span.part(moment.moment);
        list.AddLine({x, middle - half}, {x, middle + half}, kTick);
    }
    list.AddCircleFilled({now, middle}, 6.5f * scale, kTimelineHead);
}

void scrub(const Timeline& timeline, const Span& span, ImVec2 low, ImVec2 high, Wishes& wishes) {
    if (timeline.moments->empty()) return;
    const std::uint64_t wanted = span.moment((ImGui::GetIO().MousePos.x - low.x) / (high.x - low.x));
    const auto& nearest = *std::ranges::min_element(*timeline.moments, {}, [&](const Moment& m) {
        return m.moment > wanted ? m.moment - wanted : wanted - m.moment;
    });
    if (ImGui::IsItemActive() && (!timeline.held || nearest.moment != timeline.now.moment))
        wishes.ask(Rewind{nearest.moment, true});
    if (ImGui::IsItemDeactivated()) wishes.ask(Rewind{nearest.moment, false});
}

std::string tip_of(const Timeline& timeline) {
    if (!timeline.note.empty()) return timeline.note;
    return fmt::format(
        "Rewind: {} snapshots in {:.0f} MiB. Drag to go back; release to continue from there. Keys Left and Right",
        timeline.moments->size(), static_cast<double>(timeline.bytes) / (1 << 20));
}

}  // namespace

float timeline_height(const UiState& state, float scale) {
    const bool picture_of_its_own = state.panel == "maps" || state.panel == "lab";  // which needs the room
    return state.panels && state.ready && !picture_of_its_own ? (kTimelineHeight + kTimelineGap) * scale : 0;
}

void timeline_overlay(Widgets& ui, const UiState& state, Wishes& wishes) {
    const float scale = ui.scale(), gap = kTimelineGap * scale;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float left = sidebar_width(scale) + gap, width = screen.x - left - gap;
    if (timeline_height(state, scale) == 0 || width < kLeast * scale) return;
    ImGui::SetNextWindowPos({left, screen.y - gap}, ImGuiCond_Always, {0, 1});
    ImGui::SetNextWindowSize({width, kTimelineHeight * scale});
    ImGui::SetNextWindowBgAlpha(0.45f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {12 * scale, 4 * scale});
    constexpr int flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                          ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                          ImGuiWindowFlags_NoBringToFrontOnFocus;
    if (ImGui::Begin("timeline", nullptr, flags)) {
        const Status& s = state.status;
        const Timeline& timeline = s.timeline;
        const std::string text = scene_time(s.time, s.days_per_time) + (s.reversed ? " ◂" : "");
        const float words = std::max(ImGui::CalcTextSize("−0000.000 kyr").x, ImGui::CalcTextSize(text.c_str()).x);
        const float inner = ImGui::GetContentRegionAvail().x, height = ImGui::GetContentRegionAvail().y;
        ui.canvas("Timeline", inner - words - gap, height, tip_of(timeline));
        const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        const Span span = span_of(timeline);
        scrub(timeline, span, low, high, wishes);
        draw(timeline, span, low, high, scale);
        ImGui::SameLine(0, gap);
        ImGui::SetCursorPosY((kTimelineHeight * scale - ImGui::GetTextLineHeight()) / 2);
        ImGui::TextUnformatted(text.c_str());
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

}  // namespace orrery
