// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "app/ui/style.hpp"
#include "app/ui/words.hpp"
#include "app/window/panels.hpp"

namespace orrery {
namespace {

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

}  // namespace

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

}  // namespace orrery
