// SPDX-License-Identifier: MIT
#pragma once
#include "app/window/attract/attract.hpp"
#include "app/window/scenes/scene_control.hpp"

namespace orrery {

/// Shows one scene after another with a turning camera and without panels, until there is input.
class AttractMode final : public Feature {
public:
    AttractMode(WindowCore& core, SceneControl& scenes) : core_{core}, scenes_{scenes} {}

    void toggle();
    /// Once per frame; `pressed`: a mouse button.
    void handle(const WindowEvents& events, bool pressed);
    /// Attract mode hides panels only as long as it is on.
    void remember(UserSettings& settings) const override {
        settings.panels = attract_.on() || core_.state.layout.panels;
    }

private:
    void next_scene();

    WindowCore& core_;
    SceneControl& scenes_;
    Attract attract_;
    std::size_t next_ = 0;  // index of the next shipped scene
    bool panels_before_ = true;
};

}  // namespace orrery
