// SPDX-License-Identifier: MIT
#include "app/ui/series_bar.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/picture/format.hpp"
#include "app/ui/time_track.hpp"
#include "app/ui/words.hpp"

namespace orrery {
namespace {

double part_of(const std::vector<double>& times, double time) {
    const double length = times.back() - times.front();
    return length > 0 ? std::clamp((time - times.front()) / length, 0.0, 1.0) : 0;
}

/// While dragging, the bodies follow the mouse, and nothing else moves them.
void drag(const SeriesStatus& series, double now, ImVec2 low, ImVec2 high, UiRequests& requests) {
    const double part =
        std::clamp(static_cast<double>((ImGui::GetIO().MousePos.x - low.x) / std::max(1.0f, high.x - low.x)), 0.0, 1.0);
    const double wanted = series.times->front() + part * (series.times->back() - series.times->front());
    if (ImGui::IsItemActive() && (!series.held || wanted != now)) requests.ask(ShowTime{wanted, true});
    if (ImGui::IsItemDeactivated()) requests.ask(ShowTime{wanted, false});
}

}  // namespace

void series_buttons(Widgets& ui, const UiState& state, UiRequests& requests) {
    const SeriesStatus& series = state.status.source.series;
    if (ui.button(state.status.pace.reversed ? "Play forward###direction" : "Play back###direction",
                  "Plays the snapshots in the other direction. Key Z", 92 * ui.scale()))
        requests.ask(Command::kReverse);
    ImGui::SameLine();
    if (ui.button("Previous", "Pauses at the previous snapshot. Key Left; key Home: at the first"))
        requests.ask(Command::kRewind, -1);
    ImGui::SameLine();
    if (ui.button("Next", "Pauses at the next snapshot. Key Right; key End: at the last"))
        requests.ask(Command::kRewind, +1);
    ImGui::SameLine();
    if (ui.button(series.follows ? "Following###follow" : "Follow###follow",
                  "Checks for new snapshots once a second, and shows each of them", 78 * ui.scale()))
        requests.ask(FollowSeries{!series.follows});
    ImGui::SameLine();
    if (ui.button(
            "Continue computing here",
            "Leaves the snapshots: the simulation continues from the bodies shown, with the engine of the Forces tab"))
        requests.ask(LeaveSeries{});
}

void series_track(Widgets& ui, const UiState& state, float width, float height, UiRequests& requests) {
    const Status& s = state.status;
    const std::vector<double>& times = *s.source.series.times;
    ui.canvas("Series", width, height,
              phrase("{}; {} a second, by keys + and −. Drag to go to a time", count_phrase(times.size(), "snapshot"),
                     play_rate_text(s, s.source.series.rate)));
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    drag(s.source.series, s.time, low, high, requests);
    TimeTrack track{.marks = {}, .now = static_cast<float>(part_of(times, s.time))};
    track.marks.reserve(times.size());
    for (const double time : times) track.marks.push_back(static_cast<float>(part_of(times, time)));
    draw_track(track, low, high, ui.scale());
}

}  // namespace orrery
