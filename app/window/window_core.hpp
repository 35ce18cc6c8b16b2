// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include <glm/vec2.hpp>

#include "app/window/camera/camera_control.hpp"
#include "app/window/messages.hpp"
#include "app/window/simulation_link.hpp"
#include "app/window/ui_state.hpp"
#include "app/window/window.hpp"
#include "app/window/window_clock.hpp"

namespace orrery {

/// Pixels of the picture that panels cover, at its left and lower edges.
struct Covered {
    double left = 0, bottom = 0;
};

/// State shared by all parts of the window. None of it needs OpenGL, so parts that need no more are tested without a
/// window.
struct WindowCore {
    WindowConfig config;
    WindowClock clock;
    SimulationLink simulation;
    CameraControl camera;
    UiState state;
    Messages messages;
    Covered covered;     ///< in this frame
    glm::dvec2 size{0};  ///< of the window in its own coordinates, in this frame

    double width() const { return std::max(1, state.picture.width); }
    double height() const { return std::max(1, state.picture.height); }
    /// The camera as shown in the window: its target is in the middle of the uncovered area.
    OrbitCamera shown_camera() const {
        return camera.camera().shifted(covered.left / width(), covered.bottom / height());
    }
    /// The aspect for fit().
    double free_aspect() const {
        return std::max(1.0, std::min(width() - covered.left, height() - covered.bottom)) / height();
    }
};

}  // namespace orrery
