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

/// Assigns the new value, if there is one.
template <class Value, class New>
void take(Value& value, const std::optional<New>& next) {
    if (next) value = *next;
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
    for (const ShippedScene& scene : shipped_scenes()) core.state.scenes.push_back({scene.id, scene.label, scene.doc});
    if (window.elsewhere())
        core.messages.read_elsewhere([this](std::string text) { return window.readable(std::move(text)); });
    remembered.adopt(core);
    set_language(config.language.empty() ? core.state.language : config.language);
    if (config.fullscreen) execute(*this, {Command::kFullscreen});
    if (config.attract) attract.toggle();
    scenes.begin();
    const bool toured = tour.begin(config.gallery);
    gallery.begin(config.gallery && !toured, remembered.beside("recent.txt"));
}

void WindowParts::set_keyboard(bool on) {
    UiState& state = core.state;
    if (on == state.keyboard) return;
    state.keyboard = on;
    if (on && !state.panels) state.panels = true;
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
            state.scene = {};
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
    take(state.view, requests.view);
    take(state.compare_view, requests.compare_view);
    if (requests.camera) {
        core.camera.set(*requests.camera);
        core.camera.bodies_moved(core.simulation.frame());  // bodies at rest send no new frame
    }
    if (requests.pick) hand.pick(*requests.pick);
    take(state.hand.tool, requests.tool);
    if (requests.new_name) state.new_name = requests.new_name;
    take(state.record, requests.record);
    take(state.snapshots, requests.snapshots);
    take(state.snapshot_path, requests.snapshot_path);
    take(state.scene_path, requests.scene_path);
    if (requests.panel && requests.panel->empty() && !state.panel.empty())
        core.messages.notice("The page is closed; a click on its group opens it again", "page");
    take(state.panel, requests.panel);
    if (!state.panel.empty()) state.last_panels[static_cast<std::size_t>(group_of(state.panel))] = state.panel;
    state.map_hover = requests.map_hover;
    take(state.theta_plot, requests.theta_plot);
    take(state.structure_plot, requests.structure_plot);
    take(state.analysis, requests.analysis);
    take(state.text_scale, requests.text_scale);
    take(state.autosave_minutes, requests.autosave_minutes);
    take(state.theme, requests.theme);
    if (requests.language) set_language(state.language = *requests.language);
    take(state.sight.settings, requests.sight);
    take(state.sidebar, requests.sidebar);
    take(state.detached, requests.detached);
    if (requests.forget_tried) tried.clear();
    if (requests.display_map) map_monitor.display(*requests.display_map, core.simulation.engine());
    if (requests.lab) choose(state.lab, *requests.lab);
    if (requests.lab_action) lab.act(*requests.lab_action);
    gallery.apply(requests.gallery);
    if (requests.close_import) state.import.closed = core.simulation.status().scene_serial;
    tour.apply(requests.tour);
    take(state.palette.search, requests.palette.search);
    take(state.palette.chosen, requests.palette.chosen);
    if (requests.palette.close) state.palette.on = false;
    if (requests.leave) leave.answer(*requests.leave);
    if (requests.kept) answer_autosave_offer(*requests.kept);
    if (!requests.show_folder_of.empty()) show_folder_of(requests.show_folder_of);
    state.type_file = false;
    for (const CommandCall call : requests.commands) execute(*this, call);
    monitor_requests.update();
}

}  // namespace orrery
