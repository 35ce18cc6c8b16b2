// SPDX-License-Identifier: MIT
#pragma once
#include "app/window/attract.hpp"
#include "app/window/scene_control.hpp"

namespace orrery {

/// Shows one scene after another with a turning camera and without panels, until there is input.
class AttractMode {
public:
    AttractMode(WindowCore& core, SceneControl& scenes) : core_{core}, scenes_{scenes} {}

    void toggle();
    /// Once per frame; `pressed`: a mouse button.
    void update(const WindowEvents& events, bool pressed);
    bool panels_elsewhere() const {
        return attract_.on() || core_.state.layout.panels;
    }  ///< the panels outside attract mode

private:
    void next_scene();

    WindowCore& core_;
    SceneControl& scenes_;
    Attract attract_;
    std::size_t next_ = 0;  // index of the next shipped scene
    bool panels_before_ = true;
};

}  // namespace orrery
