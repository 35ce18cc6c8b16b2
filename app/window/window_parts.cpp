// SPDX-License-Identifier: MIT
#include "app/window/window_parts.hpp"

#include "app/scene/shipped.hpp"
#include "app/ui/words.hpp"
#include "app/window/commands.hpp"
#include "app/window/features.hpp"
#include "core/engines/menu.hpp"
#include "core/formats/formats.hpp"
#include "core/lab/launch_variants.hpp"
#include "core/maps/maps.hpp"
#include "core/presets/presets.hpp"

namespace orrery {
namespace {

/// The window comes first: the engine's threads run at low priority.
EngineConfig in_background(EngineConfig config) {
    config.background = true;
    return config;
}

/// Ids are data: they are the same in all languages.
void note_ids() {
    for (const EngineEntry& entry : engines()) verbatim(std::string{entry.id});
    for (const MapEntry& entry : maps()) verbatim(std::string{entry.id});
    for (const RootEntry& entry : roots()) verbatim(std::string{entry.id});
    for (const LabForm& form : lab_forms()) verbatim(std::string{form.id});
    for (const FormatEntry& entry : formats()) verbatim(std::string{entry.label});
    for (const PresetEntry& entry : presets()) verbatim(std::string{entry.id});
    for (const ShippedScene& scene : shipped_scenes()) verbatim(std::string{scene.id});
    for (const LanguageEntry& entry : languages()) verbatim(std::string{entry.label});
    verbatim("Orrery");
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
      monitor_requests{core, recording},
      scenes{core, recording, monitor_requests},
      camera{core},
      hand{core, picture, scenes, recording},
      lab{core},
      layout{core, window, imgui},
      attract{core, scenes},
      exports{core, picture},
      gallery{core},
      tour{core, gallery, remembered},
      leave{core, window, recording, scenes},
      autosave{core, scenes, remembered.beside("autosave"), config.gallery} {
    for (const FeatureEntry& feature : orrery::features())
        if (feature.make) others.push_back(feature.make(*this));
    core.state.gallery.last_run = autosave.last_run();
    for (const ShippedScene& scene : shipped_scenes())
        core.state.scene.choices.push_back({scene.id, scene.label, scene.doc});
    if (window.elsewhere())
        core.messages.read_elsewhere([this](std::string text) { return window.readable(std::move(text)); });
    for (const std::string& problem : remembered.problems()) core.messages.failure(problem);
    for (Feature* feature : features()) feature->recall(remembered.settings());
    remembered.recall(core.state);
    set_language(config.language.empty() ? core.state.layout.language : config.language);
    if (!config.ui_map.empty()) check_words(), note_ids();
    if (config.fullscreen) execute(*this, {Command::kFullscreen});
    if (config.attract) attract.toggle();
    scenes.begin();
    const bool toured = tour.begin(config.gallery);
    gallery.begin(config.gallery && !toured, remembered.beside("recent.txt"));
}

std::vector<Feature*> WindowParts::features() {
    std::vector<Feature*> all{&recording, &scenes, &camera,           &hand,  &layout,  &lab, &attract,
                              &gallery,   &tour,   &monitor_requests, &leave, &autosave};
    for (const auto& other : others) all.push_back(other.get());
    return all;
}

void WindowParts::apply(const UiRequests& requests) {
    for (const Action& action : requests.actions) scenes.act(action);
    for (const auto& change : requests.changes) change(core.state);
    for (Feature* feature : features()) feature->apply(requests);
    for (const CommandCall call : requests.commands) execute(*this, call);
    for (Feature* feature : features()) feature->end_frame();
}

void WindowParts::save_settings() { remembered.save(features(), core.state, window.windowed_size()); }

}  // namespace orrery
