// SPDX-License-Identifier: MIT
#include "app/window/remembered.hpp"

#include "app/ui/panels.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"

namespace orrery {

Remembered::Remembered(bool fresh) {
    if (fresh) return;
    path_ = user_settings_path();
    read_ = read_user_settings(path_);
    if (!read_.replaceable) path_.clear();
}

void Remembered::adopt(WindowCore& core) const {
    const UserSettings& settings = read_.settings;
    UiState& state = core.state;
    for (const std::string& problem : read_.problems) core.messages.failure(problem);
    state.layout.text_scale = settings.text_scale;
    state.layout.panels = settings.panels;
    state.layout.overlay = settings.figures;
    for (const PanelEntry& panel : panels())
        if (panel.id == settings.panel) state.layout.panel = panel.id;
    state.view = settings.view;
    state.gallery.at_start = settings.gallery;
    state.autosave.minutes = settings.autosave;
    state.layout.theme = theme_of(settings.theme);
    state.layout.sidebar = settings.sidebar;
    state.layout.language = settings.language;
    state.layout.detached = detached_panels(settings.detached);
    state.tour.at_start = settings.tour;
}

void Remembered::save(const UiState& state, const ViewSettings& view, bool panels,
                      const std::optional<WindowSize>& size) const {
    if (path_.empty()) return;
    UserSettings settings = read_.settings;
    if (size) settings.width = size->width, settings.height = size->height;
    settings.text_scale = state.layout.text_scale;
    if (!state.layout.panel.empty()) settings.panel = state.layout.panel;
    settings.panels = panels;
    settings.figures = state.layout.overlay;
    settings.gallery = state.gallery.at_start;
    settings.autosave = state.autosave.minutes;
    settings.theme = themes()[static_cast<std::size_t>(state.layout.theme)].id;
    settings.sidebar = state.layout.sidebar;
    settings.language = state.layout.language;
    settings.detached = text_of(state.layout.detached);
    settings.tour = state.tour.at_start;
    settings.view = view;
    write(settings);
}

void Remembered::note_tour() const {
    if (path_.empty()) return;
    UserSettings settings = read_.settings;
    settings.tour = false;
    write(settings);
}

void Remembered::write(const UserSettings& settings) const {
    try {
        write_user_settings(path_, settings);
    } catch (const Error& error) {
        to_stderr("orrery: {}\n", error.what());
    }
}

}  // namespace orrery
