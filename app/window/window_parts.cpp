// SPDX-License-Identifier: MIT
#include "app/window/window_parts.hpp"

#include <imgui.h>

#include "app/scene/shipped.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/words.hpp"
#include "app/window/commands.hpp"

namespace orrery {
namespace {

/// The window comes first: the engine's threads run at low priority.
EngineConfig in_background(EngineConfig config) {
    config.background = true;
    return config;
}

}  // namespace

WindowParts::WindowParts(const WindowConfig& config, const MakeSurface& make)
    : remembered{config.fresh},
      surface{make(config.width.value_or(remembered.width()), config.height.value_or(remembered.height()))},
      core{.config = config,
           .clock = WindowClock{config.clock, config.clock_steps},
           .simulation = SimulationLink{config.scene, in_background(config.engine), !config.look && !config.attract},
           .camera = {},
           .state = {},
           .messages = {}},
      imgui{window},
      picture{core, window},
      recording{core, picture},
      snapshots{core},
      monitor_requests{core, recording},
      scenes{core, recording, monitor_requests},
      hand{core, picture, scenes, recording},
      attract{core, scenes},
      lab{core},
      exports{core, picture},
      gallery{core},
      tour{core, gallery, remembered},
      sight{core},
      leave{core, window, recording, scenes},
      autosave{core, remembered.beside("autosave"), config.gallery} {
    core.state.gallery.last_run = autosave.last_run();
    for (const ShippedScene& scene : shipped_scenes())
        core.state.scene.choices.push_back({scene.id, scene.label, scene.doc});
    if (window.elsewhere())
        core.messages.read_elsewhere([this](std::string text) { return window.readable(std::move(text)); });
    remembered.adopt(core);
    set_language(config.language.empty() ? core.state.layout.language : config.language);
    if (config.fullscreen) execute(*this, {Command::kFullscreen});
    if (config.attract) attract.toggle();
    scenes.begin();
    const bool toured = tour.begin(config.gallery);
    gallery.begin(config.gallery && !toured, remembered.beside("recent.txt"));
}

void WindowParts::set_keyboard(bool on) {
    UiState& state = core.state;
    if (on == state.layout.keyboard) return;
    state.layout.keyboard = on;
    if (on && !state.layout.panels) state.layout.panels = true;
    imgui.set_keyboard(on, kSidebar);
    if (on) core.messages.notice("Keyboard control of the panels: arrow keys, Space, Enter; Esc ends it");
}

void WindowParts::answer_autosave_offer(const AutosaveAnswer& answer) {
    const std::string path = autosave.answer(answer);
    if (path.empty()) return;
    if (core.state.gallery.on) gallery.close();
    scenes.open(path);
}

void WindowParts::show_folder_of(const std::string& file) {
    const std::filesystem::path folder = std::filesystem::path{file}.parent_path();
    if (window.show_folder(folder)) return core.messages.notice(phrase("Opening {}", folder.string()));
    ImGui::SetClipboardText(file.c_str());
    core.messages.notice(phrase("In the clipboard: {}", file));
}

void WindowParts::apply(const UiRequests& requests) {
    UiState& state = core.state;
    for (const Action& action : requests.actions) {
        if (const auto* scene = std::get_if<LoadScene>(&action)) {
            state.scene.shown = {};
            if (scene->request.source == core.simulation.request().source)
                recording.act(*scene);  // the same scene with another number of bodies or another seed
            else
                scenes.load(*scene);
        } else if (const auto* engine = std::get_if<SetEngine>(&action)) {
            scenes.use_engine(engine->config);
        } else {
            recording.act(action);
        }
    }
    if (!requests.open.empty()) scenes.open(requests.open);
    for (const auto& change : requests.changes) change(state);
    if (requests.camera) {
        core.camera.set(*requests.camera);
        core.camera.bodies_moved(core.simulation.frame());  // bodies at rest send no new frame
    }
    if (requests.pick) hand.pick(*requests.pick);
    const LayoutRequest& layout = requests.layout;
    if (layout.panel && layout.panel->empty() && !state.layout.panel.empty())
        core.messages.notice("The page is closed; a click on its group opens it again", "page");
    if (layout.panel) state.layout.panel = *layout.panel;
    if (!state.layout.panel.empty())
        state.layout.last_panels[static_cast<std::size_t>(group_of(state.layout.panel))] = state.layout.panel;
    if (layout.detached) state.layout.detached = *layout.detached;
    if (layout.language) set_language(state.layout.language = *layout.language);
    state.maps.hover = requests.maps.hover;
    if (requests.maps.forget_tried) tried.clear();
    if (requests.maps.display) map_monitor.display(*requests.maps.display, core.simulation.engine());
    if (requests.lab.settings) choose(state.lab, *requests.lab.settings);
    if (requests.lab.action) lab.act(*requests.lab.action);
    gallery.apply(requests.gallery);
    tour.apply(requests.tour);
    if (requests.leave) leave.answer(*requests.leave);
    if (requests.autosave) answer_autosave_offer(*requests.autosave);
    if (!layout.show_folder_of.empty()) show_folder_of(layout.show_folder_of);
    state.gallery.type_file = false;
    for (const CommandCall call : requests.commands) execute(*this, call);
    monitor_requests.update();
}

}  // namespace orrery
