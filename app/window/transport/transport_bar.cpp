// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/picture/format.hpp"
#include "app/record/recorders.hpp"
#include "app/ui/words.hpp"
#include "app/window/command_table.hpp"
#include "app/window/features.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "core/live/edit_history.hpp"
#include "core/physics/units.hpp"

namespace orrery {
namespace {

constexpr float kTransportHeight = 42, kIconWidth = 38, kFilmWidth = 150;  // pixels at scale 1

/// A time bar: the past, marks, and the present, as fractions of the whole.
struct TimeTrack {
    std::vector<float> marks;  ///< ascending
    float now = 0;
};

/// Draws into this rectangle of the current ImGui window, in pixels. Marks that nearly coincide are drawn once.
void draw_track(const TimeTrack& track, ImVec2 low, ImVec2 high, float scale) {
    const ImU32 all = ImGui::GetColorU32(ImGuiCol_Text, 0.16f), past = ImGui::GetColorU32(ImGuiCol_CheckMark, 0.45f);
    const ImU32 mark = ImGui::GetColorU32(ImGuiCol_Text, 0.28f), head = ImGui::GetColorU32(ImGuiCol_Text);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float middle = (low.y + high.y) / 2, half = 4 * scale, width = high.x - low.x;
    const float now = low.x + width * track.now;
    list.AddRectFilled({low.x, middle - half}, {high.x, middle + half}, all, half);
    list.AddRectFilled({low.x, middle - half}, {now, middle + half}, past, half);
    float last = low.x - width;
    for (const float part : track.marks) {
        const float x = low.x + width * part;
        if (x - last < 1) continue;
        list.AddLine({x, middle - half}, {x, middle + half}, mark);
        last = x;
    }
    list.AddCircleFilled({now, middle}, 6.5f * scale, head);
}

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

constexpr ButtonFace with_icon(Icon icon) { return {.icon = icon, .icon_only = true}; }

float icon_width(const Widgets& ui) { return kIconWidth * ui.scale(); }

/// In place of the step buttons, while a series of snapshots is played.
void series_buttons(Widgets& ui, const UiState& state, UiRequests& requests) {
    const SeriesStatus& series = state.status.source.series;
    const float width = icon_width(ui);
    const bool back = state.status.pace.reversed;
    if (ui.button(back ? "Play forward###direction" : "Play back###direction",
                  with_icon(back ? Icon::kForward : Icon::kBackward),
                  "Plays the snapshots in the other direction. Key Z", width))
        requests.ask(Command::kReverse);
    ImGui::SameLine();
    if (ui.button("Previous", with_icon(Icon::kPrevious),
                  "Pauses at the previous snapshot. Key Left; key Home: at the first", width))
        requests.ask(Command::kRewind, -1);
    ImGui::SameLine();
    if (ui.button("Next", with_icon(Icon::kNext), "Pauses at the next snapshot. Key Right; key End: at the last",
                  width))
        requests.ask(Command::kRewind, +1);
    ImGui::SameLine();
    if (ui.tab(series.follows ? "Following###follow" : "Follow###follow", with_icon(Icon::kWatch), series.follows,
               "Checks for new snapshots once a second, and shows each of them", width))
        requests.ask(FollowSeries{!series.follows});
    ImGui::SameLine();
    if (ui.button(
            "Continue computing here",
            "Leaves the snapshots: the simulation continues from the bodies shown, with the engine of the Forces tab"))
        requests.ask(LeaveSeries{});
}

/// All times of the series, with a mark for each snapshot; can be dragged.
void series_track(Widgets& ui, const UiState& state, float width, float height, UiRequests& requests) {
    const Status& s = state.status;
    const std::vector<double>& times = *s.source.series.times;
    ui.canvas("Series", width, height,
              phrase("{}; {} a second, by keys + and −. Drag to go to a time", count_phrase(times.size(), "snapshot"),
                     play_rate_text(s, s.source.series.rate)));
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    drag(s.source.series, s.time, low, high, requests);
    if (const int steps = ui.canvas_steps(); steps != 0) requests.ask(Command::kRewind, steps);
    TimeTrack track{.marks = {}, .now = static_cast<float>(part_of(times, s.time))};
    track.marks.reserve(times.size());
    for (const double time : times) track.marks.push_back(static_cast<float>(part_of(times, time)));
    draw_track(track, low, high, ui.scale());
}

constexpr float kLeastTimeline = 120;  // pixels at scale 1

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
    if (ui.button("Step back", with_icon(Icon::kPrevious), "Pauses and takes one step of −dt. Key ,", icon_width(ui)))
        requests.ask(Command::kStepBack);
    ImGui::SameLine();
    if (ui.button("Step", with_icon(Icon::kNext), "Pauses and takes one step of dt. Key .", icon_width(ui)))
        requests.ask(Command::kStep);
}

/// "0:12   3.2 MB": length and size of the running recording.
std::string film_clock_and_size(const RecordingState& film) {
    return film_clock_text(film.seconds()) + (film.bytes > 0 ? "   " + bytes_text(film.bytes) : "");
}

/// A red circle; while recording a red button with length and size of the file.
void record_button(Widgets& ui, const RecordingState& film, UiRequests& requests) {
    bool pressed = false;
    if (!film.active) {
        pressed = ui.button("Record###film", with_icon(Icon::kRecord),
                            "Starts a video with the settings of the Recording tab. Key R", icon_width(ui));
    } else {
        const ButtonFace face{.icon = Icon::kStop, .role = ButtonRole::kRecording, .text = film_clock_and_size(film)};
        pressed = ui.button("Stop###film", face, "Stops the recording. Key R",
                            std::max(kFilmWidth * ui.scale(), button_width(face.text) + icon_width(ui)));
    }
    if (pressed) requests.ask(Command::kRecord);
}

/// Width of all buttons in one line, also while a recording is shown.
float buttons_width(const Widgets& ui, bool series) {
    const float gap = ImGui::GetStyle().ItemSpacing.x, width = icon_width(ui) + gap;
    const float leave = series ? 2 * width + button_width(tr("Continue computing here")) + gap : 0;
    return 4 * width + leave + kFilmWidth * ui.scale();
}

/// Pause, step, restart, record, in order of use. A narrow bar omits the step buttons, which have keys.
void buttons(Widgets& ui, const UiState& state, float room, UiRequests& requests) {
    const float width = icon_width(ui);
    const bool paused = state.requested.paused;
    if (ui.button(paused ? "Resume###pause" : "Pause###pause",
                  {.icon = paused ? Icon::kPlay : Icon::kPause,
                   .role = paused ? ButtonRole::kPrimary : ButtonRole::kPlain,
                   .icon_only = true},
                  "Pauses or resumes the simulation. Key Space", width))
        requests.ask(Command::kTogglePause);
    ImGui::SameLine();
    const bool series = state.status.source.series.on;
    if (buttons_width(ui, series) <= room) {
        series ? series_buttons(ui, state, requests) : step_buttons(ui, requests);
        ImGui::SameLine();
    }
    if (ui.button("Restart", with_icon(Icon::kRestart), "Restarts the scene. Key Backspace", width))
        requests.ask(Command::kRestart);
    ImGui::SameLine();
    record_button(ui, state.recording.now, requests);
}

/// Drawn if there is room.
void timeline(Widgets& ui, const UiState& state, float width, float height, UiRequests& requests) {
    if (width < kLeastTimeline * ui.scale()) return;
    ImGui::SameLine(0, kOverlayGap * ui.scale());
    if (state.status.source.series.on) return series_track(ui, state, width, height, requests);
    const Timeline& timeline = state.status.timeline;
    ui.canvas("Timeline", width, height, tip_of(timeline));
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const Span span = span_of(timeline);
    scrub(timeline, span, low, high, requests);
    if (const int steps = ui.canvas_steps(); steps != 0) requests.ask(Command::kRewind, steps);
    draw_track(track_of(timeline, span), low, high, ui.scale());
}

/// The bar at the lower edge: pause, steps, restart, record, and the rewind timeline, which can be dragged.
void transport_bar(Widgets& ui, const UiState& state, UiRequests& requests) {
    const float scale = ui.scale(), gap = kOverlayGap * scale;
    if (transport_height(state, scale) == 0) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({gap, screen.y - gap}, ImGuiCond_Always, {0, 1});
    ImGui::SetNextWindowSize({screen.x - 2 * gap, kTransportHeight * scale});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {8 * scale, 7 * scale});
    constexpr int flags = kFloatingWindow | ImGuiWindowFlags_NoBringToFrontOnFocus;
    if (ImGui::Begin("transport", nullptr, flags)) {
        const float height = ImGui::GetFrameHeight();
        ui.set_tips(TipPlace::kOver);
        const Status& s = state.status;
        const std::string text = in_local_unit(clock_text(s.time, s.scene.days_per_time, s.scene.scale_factor)) +
                                 (s.pace.reversed ? " ◂" : "");
        const float words = std::max(text_width("a = 0.0000, z = 0.00"), text_width(text));
        const float end = ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x;
        buttons(ui, state, end - words - gap - ImGui::GetCursorPosX(), requests);
        ImGui::SameLine();
        const float after_buttons = ImGui::GetCursorPosX();
        timeline(ui, state, end - words - 3 * gap - ImGui::GetCursorPosX(), height, requests);
        ui.set_tips(TipPlace::kMouse);
        ImGui::SameLine(std::max(end - words, after_buttons));
        ImGui::AlignTextToFramePadding();
        write_text(text);
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

}  // namespace

float transport_height(const UiState& state, float scale) {
    return state.layout.panels ? (kTransportHeight + kOverlayGap) * scale : 0;
}

ImVec2 lower_right(const UiState& state, float scale) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = kOverlayGap * scale;
    return {screen.x - gap, screen.y - gap - transport_height(state, scale)};
}

namespace {

using namespace command_table;

void toggle_pause(Window& w, int) { w.core.simulation.send(SetPaused{!w.core.simulation.paused()}); }
void step(Window& w, int) { w.recording.act(SingleStep{}); }
void step_back(Window& w, int) { w.recording.act(SingleStep{.back = true}); }
void rewind_by(Window& w, int snapshots) { w.recording.act(RewindBy{snapshots}); }
/// Pauses there, except during a recording: a paused simulation yields no frames, and a session jumps only with the
/// next frame.
void go_to_series_end(Window& w, int end) {
    const SeriesStatus& series = w.core.simulation.status().source.series;
    if (!series.on) return w.core.messages.notice("No series of snapshots is played");
    if (!w.recording.active()) w.core.simulation.send(SetPaused{true});
    w.recording.act(ShowTime{end > 0 ? series.times->back() : series.times->front()});
}
void restart(Window& w, int) {
    w.recording.act(LoadScene{w.core.simulation.request()});
    if (EditHistory::keeps(w.core.simulation.status().bodies)) w.core.messages.notice("Ctrl + Z undoes the restart");
}

void reverse(Window& w, int) {
    const bool reversed = !w.core.simulation.reversed();
    w.recording.act(SetReversed{reversed});
    w.core.messages.notice(reversed ? "Time runs backward" : "Time runs forward", "time");
}

void change_play_rate(Window& w, int by) {
    const Status& status = w.core.simulation.status();
    const double before = w.core.simulation.play_rate(), rate = by > 0 ? 2 * before : before / 2;
    w.recording.act(SetPlayRate{rate});
    w.core.messages.notice(phrase("Speed: {} a second", play_rate_text(status, rate)));
}

void change_speed(Window& w, int by) {
    if (w.core.simulation.status().source.series.on) return change_play_rate(w, by);
    constexpr double kFastest = 10'000;  // steps per second; above it, unlimited
    constexpr double kSlowest = 0.5;
    double speed = w.core.simulation.speed_limit();
    if (speed == 0) {
        if (by > 0) return w.core.messages.notice("Speed: already unlimited");
        // From unlimited: the largest power of two that is not above the current speed.
        speed = std::exp2(std::floor(std::log2(std::max(1.0, w.core.simulation.status().pace.steps_per_second))));
    } else {
        speed = by > 0 ? speed * 2 : std::max(kSlowest, speed / 2);
    }
    if (speed > kFastest) speed = 0;
    w.core.simulation.send(SetSpeed{speed});
    w.core.messages.notice(speed == 0 ? std::string{tr("Speed: unlimited")}
                                      : phrase("Speed: at most {} steps/s", short_number(speed)));
}

constexpr auto kTransportCommands = std::to_array<WindowCommand>({
    anywhere(line(Command::kTogglePause, toggle_pause, GLFW_KEY_SPACE, "Space", "pause or resume")),
    sign(line(Command::kStep, step, GLFW_KEY_PERIOD, ".", "single step")),
    sign(line(Command::kStepBack, step_back, GLFW_KEY_COMMA, ",", "single step back")),
    line(Command::kReverse, reverse, GLFW_KEY_Z, "Z", "reverse time"),
    listed("Rewind to the previous snapshot", line(Command::kRewind, rewind_by, GLFW_KEY_LEFT, "Left / Right",
                                                   "rewind to the previous, next snapshot", -1)),
    listed("Rewind to the next snapshot", also(Command::kRewind, GLFW_KEY_RIGHT, +1)),
    listed("First snapshot of a series", line(Command::kSeriesEnd, go_to_series_end, GLFW_KEY_HOME, "Home / End",
                                              "first, last snapshot of a series", -1)),
    listed("Last snapshot of a series", also(Command::kSeriesEnd, GLFW_KEY_END, +1)),
    listed("Faster", sign(line(Command::kSpeed, change_speed, '+', "+ / -", "faster, slower", +1))),
    sign(also(Command::kSpeed, GLFW_KEY_EQUAL, +1)),
    sign(also(Command::kSpeed, GLFW_KEY_KP_ADD, +1)),
    listed("Slower", sign(also(Command::kSpeed, GLFW_KEY_MINUS, -1))),
    sign(also(Command::kSpeed, GLFW_KEY_KP_SUBTRACT, -1)),
    alternative(Command::kSpeed, GLFW_KEY_UP, "Up / Down", "faster, slower", +1),
    also(Command::kSpeed, GLFW_KEY_DOWN, -1),
    line(Command::kRestart, restart, GLFW_KEY_BACKSPACE, "Backspace", "restart the scene"),
});

void draw_transport(Window&, DrawnFrame& frame) { transport_bar(frame.ui, frame.state, frame.requests); }

constexpr auto kTransportOverlays = std::to_array<Overlay>({
    {Layer::kTransport, draw_transport},
});

nlohmann::json timeline_json(const Timeline& timeline) {
    nlohmann::json steps = nlohmann::json::array();
    for (const Moment& moment : *timeline.moments) steps.push_back(moment.step);
    return {{"steps", steps},          {"moment", timeline.now.moment},
            {"bytes", timeline.bytes}, {"budget", timeline.budget},
            {"held", timeline.held},   {"note", timeline.note}};
}

nlohmann::json series_json(const SeriesStatus& series) {
    if (!series.on) return {};
    return {{"times", *series.times},
            {"rate", series.rate},
            {"held", series.held},
            {"follows", series.follows},
            {"reading", series.reading}};
}

void describe_transport(nlohmann::json& map, const UiState& state) {
    const Status& status = state.status;
    map["reversed"] = status.pace.reversed;
    map["timeline"] = timeline_json(status.timeline);
    map["series"] = series_json(status.source.series);
}

}  // namespace

FeatureEntry transport_feature() {
    return {.commands = kTransportCommands, .overlays = kTransportOverlays, .describe = describe_transport};
}

}  // namespace orrery
