// SPDX-License-Identifier: MIT
#include "app/window/attract/attract.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/scene/shipped.hpp"
#include "app/window/command_table.hpp"
#include "app/window/features.hpp"

namespace orrery {

void AttractMode::toggle() {
    UiState& state = core_.state;
    if (attract_.on()) {
        attract_.stop();
        state.layout.panels = panels_before_;
        core_.camera.stop_turning();
        core_.messages.notice("Attract mode ended");
    } else {
        attract_.start(core_.clock.now());
        panels_before_ = state.layout.panels;
        state.layout.panels = false;
        next_scene();
    }
    state.layout.attract = attract_.on();
}

void AttractMode::handle(const WindowEvents& events, bool pressed) {
    if (!attract_.on()) return;
    if (Attract::ended_by(events, pressed)) return toggle();
    if (attract_.due(core_.clock.now())) next_scene();
    core_.camera.turn(Attract::kTurn * std::min(core_.clock.frame_seconds(), 0.1));
}

/// Sets an engine for each scene: the one chosen last, such as triplets or another backend, may be far too slow.
void AttractMode::next_scene() {
    const auto scenes = shipped_scenes();
    const ShippedScene& scene = scenes[next_++ % scenes.size()];
    SceneFile file = scene.read();
    file.engine_given = true;
    scenes_.show(std::string{scene.id}, file);
}

namespace {

using namespace command_table;

void toggle_attract(Window& w, int) { w.attract.toggle(); }

constexpr auto kAttractCommands = std::to_array<WindowCommand>({
    listed("Attract mode: one scene after another", button(Command::kAttract, toggle_attract)),
});

void describe_attract(nlohmann::json& map, const UiState& state) { map["attract"] = state.layout.attract; }

}  // namespace

FeatureEntry attract_feature() { return {.commands = kAttractCommands, .describe = describe_attract}; }

}  // namespace orrery
