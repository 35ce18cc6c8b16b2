// SPDX-License-Identifier: MIT
// The bar at the lower edge: time controls, and the rewind timeline.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/picture/format.hpp"
#include "app/ui/overlays.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/series_bar.hpp"
#include "app/ui/time_track.hpp"
#include "app/ui/words.hpp"
#include "core/physics/units.hpp"

namespace orrery {
namespace {

constexpr float kBarGap = 10, kBarHeight = 42, kLeastTimeline = 120;  // pixels at scale 1

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

TimeTrack track_of(const Timeline& timeline, const Span& span) {
    TimeTrack track{.marks = {}, .now = span.part(timeline.now.moment)};
    for (const Moment& moment : *timeline.moments) track.marks.push_back(span.part(moment.moment));
    return track;
}

void scrub(const Timeline& timeline, const Span& span, ImVec2 low, ImVec2 high, UiRequests& requests) {
    if (timeline.moments->empty()) return;
    const std::uint64_t wanted = span.moment((ImGui::GetIO().MousePos.x - low.x) / (high.x - low.x));
    const auto& nearest = *std::ranges::min_element(*timeline.moments, {}, [&](const Moment& m) {
        return m.moment > wanted ? m.moment - wanted : wanted - m.moment;
    });
    if (ImGui::IsItemActive() && (!timeline.held || nearest.moment != timeline.now.moment))
        requests.ask(Rewind{nearest.moment, true});
    if (ImGui::IsItemDeactivated()) requests.ask(Rewind{nearest.moment, false});
}

std::string tip_of(const Timeline& timeline) {
    if (!timeline.note.empty()) return timeline.note;
    return phrase("Rewind: {} in {:.0f} MiB. Drag to go back; release to continue from there. Keys Left and Right",
                  count_phrase(timeline.moments->size(), "snapshot"), static_cast<double>(timeline.bytes) / (1 << 20));
}

void step_buttons(Widgets& ui, UiRequests& requests) {
    if (ui.button("Step back", "Pauses and takes one step of −dt. Key ,")) requests.ask(Command::kStepBack);
    ImGui::SameLine();
    if (ui.button("Step", "Pauses and takes one step of dt. Key .")) requests.ask(Command::kStep);
}

/// Width of a button whose text changes, in the current language.
float width_for(const Widgets& ui, std::string_view one, std::string_view other) {
    float words = 0;
    for (const std::string_view each : {tr(one), tr(other)})
        words = std::max(words, ImGui::CalcTextSize(each.data(), each.data() + each.size()).x);
    return std::max(72 * ui.scale(), words + 2 * ImGui::GetStyle().FramePadding.x);
}

/// Width of all buttons in one line.
float buttons_width(const Widgets& ui) {
    float width = width_for(ui, "Pause", "Resume") + width_for(ui, "Record", "End");
    const ImGuiStyle& style = ImGui::GetStyle();
    for (const std::string_view label : {tr("Step back"), tr("Step"), tr("Restart")})
        width += ImGui::CalcTextSize(label.data(), label.data() + label.size()).x + 2 * style.FramePadding.x;
    return width + 4 * style.ItemSpacing.x;
}

/// Pause, step, restart, record, in order of use. A narrow bar omits the step buttons, which have keys.
void buttons(Widgets& ui, const UiState& state, float room, UiRequests& requests) {
    if (ui.button(state.requested.paused ? "Resume###pause" : "Pause###pause",
                  "Pauses or resumes the simulation. Key Space", width_for(ui, "Pause", "Resume")))
        requests.ask(Command::kTogglePause);
    ImGui::SameLine();
    if (buttons_width(ui) <= room) {
        state.status.series.on ? series_buttons(ui, state, requests) : step_buttons(ui, requests);
        ImGui::SameLine();
    }
    if (ui.button("Restart", "Restarts the scene. Key Backspace")) requests.ask(Command::kRestart);
    ImGui::SameLine();
    const bool records = state.recording.now.active;
    if (ui.button(
            records ? "Stop###film" : "Record###film",
            records ? "Stops the recording. Key R" : "Starts a video with the settings of the Recording tab. Key R",
            width_for(ui, "Record", "Stop")))
        requests.ask(Command::kRecord);
}

/// Drawn if there is room.
void timeline(Widgets& ui, const UiState& state, float width, float height, UiRequests& requests) {
    if (width < kLeastTimeline * ui.scale()) return;
    ImGui::SameLine(0, kBarGap * ui.scale());
    if (state.status.series.on) return series_track(ui, state, width, height, requests);
    const Timeline& timeline = state.status.timeline;
    ui.canvas("Timeline", width, height, tip_of(timeline));
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const Span span = span_of(timeline);
    scrub(timeline, span, low, high, requests);
    draw_track(track_of(timeline, span), low, high, ui.scale());
}

}  // namespace

float transport_height(const UiState& state, float scale) {
    return state.layout.panels ? (kBarHeight + kBarGap) * scale : 0;
}

void transport_bar(Widgets& ui, const UiState& state, UiRequests& requests) {
    const float scale = ui.scale(), gap = kBarGap * scale;
    if (transport_height(state, scale) == 0) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({gap, screen.y - gap}, ImGuiCond_Always, {0, 1});
    ImGui::SetNextWindowSize({screen.x - 2 * gap, kBarHeight * scale});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {8 * scale, 7 * scale});
    constexpr int flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                          ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                          ImGuiWindowFlags_NoBringToFrontOnFocus;
    if (ImGui::Begin("transport", nullptr, flags)) {
        const float height = ImGui::GetFrameHeight();
        ui.set_tips(TipPlace::kOver);
        const Status& s = state.status;
        const std::string text = clock_text(s.time, s.days_per_time, s.scale_factor) + (s.reversed ? " ◂" : "");
        const float words =
            std::max(ImGui::CalcTextSize("a = 0.0000, z = 0.00").x, ImGui::CalcTextSize(text.c_str()).x);
        const float end = ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x;
        buttons(ui, state, end - words - gap - ImGui::GetCursorPosX(), requests);
        ImGui::SameLine();
        const float after_buttons = ImGui::GetCursorPosX();
        timeline(ui, state, end - words - 3 * gap - ImGui::GetCursorPosX(), height, requests);
        ui.set_tips(TipPlace::kMouse);
        ImGui::SameLine(std::max(end - words, after_buttons));
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(text.c_str());
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

}  // namespace orrery
