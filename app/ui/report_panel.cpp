// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "app/ui/panels.hpp"
#include "app/ui/style.hpp"
#include "app/ui/words.hpp"

namespace orrery {
namespace {

void of_window(Widgets& ui, const UiState& state, UiRequests& requests) {
    ui.heading("Window");
    double scale = state.layout.text_scale;
    if (ui.slider("Text size", scale, {kLeastTextScale, kMostTextScale, 1, "%.2f"},
                  "Size of all text and controls, relative to the scale of the screen. Keys Ctrl + and Ctrl -"))
        requests.change([scale](UiState& now) { now.layout.text_scale = scale; });
    const ThemeEntry& theme = themes()[static_cast<std::size_t>(state.layout.theme)];
    if (ui.begin_combo("Theme", theme.label, "Colours of the panels; the picture stays dark")) {
        for (const ThemeEntry& entry : themes())
            if (ui.choice(entry.label, &entry == &theme, entry.doc))
                requests.change([theme = entry.theme](UiState& now) { now.layout.theme = theme; });
        ui.end_combo();
    }
    const auto all = languages();
    const auto language = std::ranges::find(all, state.layout.language, &LanguageEntry::id);
    if (ui.begin_combo("Language", language == all.end() ? "English" : language->label, "Language of the window")) {
        for (const LanguageEntry& entry : all)
            if (ui.choice(entry.label, entry.id == state.layout.language, entry.doc))
                requests.layout.language = std::string{entry.id};
        ui.end_combo();
    }
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
    for (const std::string& note : state.status.scene_notes) ui.value("Note", note, "Note on the file of the scene");
    of_window(ui, state, requests);
    if (ui.button("Help", "Shows all keys. Key H", -1)) requests.ask(Command::kHelp);
    if (ui.button("First steps", "A tour of six cards: engines, thread maps, recordings, files, help", -1))
        requests.ask(Command::kTour);
    diagnostics(ui, state);
}

}  // namespace orrery
