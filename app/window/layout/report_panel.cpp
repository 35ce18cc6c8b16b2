// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/ui/plot.hpp"
#include "app/ui/style.hpp"
#include "app/ui/words.hpp"
#include "app/window/command_table.hpp"
#include "app/window/features.hpp"
#include "app/window/kernel/kernel_page.hpp"
#include "app/window/layout/detached_panels.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"

namespace orrery {
namespace {

using namespace command_table;

void of_window(Widgets& ui, const UiState& state, UiRequests& requests) {
    ui.heading("Window");
    double scale = state.layout.text_scale;
    if (ui.slider("Text size", scale, {kLeastTextScale, kMostTextScale, 1, "%.2f"},
                  "Size of all text and controls, relative to the scale of the screen. Keys Ctrl + and Ctrl -"))
        requests.change([scale](UiState& now) { now.layout.text_scale = scale; });
    Theme theme = state.layout.theme;
    if (menu_combo(ui, "Theme", themes(), theme, &ThemeEntry::theme, "Colours of the panels; the picture stays dark"))
        requests.change([theme](UiState& now) { now.layout.theme = theme; });
    std::string language = state.layout.language;
    if (menu_combo(ui, "Language", languages(), language, &LanguageEntry::id, "Language of the window"))
        requests.layout.language = language;
    if (const auto minutes = ui.typed_real("Autosave", state.autosave.minutes,
                                           "Minutes between two checkpoints of the run, which the next window offers "
                                           "if this one ends unexpectedly; 0: none"))
        requests.change([m = std::clamp(*minutes, 0.0, 1440.0)](UiState& now) { now.autosave.minutes = m; });
    bool attract = state.layout.attract;
    if (ui.toggle("Attract mode", attract,
                  "Shows another shipped scene every 20 s with a turning camera; any key, click or turn of the wheel "
                  "ends it"))
        requests.ask(Command::kAttract);
}

bool of_diagnostics(const ReportLine& line) { return line.what == kToOpenGl; }

/// Figures for bug reports.
void diagnostics(Widgets& ui, const UiState& state) {
    if (!ui.fold("Diagnostics", "Times and code paths of the program itself, for bug reports")) return;
    for (const ReportLine& line : state.performance.report)
        if (of_diagnostics(line)) ui.value(line.what, line.found);
    ui.value("UI time", fmt::format("{:.2f} ms", state.performance.ui_cpu_ms),
             "CPU time of the window's thread for panels and overlays, per frame: median of the last 64");
}

void report_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    for (const ReportLine& line : state.performance.report)
        if (!of_diagnostics(line)) ui.value(line.what, line.found);
    for (const std::string& note : state.status.scene.notes) ui.value("Note", note, "Note on the file of the scene");
    of_window(ui, state, requests);
    if (ui.button("Help", "Shows all keys. Key H", -1)) requests.ask(Command::kHelp);
    if (ui.button("First steps", "A tour of six cards: engines, thread maps, recordings, files, help", -1))
        requests.ask(Command::kTour);
    diagnostics(ui, state);
}

void toggle_overlay(Window& w, int) {
    if (w.core.state.layout.clean) return w.layout.set_clean(false);
    w.core.state.layout.overlay = !w.core.state.layout.overlay;
}

void toggle_panels(Window& w, int) {
    UiState& state = w.core.state;
    if (state.layout.clean) return w.layout.set_clean(false);
    state.layout.panels = !state.layout.panels;
    if (!state.layout.panels)
        w.core.messages.notice("Panels hidden: Tab shows them again, and I hides the large figures", "panels");
}

void toggle_clean(Window& w, int) { w.layout.set_clean(!w.core.state.layout.clean); }

void toggle_help(Window& w, int) {
    LayoutState& layout = w.core.state.layout;
    layout.help = !layout.help;
    layout.help_search.clear();
}

void toggle_keyboard(Window& w, int) { w.layout.set_keyboard(!w.core.state.layout.keyboard); }

void change_text(Window& w, int by) {
    constexpr double kStep = 1.1;
    const double scale = by == 0 ? 1 : w.core.state.layout.text_scale * std::pow(kStep, by);
    w.core.state.layout.text_scale = std::clamp(scale, kLeastTextScale, kMostTextScale);
}

void toggle_presenter(Window& w, int) {
    LayoutState& layout = w.core.state.layout;
    layout.presenter = !layout.presenter;
    layout.panels = !layout.presenter;
    if (layout.presenter)
        w.core.messages.notice(
            "Presenter: large letters, and the drawing of the page alone. T ends it, Tab shows the pages");
}

void fill_screen(Window& w, int) {
    if (!w.window.toggle_fullscreen()) w.core.messages.notice("There is no monitor for full screen");
}

constexpr auto kLayoutCommands = std::to_array<WindowCommand>({
    line(Command::kOverlay, toggle_overlay, GLFW_KEY_I, "I", "large figures on, off"),
    line(Command::kPanels, toggle_panels, GLFW_KEY_TAB, "Tab", "hide, show the panels"),
    line(Command::kPresenter, toggle_presenter, GLFW_KEY_T, "T", "presenter: large letters and drawings, or the pages"),
    with(kShift, line(Command::kClean, toggle_clean, GLFW_KEY_I, "Shift + I",
                      "only the picture: no panels, figures, legend, title")),
    line(Command::kKeyboard, toggle_keyboard, GLFW_KEY_N, "N",
         "control the panels by Tab, arrow keys, Space and Enter; Esc ends it"),
    anywhere(listed("Larger text", with(kControl, sign(line(Command::kTextScale, change_text, '+', "Ctrl + / Ctrl -",
                                                            "larger, smaller text; Ctrl 0: default size", +1))))),
    with(kControl, sign(also(Command::kTextScale, GLFW_KEY_EQUAL, +1))),
    with(kControl, sign(also(Command::kTextScale, GLFW_KEY_KP_ADD, +1))),
    listed("Smaller text", with(kControl, sign(also(Command::kTextScale, GLFW_KEY_MINUS, -1)))),
    with(kControl, sign(also(Command::kTextScale, GLFW_KEY_KP_SUBTRACT, -1))),
    listed("Text of the default size", with(kControl, sign(also(Command::kTextScale, GLFW_KEY_0, 0)))),
    anywhere(line(Command::kFullscreen, fill_screen, GLFW_KEY_F11, "F11", "full screen")),
    anywhere(line(Command::kHelp, toggle_help, GLFW_KEY_H, "H", "this help")),
});

constexpr auto kLayoutPanels = std::to_array<PanelEntry>({
    {"report", PanelGroup::kCompute, "Info", report_panel, "Start-up report, window settings, help"},
});

void draw_figures(Window& w, DrawnFrame& frame) {
    const UiState& state = frame.state;
    if (!state.scene.ready || frame.lab || state.status.compare.on) return;  // B has figures beside the pictures
    if (!state.plots.large.empty()) return;
    const bool narrow = w.core.size.x < 1000 * w.ui_scale();  // the map needs the whole width
    const bool room = !((frame.map || import_card_shown(state)) && narrow);
    if (state.layout.overlay && room) figures_overlay(frame.ui, state, w.imgui.fonts(), frame.title);
    const float editor = kernel_editor_width(state, w.ui_scale());
    const float free = static_cast<float>(w.core.size.x) - sidebar_width(state, w.ui_scale()) - editor;
    if (frame.map || (editor > 0 && free < kLegendColumn * w.ui_scale())) return;
    for (const LegendArea& area : legend_overlay(frame.ui, state, w.imgui.fonts()))
        frame.widgets.note_place(area.what, {area.left, area.top, area.right, area.bottom});
}

void draw_pages(Window&, DrawnFrame& frame) {
    if (!frame.state.layout.panels) return;
    sidebar(frame.ui, frame.state, frame.requests);
    detached_windows(frame.ui, frame.state, frame.requests);
    LargePlot& large = frame.large;
    const bool stays = large.drawn && large_plot_overlay(frame.ui, frame.state, *large.drawn);
    if (!stays) large.title.clear();  // also if its page is closed
    if (large.title != frame.state.plots.large)
        frame.requests.change([title = large.title](UiState& now) { now.plots.large = title; });
}

/// Draws the help; of alternative keys it lists only those of this keyboard.
void draw_help(Window& w, DrawnFrame& frame) {
    if (!frame.state.layout.help) return;
    std::vector<HelpLine> keys;
    for (const WindowCommand& line : window_commands())
        if (!line.text.empty() && is_on_keyboard(line, w.window)) keys.push_back({line.text, line.does, line.command});
    help_overlay(frame.ui, frame.state, keys, flight_keys(w.window), frame.requests);
}

constexpr auto kLayoutOverlays = std::to_array<Overlay>({
    {Layer::kFigures, draw_figures},
    {Layer::kPages, draw_pages},
    {Layer::kPalette, draw_help, [](const UiState& state) { return state.layout.help; }},
});

void describe_layout(nlohmann::json& map, const UiState& state) {
    const LayoutState& layout = state.layout;
    map["panel"] = layout.panel;
    map["group"] = layout.panel.empty() ? std::string_view{} : label_of(group_of(layout.panel));
    map["text_scale"] = layout.text_scale;
    map["keyboard"] = layout.keyboard;
    map["panels"] = layout.panels;
    map["presenter"] = layout.presenter;
    map["overlay"] = layout.overlay;
    map["help"] = layout.help;
    map["clean"] = layout.clean;
    map["sought"] = layout.sought.label;
    map["theme"] = themes()[static_cast<std::size_t>(layout.theme)].id;
    map["sidebar"] = layout.sidebar;
    map["advanced"] = layout.advanced;
    map["large_plot"] = state.plots.large;
    map["torn"] = text_of(layout.detached);
    map["language"] = language();
    map["untranslated"] = untranslated();
    map["foreign_words"] = foreign_words();
}

}  // namespace

FeatureEntry layout_feature() {
    return {
        .panels = kLayoutPanels, .commands = kLayoutCommands, .overlays = kLayoutOverlays, .describe = describe_layout};
}

}  // namespace orrery
