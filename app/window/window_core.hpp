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

/// What every part of the window sees. None of it needs OpenGL, so a part that needs no more is tested without a
/// window.
struct WindowCore {
    WindowConfig config;
    WindowClock clock;
    SimulationLink simulation;
    CameraControl camera;
    UiState state;
    Messages messages;
};

inline double aspect(const UiState& state) {
    return std::max(1, state.width) / static_cast<double>(std::max(1, state.height));
}

}  // namespace orrery
