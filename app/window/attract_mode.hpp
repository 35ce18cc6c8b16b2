// SPDX-License-Identifier: MIT
#pragma once
#include "app/window/attract.hpp"
#include "app/window/scene_control.hpp"

namespace orrery {

/// Scene after scene with the camera turning and no panels, until there is input.
class AttractMode {
public:
    AttractMode(WindowCore& core, SceneControl& scenes) : core_{core}, scenes_{scenes} {}

    void toggle();
    /// Once per frame; `pressed`: a button of the mouse.
    void update(const WindowEvents& events, bool pressed);
    bool panels_elsewhere() const { return attract_.on() || core_.state.panels; }  ///< before it and after it

private:
    void next_scene();

    WindowCore& core_;
    SceneControl& scenes_;
    Attract attract_;
    std::size_t next_ = 0;  // of the shipped scenes
    bool panels_before_ = true;
};

}  // namespace orrery
