// SPDX-License-Identifier: MIT
#include "app/window/window_parts.hpp"

#include <imgui.h>

#include "app/scene/shipped.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/words.hpp"
#include "app/window/commands.hpp"

namespace orrery {
namespace {

/// The window's cores come first: the engine's threads give way to it.
EngineConfig in_background(EngineConfig config) {
    config.background = true;
    return config;
}

/// Takes a value over where there is one.
template <class Value, class Wished>
void take(Value& value, const std::optional<Wished>& wished) {
    if (wished) value = *wished;
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
      watches{core, recording},
      scenes{core, recording, watches},
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
    speak(config.language.empty() ? core.state.language : config.language);
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

void WindowParts::go_on_with_kept(const KeptAnswer& answer) {
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

void WindowParts::apply(const Wishes& wishes) {
    UiState& state = core.state;
    for (const Action& action : wishes.actions) {
        if (const auto* scene = std::get_if<LoadScene>(&action)) {
            state.scene = {};
            if (scene->request.source == core.simulation.request().source)
                recording.act(*scene);  // the same one, with another number or seed
            else
                scenes.load(*scene);
        } else if (const auto* engine = std::get_if<SetEngine>(&action)) {
            scenes.use_engine(engine->config);
        } else {
            recording.act(action);
        }
    }
    if (!wishes.open.empty()) scenes.open(wishes.open);
    take(state.view, wishes.view);
    take(state.compare_view, wishes.compare_view);
    if (wishes.camera) {
        core.camera.set(*wishes.camera);
        core.camera.bodies_moved(core.simulation.frame());  // bodies at rest send no other frame
    }
    if (wishes.pick) hand.pick(*wishes.pick);
    take(state.hand.tool, wishes.tool);
    if (wishes.new_name) state.new_name = wishes.new_name;
    take(state.record, wishes.record);
    take(state.snapshots, wishes.snapshots);
    take(state.snapshot_path, wishes.snapshot_path);
    take(state.scene_path, wishes.scene_path);
    if (wishes.panel && wishes.panel->empty() && !state.panel.empty())
        core.messages.notice("The page is closed; a click on its group opens it again", "page");
    take(state.panel, wishes.panel);
    if (!state.panel.empty()) state.last_panels[static_cast<std::size_t>(group_of(state.panel))] = state.panel;
    state.map_hover = wishes.map_hover;
    take(state.theta_plot, wishes.theta_plot);
    take(state.structure_plot, wishes.structure_plot);
    take(state.analysis, wishes.analysis);
    take(state.text_scale, wishes.text_scale);
    take(state.autosave_minutes, wishes.autosave_minutes);
    take(state.theme, wishes.theme);
    if (wishes.language) speak(state.language = *wishes.language);
    take(state.sight.settings, wishes.sight);
    take(state.sidebar, wishes.sidebar);
    take(state.torn, wishes.torn);
    if (wishes.forget_tried) tried.clear();
    if (wishes.look_at_map) map_watch.look_at(*wishes.look_at_map, core.simulation.engine());
    if (wishes.lab) choose(state.lab, *wishes.lab);
    if (wishes.lab_action) lab.act(*wishes.lab_action);
    gallery.apply(wishes.gallery);
    if (wishes.close_import) state.import.closed = core.simulation.status().scene_serial;
    tour.apply(wishes.tour);
    take(state.palette.search, wishes.palette.search);
    take(state.palette.chosen, wishes.palette.chosen);
    if (wishes.palette.close) state.palette.on = false;
    if (wishes.leave) leave.answer(*wishes.leave);
    if (wishes.kept) go_on_with_kept(*wishes.kept);
    if (!wishes.show_folder_of.empty()) show_folder_of(wishes.show_folder_of);
    state.type_file = false;
    for (const CommandCall call : wishes.commands) execute(*this, call);
    watches.update();
}

}  // namespace orrery
