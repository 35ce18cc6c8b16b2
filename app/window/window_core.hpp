// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include "app/ui/ui_state.hpp"
#include "app/window/camera_control.hpp"
#include "app/window/messages.hpp"
#include "app/window/simulation_link.hpp"
#include "app/window/window.hpp"
#include "app/window/window_clock.hpp"

namespace orrery {

/// Pixels of the picture that panels cover, from its left and from its lower edge.
struct Covered {
    double left = 0, bottom = 0;
};

/// What every part of the window sees. None of it needs OpenGL, so a part that needs no more is tested without a
/// window.
struct WindowCore {
    WindowConfig config;
    WindowClock clock;
    SimulationLink simulation;
    CameraControl camera;
    UiState state;
    Messages messages;
    Covered covered;  ///< in this frame

    double width() const { return std::max(1, state.width); }
    double height() const { return std::max(1, state.height); }
    /// The camera as the window shows it: its target is in the middle of what is not covered.
    OrbitCamera shown_camera() const {
        return camera.camera().shifted(covered.left / width(), covered.bottom / height());
    }
    /// What fit() takes as aspect.
    double free_aspect() const {
        return std::max(1.0, std::min(width() - covered.left, height() - covered.bottom)) / height();
    }
};

}  // namespace orrery
