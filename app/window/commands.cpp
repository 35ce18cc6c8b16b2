// SPDX-License-Identifier: MIT
#include "app/window/commands.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/picture/format.hpp"
#include "app/platform/surface.hpp"
#include "app/ui/words.hpp"
#include "app/window/engine/engine_commands.hpp"
#include "app/window/overlays.hpp"
#include "app/window/window_parts.hpp"
#include "core/analysis/columns.hpp"
#include "core/analysis/result.hpp"
#include "core/live/edit_history.hpp"

namespace orrery {
namespace {

using Window = WindowParts;

// Time.
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

// Scenes, recordings, files.
void change_preset(Window& w, int by) { w.scenes.change_preset(by); }
void save_scene(Window& w, int) { w.scenes.save(); }
void save_state(Window& w, int) { w.scenes.save_state(); }
void toggle_gallery(Window& w, int) { w.gallery.toggle(); }
void toggle_palette(Window& w, int) {
    PaletteState& palette = w.core.state.palette;
    palette = {.on = !palette.on, .search = {}};
}
void type_file(Window& w, int) {
    w.gallery.open(kFilesPage);
    w.core.state.layout.help = w.core.state.palette.on = false;
    w.core.state.gallery.type_file = true;
}
void record(Window& w, int) { w.recording.toggle(w.window.gl_info(), w.scenes.now()); }
void cancel_recording(Window& w, int) { w.recording.cancel(); }
void record_snapshots(Window& w, int) { w.recording.snapshots().toggle(); }
void take_screenshot(Window& w, int) { w.exports.screenshot(); }

void export_history(Window& w, int) {
    w.exports.text("History", "-history.csv", history_csv(w.core.state.performance.history));
}
void export_compare(Window& w, int) {
    w.exports.text("Comparison", "-compare.csv", compare_csv(w.core.state.status.compare));
}
void export_diagnostics(Window& w, int) {
    if (const auto& structure = w.core.state.status.structure.now)
        w.exports.text("Density profile", "-profile.csv", profile_csv(*structure));
    w.exports.text("Diagnostics", "-diagnostics.csv", diagnostics_csv(w.core.state.plots.diagnostics));
}
void export_track(Window& w, int) { w.exports.text("Track", "-track.csv", w.hand.sight().track_csv()); }
void plot_history(Window& w, int) {
    w.exports.text("History", "-history.svg",
                   plot(w.exports.plot_title(), "the last minutes in the window",
                        history_plots(w.core.state.performance.history), 2));
}
void plot_compare(Window& w, int) {
    w.exports.text("Comparison", "-compare.svg",
                   plot(w.exports.plot_title(), "B compared with A", compare_plots(w.core.state.status), 2));
}
void draw_diagnostics(Window& w, int) {
    w.exports.text("Diagnostics", "-diagnostics.svg",
                   plot_diagnostics(diagnostics_table(w.core.state.plots.diagnostics), w.exports.plot_title(),
                                    "measured during the run"));
}

void export_plot(Window& w, int) {
    if (const auto& plot = w.core.state.status.analysis.now)
        w.exports.text("Plot", fmt::format("-{}.csv", w.core.state.status.analysis.settings.kind).c_str(),
                       analysis_csv(*plot));
}
void draw_plot(Window& w, int) {
    if (const auto& plot = w.core.state.status.analysis.now)
        w.exports.text("Plot", fmt::format("-{}.svg", w.core.state.status.analysis.settings.kind).c_str(),
                       analysis_svg(*plot, fmt::format("{}: {}", w.core.state.status.scene.label, plot->title)));
}

// Bodies.
void undo(Window& w, int) { w.recording.act(Undo{}); }
void redo(Window& w, int) { w.recording.act(Redo{}); }
void delete_picked(Window& w, int) { w.hand.remove_picked(); }

// Camera.
void fit(Window& w, int) { w.core.camera.fit(w.picture.view().extent(), w.core.free_aspect(), Transition::kSmooth); }
void follow(Window& w, int) { w.hand.toggle_follow(); }

void fly(Window& w, int) {
    const bool flies = w.core.camera.state().mode == CameraMode::kOrbit;
    w.core.camera.set_mode(flies ? CameraMode::kFly : CameraMode::kOrbit);
    w.core.messages.notice(
        flies ? fmt::format("Flying: {} move, a drag looks around, the wheel changes the speed", flight_keys(w.window))
              : "Orbiting the bodies",
        "camera");
}

void add_camera_key(Window& w, int) {
    w.core.camera.add_key();
    const CameraState& camera = w.core.camera.state();
    w.core.messages.notice(phrase("Keyframe {} of {} at {:.2f} s", *camera.key + 1, camera.path.keys.size(),
                                  camera.path.keys[*camera.key].time));
}

void play_path(Window& w, int) {
    if (!w.core.camera.toggle_playing()) w.core.messages.notice("The camera has no path yet; key K adds a keyframe");
}

void recall_camera(Window& w, int place) {
    if (!w.core.camera.recall(place))
        w.core.messages.notice(phrase("No camera is stored in slot {0}; Shift+F{0} stores the current one", place));
}

void store_camera(Window& w, int place) {
    w.core.camera.store(place);
    w.core.messages.notice(phrase("Camera stored; F{} recalls it", place));
}

// Comparison.
void toggle_compare(Window& w, int) {
    const SimulationLink& simulation = w.core.simulation;
    if (simulation.compare()) return w.recording.act(StopCompare{});
    if (!simulation.ready()) return w.core.messages.notice("Nothing to compare yet");
    w.recording.act(
        SetCompare{{.engine = simulation.engine(), .softening = simulation.status().dynamics.gravity.softening}});
    w.core.state.layout.panel = "compare";
    const SeriesStatus& series = simulation.status().source.series;
    w.core.messages.notice(!series.on ? "B starts with the settings of A; change them in the Compare tab"
                           : std::ranges::binary_search(*series.times, simulation.status().time)
                               ? "B is computed from here on; its settings are in the Compare tab"
                               : "B starts at the nearest snapshot; its settings are in the Compare tab");
}

void flip(Window& w, int) {
    if (!w.core.simulation.compare()) return w.core.messages.notice("There is no comparison; key X starts one");
    CompareView& view = w.core.state.comparison.view;
    view.show_b = view.mode == CompareMode::kFlip ? !view.show_b : true;
    view.mode = CompareMode::kFlip;
}

// The window itself.
void toggle_lab(Window& w, int) { w.lab.toggle(); }
void reset_view(Window& w, int) { w.scenes.reset_view(); }
void toggle_overlay(Window& w, int) { w.core.state.layout.overlay = !w.core.state.layout.overlay; }
void toggle_panels(Window& w, int) {
    UiState& state = w.core.state;
    state.layout.panels = !state.layout.panels;
    if (!state.layout.panels)
        w.core.messages.notice("Panels hidden: Tab shows them again, and I hides the large figures", "panels");
}
void toggle_help(Window& w, int) { w.core.state.layout.help = !w.core.state.layout.help; }
void start_tour(Window& w, int) { w.tour.start(); }
void toggle_keyboard(Window& w, int) { w.layout.set_keyboard(!w.core.state.layout.keyboard); }
void toggle_attract(Window& w, int) { w.attract.toggle(); }

void change_text(Window& w, int by) {
    constexpr double kStep = 1.1;
    const double scale = by == 0 ? 1 : w.core.state.layout.text_scale * std::pow(kStep, by);
    w.core.state.layout.text_scale = std::clamp(scale, kLeastTextScale, kMostTextScale);
}

void fill_screen(Window& w, int) {
    if (!w.window.toggle_fullscreen()) w.core.messages.notice("There is no monitor for full screen");
}

void quit(Window& w, int) {
    if (w.imgui.close_list()) return;
    if (w.core.state.palette.on)
        w.core.state.palette.on = false;
    else if (w.core.state.layout.keyboard)
        w.layout.set_keyboard(false);
    else if (w.core.state.gallery.on && !w.core.state.layout.help)
        w.gallery.close();
    else if (w.core.state.layout.help)
        w.core.state.layout.help = false;
    else if (w.core.state.tour.on)
        w.tour.end();
    else if (w.core.state.hand.tool.adds || w.core.state.hand.tool.brushes)
        w.core.state.hand.tool.adds.reset(), w.core.state.hand.tool.brushes.reset();
    else if (w.core.state.hand.picked)
        w.hand.pick(nullptr);
    else
        w.leave.ask();
}

using Run = void (*)(Window&, int);
constexpr int kShift = GLFW_MOD_SHIFT, kControl = GLFW_MOD_CONTROL;

constexpr WindowCommand line(Command command, Run run, int key, std::string_view text, std::string_view does,
                             int argument = 0) {
    return {command, run, true, key, 0, false, argument, text, does};
}
/// Alternative keys of an earlier line, for keyboards that lack its characters; the help lists them too.
constexpr WindowCommand alternative(Command command, int key, std::string_view text, std::string_view does,
                                    int argument) {
    return {command, nullptr, false, key, 0, false, argument, text, does};
}
/// Another key of an earlier line.
constexpr WindowCommand also(Command command, int key, int argument = 0) {
    return {command, nullptr, false, key, 0, false, argument, "", ""};
}
/// A key whose character needs Shift on some keyboards.
constexpr WindowCommand sign(WindowCommand line) { return line.any_shift = true, line; }
constexpr WindowCommand with(int mods, WindowCommand line) { return line.mods = mods, line; }
/// Has no key: a panel calls it.
constexpr WindowCommand button(Command command, Run run) { return {command, run, true, 0, 0, false, 0, "", ""}; }

constexpr auto kLines = std::to_array<WindowCommand>({
    line(Command::kTogglePause, toggle_pause, GLFW_KEY_SPACE, "Space", "pause or resume"),
    sign(line(Command::kStep, step, GLFW_KEY_PERIOD, ".", "single step")),
    sign(line(Command::kStepBack, step_back, GLFW_KEY_COMMA, ",", "single step back")),
    line(Command::kReverse, reverse, GLFW_KEY_Z, "Z", "reverse time"),
    line(Command::kRewind, rewind_by, GLFW_KEY_LEFT, "Left / Right", "rewind to the previous, next snapshot", -1),
    also(Command::kRewind, GLFW_KEY_RIGHT, +1),
    line(Command::kSeriesEnd, go_to_series_end, GLFW_KEY_HOME, "Home / End", "first, last snapshot of a series", -1),
    also(Command::kSeriesEnd, GLFW_KEY_END, +1),
    sign(line(Command::kSpeed, change_speed, '+', "+ / -", "faster, slower", +1)),
    sign(also(Command::kSpeed, GLFW_KEY_EQUAL, +1)),
    sign(also(Command::kSpeed, GLFW_KEY_KP_ADD, +1)),
    sign(also(Command::kSpeed, GLFW_KEY_MINUS, -1)),
    sign(also(Command::kSpeed, GLFW_KEY_KP_SUBTRACT, -1)),
    alternative(Command::kSpeed, GLFW_KEY_UP, "Up / Down", "faster, slower", +1),
    also(Command::kSpeed, GLFW_KEY_DOWN, -1),
    line(Command::kRestart, restart, GLFW_KEY_BACKSPACE, "Backspace", "restart the scene"),
    sign(line(Command::kPreset, change_preset, GLFW_KEY_LEFT_BRACKET, "[ ]", "previous, next preset", -1)),
    sign(also(Command::kPreset, GLFW_KEY_RIGHT_BRACKET, +1)),
    alternative(Command::kPreset, GLFW_KEY_PAGE_UP, "Page Up / Page Down", "previous, next preset", -1),
    also(Command::kPreset, GLFW_KEY_PAGE_DOWN, +1),
    sign(line(Command::kEngine, choose_engine, GLFW_KEY_1, "1 to 8",
              "engine direct, half, tree, auto, triplet, tree-locks, naive, fmm", 1)),
    sign(also(Command::kEngine, GLFW_KEY_2, 2)),
    sign(also(Command::kEngine, GLFW_KEY_3, 3)),
    sign(also(Command::kEngine, GLFW_KEY_4, 4)),
    sign(also(Command::kEngine, GLFW_KEY_5, 5)),
    sign(also(Command::kEngine, GLFW_KEY_6, 6)),
    sign(also(Command::kEngine, GLFW_KEY_7, 7)),
    sign(also(Command::kEngine, GLFW_KEY_8, 8)),
    line(Command::kBackend, change_backend, GLFW_KEY_B, "B", "switch the engine between GPU and CPU"),
    line(Command::kMap, next_map, GLFW_KEY_M, "M", "next thread map"),
    line(Command::kPrecision, next_precision, GLFW_KEY_ENTER, "Enter", "single, mixed or double precision"),
    also(Command::kPrecision, GLFW_KEY_KP_ENTER),
    line(Command::kGallery, toggle_gallery, GLFW_KEY_G, "G", "scenes and files by their pictures"),
    line(Command::kRecord, record, GLFW_KEY_R, "R", "start, stop recording"),
    line(Command::kScreenshot, take_screenshot, GLFW_KEY_S, "S", "screenshot, without the panels"),
    with(kControl, line(Command::kSaveScene, save_scene, GLFW_KEY_S, "Ctrl + S", "save the scene with its settings")),
    with(kControl | kShift,
         line(Command::kSaveState, save_state, GLFW_KEY_S, "Ctrl + Shift + S", "save the bodies as they are")),
    with(kControl,
         line(Command::kPalette, toggle_palette, GLFW_KEY_P, "Ctrl + P", "find any command or choice by words")),
    with(kControl,
         line(Command::kTypeFile, type_file, GLFW_KEY_O, "Ctrl + O", "open a file: choose it, or type its path")),
    with(kControl,
         line(Command::kUndo, undo, GLFW_KEY_Z, "Ctrl + Z", "undo the last edit, restart or change of scene")),
    with(kControl | kShift, line(Command::kRedo, redo, GLFW_KEY_Z, "Ctrl + Shift + Z", "redo")),
    line(Command::kDelete, delete_picked, GLFW_KEY_DELETE, "Delete", "remove the picked bodies"),
    line(Command::kFit, fit, GLFW_KEY_C, "C", "fit the view to the bodies"),
    line(Command::kFollow, follow, GLFW_KEY_F, "F", "follow the picked body, or the centre of mass"),
    line(Command::kFly, fly, GLFW_KEY_V, "V", "fly, or orbit the bodies"),
    line(Command::kAddCameraKey, add_camera_key, GLFW_KEY_K, "K", "add a keyframe to the camera path"),
    line(Command::kPlayPath, play_path, GLFW_KEY_P, "P", "play, stop the camera path"),
    line(Command::kRecallCamera, recall_camera, GLFW_KEY_F1, "F1 to F8", "recall a stored camera", 1),
    also(Command::kRecallCamera, GLFW_KEY_F2, 2),
    also(Command::kRecallCamera, GLFW_KEY_F3, 3),
    also(Command::kRecallCamera, GLFW_KEY_F4, 4),
    also(Command::kRecallCamera, GLFW_KEY_F5, 5),
    also(Command::kRecallCamera, GLFW_KEY_F6, 6),
    also(Command::kRecallCamera, GLFW_KEY_F7, 7),
    also(Command::kRecallCamera, GLFW_KEY_F8, 8),
    with(kShift, line(Command::kStoreCamera, store_camera, GLFW_KEY_F1, "Shift + F1 to F8", "store the camera", 1)),
    with(kShift, also(Command::kStoreCamera, GLFW_KEY_F2, 2)),
    with(kShift, also(Command::kStoreCamera, GLFW_KEY_F3, 3)),
    with(kShift, also(Command::kStoreCamera, GLFW_KEY_F4, 4)),
    with(kShift, also(Command::kStoreCamera, GLFW_KEY_F5, 5)),
    with(kShift, also(Command::kStoreCamera, GLFW_KEY_F6, 6)),
    with(kShift, also(Command::kStoreCamera, GLFW_KEY_F7, 7)),
    with(kShift, also(Command::kStoreCamera, GLFW_KEY_F8, 8)),
    line(Command::kOctree, toggle_octree, GLFW_KEY_O, "O", "octree cells on, off"),
    line(Command::kLab, toggle_lab, GLFW_KEY_L, "L", "the laboratory"),
    line(Command::kCompare, toggle_compare, GLFW_KEY_X, "X", "start, end a comparison with a second simulation"),
    line(Command::kFlip, flip, GLFW_KEY_Y, "Y", "in a comparison, switch between A and B"),
    line(Command::kOverlay, toggle_overlay, GLFW_KEY_I, "I", "large figures on, off"),
    line(Command::kPanels, toggle_panels, GLFW_KEY_TAB, "Tab", "hide, show the panels"),
    line(Command::kKeyboard, toggle_keyboard, GLFW_KEY_N, "N",
         "control the panels by arrow keys, Space and Enter; Esc ends it"),
    with(kControl, sign(line(Command::kTextScale, change_text, '+', "Ctrl + / Ctrl -",
                             "larger, smaller text; Ctrl 0: default size", +1))),
    with(kControl, sign(also(Command::kTextScale, GLFW_KEY_EQUAL, +1))),
    with(kControl, sign(also(Command::kTextScale, GLFW_KEY_KP_ADD, +1))),
    with(kControl, sign(also(Command::kTextScale, GLFW_KEY_MINUS, -1))),
    with(kControl, sign(also(Command::kTextScale, GLFW_KEY_KP_SUBTRACT, -1))),
    with(kControl, sign(also(Command::kTextScale, GLFW_KEY_0, 0))),
    line(Command::kFullscreen, fill_screen, GLFW_KEY_F11, "F11", "full screen"),
    line(Command::kHelp, toggle_help, GLFW_KEY_H, "H", "this help"),
    line(Command::kQuit, quit, GLFW_KEY_ESCAPE, "Esc",
         "close what is open, deselect, then quit; asks before something is lost"),
    button(Command::kCancelRecording, cancel_recording),
    button(Command::kRecordSnapshots, record_snapshots),
    button(Command::kExportHistory, export_history),
    button(Command::kExportCompare, export_compare),
    button(Command::kExportDiagnostics, export_diagnostics),
    button(Command::kExportTrack, export_track),
    button(Command::kPlotHistory, plot_history),
    button(Command::kPlotCompare, plot_compare),
    button(Command::kPlotDiagnostics, draw_diagnostics),
    button(Command::kExportPlot, export_plot),
    button(Command::kDrawPlot, draw_plot),
    button(Command::kResetView, reset_view),
    button(Command::kTour, start_tour),
    button(Command::kAttract, toggle_attract),
});

/// Every command has exactly one line that runs it.
constexpr bool complete() {
    for (int i = 0; i <= static_cast<int>(Command::kQuit); ++i) {
        const auto does = [i](const WindowCommand& l) { return l.runs && static_cast<int>(l.command) == i; };
        if (std::ranges::count_if(kLines, does) != 1) return false;
    }
    return true;
}
static_assert(complete());

}  // namespace

std::span<const WindowCommand> window_commands() { return kLines; }

std::optional<CommandCall> command_of(const KeyEvent& event) {
    int key = event.key;
    if (is_sign_key(key)) {
        const char32_t sign = event.sign != 0 ? event.sign : us_sign(key);
        key = static_cast<int>(sign >= U'a' && sign <= U'z' ? sign - (U'a' - U'A') : sign);
    }
    const int mods = event.mods & (kShift | kControl | GLFW_MOD_ALT | GLFW_MOD_SUPER);  // ignores lock keys
    const auto found = std::ranges::find_if(kLines, [&](const WindowCommand& l) {
        return l.key != 0 && l.key == key && (l.any_shift ? mods & ~kShift : mods) == l.mods;
    });
    if (found == kLines.end()) return std::nullopt;
    return CommandCall{found->command, found->argument};
}

bool is_on_keyboard(const WindowCommand& line, const Surface& surface) {
    const auto others = [&](const WindowCommand& l) { return !l.runs && !l.text.empty() && l.command == line.command; };
    if (!line.runs || std::ranges::none_of(kLines, others)) return true;
    const auto written = [&](int sign) {
        for (int key = GLFW_KEY_APOSTROPHE; key <= GLFW_KEY_WORLD_2; ++key) {
            const char32_t here = surface.sign_at(key);
            const bool digit = key >= GLFW_KEY_0 && key <= GLFW_KEY_9;
            if (!digit && (here != 0 ? here : us_sign(key)) == us_sign(sign)) return true;
        }
        return false;
    };
    const auto reached = [&](const WindowCommand& l) {
        return std::ranges::any_of(kLines, [&](const WindowCommand& same) {
            return same.command == l.command && same.argument == l.argument && is_sign_key(same.key) &&
                   written(same.key);
        });
    };
    return std::ranges::all_of(kLines, [&](const WindowCommand& l) { return l.command != line.command || reached(l); });
}

bool acts_under_cover(Command command) {
    constexpr std::array all{Command::kTogglePause, Command::kGallery,   Command::kHelp,       Command::kPalette,
                             Command::kTypeFile,    Command::kTextScale, Command::kFullscreen, Command::kQuit};
    return std::ranges::find(all, command) != all.end();
}

void execute(WindowParts& window, CommandCall call) {
    std::ranges::find_if(kLines, [&](const WindowCommand& l) {
        return l.runs && l.command == call.command;
    })->run(window, call.argument);
}

}  // namespace orrery
