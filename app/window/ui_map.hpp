// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "app/camera/orbit_camera.hpp"
#include "core/engines/config.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {

struct UiState;
class WidgetMap;

/// Window state for scripts, beyond UiState.
struct UiMapExtras {
    std::string message;                                   ///< the last toast
    std::string last_screenshot, last_scene, last_export;  ///< paths of written files
    std::optional<double> first_frame_ms;
    CameraPose camera;
    bool camera_moving = false;      ///< by itself: easing, turning, following its path
    bool typing = false;             ///< keys go to a text field
    std::string focus;               ///< label of the control with the keyboard's focus
    std::string typed;               ///< content of that field
    float mouse_x = 0, mouse_y = 0;  ///< in window coordinates, as of this frame
    std::uint64_t clicks = 0;        ///< number of mouse button releases so far
    std::uint64_t frames = 0;        ///< frames of the window so far
};

/// {"widgets": {label: [x0, y0, x1, y1]}, "disabled": {…}, "cut": [labels], "places": {window: [x0, y0, x1, y1]},
/// "scrolls": [windows], "controls": [labels], "primary": [labels], "state": {…}}. "widgets" are those that a click
/// would reach now, "cut" those whose text does not fit, "controls" those that Tab reaches under keyboard control, also
/// by scrolling, "primary" the actions that a page is for.
std::string ui_map_text(const WidgetMap& widgets, const UiState& state, const UiMapExtras& extras);

/// The state of a recording without a window.
struct OfflineRecording {
    std::string scene_id;
    std::size_t bodies = 0;
    EngineConfig engine;
    Gravity gravity;
    double dt = 0, time = 0;
    std::int64_t step = 0;
    double force_seconds = 0;  ///< duration of the last evaluation; 0: unknown
    std::string video;         ///< its path
    std::uint64_t frames = 0;
    double frames_per_second = 0;
};
/// In the same format, without widgets; values that only a window has are those of a new window.
std::string recording_map_text(const OfflineRecording& recording);

/// Writes completely or not at all: a reader never sees a partial map. Throws Error{kEnvironment} naming the path.
void write_ui_map(const std::filesystem::path& path, const std::string& text);

}  // namespace orrery
