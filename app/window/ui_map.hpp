// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>

#include "app/camera/orbit_camera.hpp"
#include "app/ui/ui_state.hpp"
#include "app/ui/widgets.hpp"

namespace orrery {

/// Window state for scripts, beyond UiState.
struct UiMapExtras {
    std::string message;                                   ///< the last toast
    std::string last_screenshot, last_scene, last_export;  ///< paths of written files
    std::optional<double> first_frame_ms;
    CameraPose camera;
    bool camera_moving = false;      ///< by itself: easing, turning, following its path
    bool typing = false;             ///< keys go to a text field
    std::string typed;               ///< content of that field
    float mouse_x = 0, mouse_y = 0;  ///< in window coordinates, as of this frame
    std::uint64_t clicks = 0;        ///< number of mouse button releases so far
    std::uint64_t frames = 0;        ///< frames of the window so far
};

/// {"widgets": {label: [x0, y0, x1, y1]}, "disabled": {…}, "cut": [labels], "places": {window: [x0, y0, x1, y1]},
/// "state": {…}}. "widgets" are those that a click would reach now, "cut" those whose text does not fit.
std::string ui_map_text(const WidgetMap& widgets, const UiState& state, const UiMapExtras& extras);
/// Writes completely or not at all: a reader never sees a partial map. Throws Error{kEnvironment} naming the path.
void write_ui_map(const std::filesystem::path& path, const std::string& text);

}  // namespace orrery
