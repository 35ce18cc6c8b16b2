// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>

#include "app/camera/orbit_camera.hpp"
#include "app/ui/ui_state.hpp"
#include "app/ui/widget_map.hpp"

namespace orrery {

/// Window state for scripts, beyond UiState.
struct UiMapExtras {
    std::string message;                                   ///< the last toast
    std::string last_screenshot, last_scene, last_export;  ///< paths of written files
    std::optional<double> first_frame_ms;
    CameraPose camera;
    bool camera_moving = false;      ///< by itself: easing, turning, along its path
    bool typing = false;             ///< keys go to a text field
    std::string typed;               ///< which holds this
    float mouse_x = 0, mouse_y = 0;  ///< in window coordinates, as the frame has seen it
    std::uint64_t clicks = 0;        ///< mouse buttons that have been let go so far
    std::uint64_t frames = 0;        ///< frames of the window so far
};

/// {"widgets": {label: [x0, y0, x1, y1]}, "disabled": {…}, "cut": [labels], "state": {…}}. Widgets are those that a
/// click would reach now; cut are those whose words do not fit.
std::string ui_map_text(const WidgetMap& widgets, const UiState& state, const UiMapExtras& extras);
/// Completely or not at all: a reader never sees a partial map. Throws Error{kEnvironment} naming the path.
void write_ui_map(const std::filesystem::path& path, const std::string& text);

}  // namespace orrery
