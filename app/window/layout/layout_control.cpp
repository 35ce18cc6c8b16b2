// SPDX-License-Identifier: MIT
#include "app/window/layout/layout_control.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <sstream>

#include "app/platform/machine.hpp"
#include "app/ui/words.hpp"
#include "app/window/panels.hpp"

namespace orrery {

void LayoutControl::recall(const UserSettings& settings) {
    LayoutState& layout = core_.state.layout;
    layout.text_scale = settings.text_scale;
    layout.panels = settings.panels;
    layout.overlay = settings.figures;
    for (const PanelEntry& panel : panels())
        if (panel.id == settings.panel) layout.panel = panel.id;
    layout.theme = theme_of(settings.theme);
    layout.sidebar = settings.sidebar;
    layout.language = settings.language;
    layout.detached = detached_panels(settings.detached);
    std::istringstream ids{settings.advanced};
    for (std::string id; ids >> id;)
        if (std::ranges::find(panels(), id, &PanelEntry::id) != panels().end()) layout.advanced.insert(id);
}

void LayoutControl::remember(UserSettings& settings) const {
    const LayoutState& layout = core_.state.layout;
    settings.text_scale = layout.text_scale;
    if (!layout.panel.empty()) settings.panel = layout.panel;
    settings.figures = layout.clean ? before_clean_.overlay : layout.overlay;
    settings.theme = themes()[static_cast<std::size_t>(layout.theme)].id;
    settings.sidebar = layout.sidebar;
    settings.language = layout.language;
    settings.detached = text_of(layout.detached);
    settings.advanced = fmt::format("{}", fmt::join(layout.advanced, " "));
}

void LayoutControl::apply(const UiRequests& requests) {
    LayoutState& layout = core_.state.layout;
    const LayoutRequest& request = requests.layout;
    if (request.panel && request.panel->empty() && !layout.panel.empty())
        core_.messages.notice("The page is closed; a click on its group opens it again", "page");
    if (request.panel) layout.panel = *request.panel;
    if (!layout.panel.empty()) layout.last_panels[static_cast<std::size_t>(group_of(layout.panel))] = layout.panel;
    if (request.detached) layout.detached = *request.detached;
    if (request.language) set_language(layout.language = *request.language);
    if (!request.show_folder_of.empty()) show_folder_of(request.show_folder_of);
    if (!request.play.empty()) play(request.play);
    constexpr double kSoughtTime = 4;  // seconds
    if (!request.seek.empty()) layout.sought = {request.seek, ImGui::GetTime() + kSoughtTime};
    if (layout.sought.until < ImGui::GetTime()) layout.sought = {};
}

void LayoutControl::set_keyboard(bool on) {
    LayoutState& layout = core_.state.layout;
    if (on == layout.keyboard) return;
    layout.keyboard = on;
    if (on && !layout.panels) layout.panels = true;
    imgui_.set_keyboard(on, kSidebar);
    if (on) core_.messages.notice("Keyboard control of the panels: Tab, arrow keys, Space, Enter; Esc ends it");
}

void LayoutControl::set_clean(bool on) {
    LayoutState& layout = core_.state.layout;
    if (on == layout.clean) return;
    layout.clean = on;
    const Shown shown = on ? Shown{false, false} : before_clean_;
    if (on) before_clean_ = {layout.panels, layout.overlay};
    layout.panels = shown.panels, layout.overlay = shown.overlay;
    if (on) core_.messages.notice("Only the picture is shown; Shift + I restores the panels", "panels");
}

void LayoutControl::play(const std::string& file) {
    if (!open_on_desktop(file)) core_.messages.failure(phrase("{}: xdg-open, which plays it, cannot be started", file));
}

void LayoutControl::show_folder_of(const std::string& file) {
    const std::filesystem::path folder = std::filesystem::path{file}.parent_path();
    if (window_.show_folder(folder)) return core_.messages.notice(phrase("Opening {}", verbatim(folder.string())));
    ImGui::SetClipboardText(file.c_str());
    core_.messages.notice(phrase("In the clipboard: {}", verbatim(file)));
}

void CameraPage::apply(const UiRequests& requests) {
    if (!requests.camera) return;
    core_.camera.set(*requests.camera);
    core_.camera.bodies_moved(core_.simulation.frame(), core_.state.picture.space);  // bodies at rest send no new frame
}

}  // namespace orrery
