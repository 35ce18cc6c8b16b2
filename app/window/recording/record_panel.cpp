// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/picture/format.hpp"
#include "app/record/record_settings.hpp"
#include "app/record/recorders.hpp"
#include "app/ui/setting_control.hpp"
#include "app/ui/words.hpp"
#include "app/window/command_table.hpp"
#include "app/window/features.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"

namespace orrery {
namespace {

using namespace command_table;

struct Size {
    const char* label;
    int width, height;
};
constexpr std::array kSizes{Size{"As the window", 0, 0},
                            Size{"1280 × 720", 1280, 720},
                            Size{"1920 × 1080", 1920, 1080},
                            Size{"2560 × 1440", 2560, 1440},
                            Size{"3840 × 2160, 4K", 3840, 2160},
                            Size{"2160 × 2160", 2160, 2160},
                            Size{"1080 × 1920, upright", 1080, 1920}};

/// "NAME.mp4, NAME.webm": the file names that work here.
std::string names_that_work() {
    std::string names;
    for (const RecorderEntry& entry : recorders())
        if (entry.why_not().empty()) names += (names.empty() ? "" : ", ") + std::string{entry.names};
    return names;
}

bool size_combo(Widgets& ui, const UiState& state, RecordSettings& record) {
    const bool as_window = record.width == 0 || record.height == 0;
    const std::string shown = as_window ? phrase("{} × {}, as the window", state.picture.width, state.picture.height)
                                        : fmt::format("{} × {}", record.width, record.height);
    if (!ui.begin_combo("Size", shown, "Frame size in pixels; it may be larger than the window",
                        record.ui ? "with panels, the size is that of the window" : ""))
        return false;
    bool edited = false;
    for (const Size& size : kSizes)
        if (ui.choice(size.label, record.width == size.width && record.height == size.height, ""))
            record.width = size.width, record.height = size.height, edited = true;
    ui.end_combo();
    return edited;
}

void space_line(Widgets& ui, const UiState& state, const RecordSettings& record) {
    RecorderConfig config{.path = record.path.empty() ? "orrery.mp4" : record.path,
                          .width = record.width > 0 ? record.width : state.picture.width,
                          .height = record.height > 0 ? record.height : state.picture.height,
                          .fps = record.fps,
                          .quality = record.quality};
    const bool known = std::ranges::any_of(recorders(), [&](const auto& entry) { return entry.accepts(config.path); });
    if (!known) return;
    const double seconds = record.duration > 0 ? record.duration : 60;
    const auto pictures = static_cast<std::uint64_t>(seconds * record.fps);
    const std::string bytes = bytes_text(estimated_bytes(config, pictures));
    ui.value("Needs", record.duration > 0 ? phrase("about {}", bytes) : phrase("about {} a minute", bytes),
             "Estimated from frames of the presets, to within a factor of three");
}

bool steps_slider(Widgets& ui, const UiState& state, RecordSettings& record) {
    const RecordSetting& steps = setting(record_settings(), "steps_per_frame");
    const std::int64_t recommended = state.status.scene.steps_per_frame;
    const auto edited =
        edit_setting(ui, steps.info, record.steps_per_frame > 0 ? record.steps_per_frame : recommended, recommended);
    if (edited) steps.member.set(record, *edited);
    return edited.has_value();
}

/// In whole seconds; the left end of the slider has a name.
bool duration_slider(Widgets& ui, RecordSettings& record) {
    const SettingInfo& info = setting(record_settings(), "duration").info;
    const SliderSpan& span = std::get<RealKind>(info.kind).slider;
    const std::string endless{tr("until stopped")};
    const bool edited =
        ui.slider(info.label, record.duration,
                  {span.low, span.high, 0, record.duration > 0 ? span.format : endless.c_str()}, tip_of(info));
    record.duration = std::round(record.duration);
    return edited;
}

void settings(Widgets& ui, const UiState& state, UiRequests& requests) {
    RecordSettings record = state.recording.settings;
    bool edited = ui.text("Path", record.path, "named by date and time", "File to write: " + names_that_work());
    edited |= size_combo(ui, state, record);
    SettingControls<RecordSettings> controls{ui, record_settings(), record};
    controls("fps");
    edited |= steps_slider(ui, state, record);
    edited |= duration_slider(ui, record);
    controls("supersampling");
    controls("quality");
    controls("ui");
    ImGui::SameLine();
    controls("legend");
    ImGui::SameLine();
    controls("session");
    edited |= controls.edited();
    if (edited) requests.change([record](UiState& now) { now.recording.settings = record; });
    space_line(ui, state, record);
}

std::string film_text(const RecordingState& film) {
    return fmt::format("{} ({})", film_time_text(film.seconds()), count_phrase(film.frames, "frame"));
}

/// Drawn from the first frame on, so that nothing below moves.
void stages(Widgets& ui, const RecordingState& now) {
    const StageTimes& t = now.times;
    const auto ms = [&](double seconds) { return now.frames > 0 ? fmt::format("{:.1f}", 1e3 * seconds) : "–"; };
    ui.value("ms / frame", phrase("{}: step {}, draw {}", ms(t.frame), ms(t.step), ms(t.draw)),
             "Time per frame of the video; of this, waiting for the simulation and drawing");
    ui.value("Background", phrase("copy {}, encode {}", ms(t.copy), ms(t.encode)),
             "Milliseconds per frame for copying it from the GPU and encoding it, on other threads");
}

void under_way(Widgets& ui, const RecordingState& now, UiRequests& requests) {
    ui.value("To", now.path);
    ui.value("As", fmt::format("{}, {} × {}", verbatim(now.description), now.width, now.height));
    ui.value("Length", film_text(now), "Length of the video so far");
    if (now.planned > 0) {
        ui.progress("Progress", static_cast<double>(now.frames) / static_cast<double>(now.planned),
                    "Progress towards the requested length");
        ui.value("Left", fmt::format("{:.0f} s", now.seconds_left));
    }
    if (ui.button("Stop recording", {.icon = Icon::kStop, .role = ButtonRole::kRecording}, "Completes the file. Key R",
                  -1))
        requests.ask(Command::kRecord);
    if (ui.button("Cancel", "Stops the recording and deletes the file", -1)) requests.ask(Command::kCancelRecording);
    stages(ui, now);
}

/// Why no snapshots can be written; empty if they can.
std::string_view no_snapshots(const Status& status) {
    if (status.source.series.on) return "a series is played: its states are in its files";
    if (status.source.cloud.on) return kCloudIsStill;
    return status.saving.snapshots.ending ? "the last one is still being written" : "";
}

void snapshots(Widgets& ui, const UiState& state, UiRequests& requests) {
    const SnapshotsStatus& now = state.status.saving.snapshots;
    ui.heading("Snapshots");
    SnapshotsToWrite wish = state.recording.snapshots;
    bool edited = ui.text("Snapshot files", wish.pattern, "named by date and time",
                          "Names with a place for the number: snap_%04d.h5. The ending names the format");
    if (const auto every = ui.typed_number("Steps between", wish.every, "Steps from one snapshot to the next"))
        wish.every = std::max<std::uint64_t>(1, *every), edited = true;
    if (edited) requests.change([wish](UiState& all) { all.recording.snapshots = wish; });
    const char* const tip = "Writes a series of snapshots while the simulation runs; none while time runs backward";
    if (ui.button(now.on ? "Stop snapshots" : "Start snapshots", tip, -1, no_snapshots(state.status)))
        requests.ask(Command::kRecordSnapshots);
    if (now.on || now.ending || now.written > 0) {
        ui.value("Written", grouped(now.written), "Snapshots written so far");
        ui.value("Last", verbatim(std::filesystem::path{now.last}.filename().string()), verbatim(now.last));
    }
}

void record_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    const RecordingState& now = state.recording.now;
    if (!now.active || now.ending) {
        settings(ui, state, requests);
        if (ui.button("Start recording", {.icon = Icon::kRecord},
                      state.recording.settings.ui ? "Records the window with its panels; no frame is dropped. Key R"
                                                  : "Records the bodies without panels; no frame is dropped. Key R",
                      -1, now.ending ? "the last one is still being written" : ""))
            requests.ask(Command::kRecord);
    } else {
        under_way(ui, now, requests);
    }
    if ((!now.active || now.ending) && now.frames > 0)
        ui.note(translated(
            fmt::format("{}: {}{}", verbatim(now.path), film_text(now), now.ending ? tr(", being written") : "")));
    ImGui::Spacing();
    if (ui.button("Screenshot", {.icon = Icon::kPicture}, "Saves a PNG of the bodies without panels. Key S", -1))
        requests.ask(Command::kScreenshot);
    ImGui::Spacing();
    snapshots(ui, state, requests);
}

void record(Window& w, int) { w.recording.toggle(w.window.gl_info(), w.scenes.now()); }

void film_path(Window& w, int) { w.recording.film_path(w.window.gl_info(), w.scenes.now()); }

void cancel_recording(Window& w, int) { w.recording.cancel(); }

void record_snapshots(Window& w, int) { w.recording.snapshots().toggle(); }

void take_screenshot(Window& w, int) { w.exports.screenshot(); }

constexpr auto kRecordingCommands = std::to_array<WindowCommand>({
    line(Command::kRecord, record, GLFW_KEY_R, "R", "start, stop recording"),
    line(Command::kScreenshot, take_screenshot, GLFW_KEY_S, "S", "screenshot, without the panels"),
    listed("Film the camera path", button(Command::kFilmPath, film_path)),
    listed("Cancel the recording, without a file", button(Command::kCancelRecording, cancel_recording)),
    listed("Start, stop a series of snapshots", button(Command::kRecordSnapshots, record_snapshots)),
});

constexpr auto kRecordingPanels = std::to_array<PanelEntry>({
    {"record", PanelGroup::kLook, "Recording", record_panel, "Videos and screenshots"},
});

void draw_indicator(Window&, DrawnFrame& frame) { recording_indicator(frame.ui, frame.state); }

constexpr auto kRecordingOverlays = std::to_array<Overlay>({
    {Layer::kIndicators, draw_indicator},
});

void describe_recording(nlohmann::json& map, const UiState& state) {
    const RecordingState& recording = state.recording.now;
    const auto& snapshots = state.status.saving.snapshots;
    map["recording"] = recording.active;
    map["recorded_frames"] = recording.frames;
    map["recording_path"] = recording.path;
    map["session_path"] = recording.session;
    map["snapshots"] = {
        {"on", snapshots.on}, {"ending", snapshots.ending}, {"written", snapshots.written}, {"last", snapshots.last}};
}

}  // namespace

FeatureEntry recording_feature() {
    return {.panels = kRecordingPanels,
            .commands = kRecordingCommands,
            .overlays = kRecordingOverlays,
            .describe = describe_recording};
}

}  // namespace orrery
