// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include "app/render/view_settings.hpp"

namespace orrery {

/// The default view of a scene: settings, initial camera, and precision.
struct PresetView {
    ViewSettings view;
    double yaw = 34, pitch = 29;    ///< degrees about the vertical, and above the orbital plane
    double zoom = 1;                ///< 1: the scene fills the frame; larger values are closer
    bool double_precision = false;  ///< recommended: keeps the phase of a few bodies on orbits accurate for longer
    friend bool operator==(const PresetView&, const PresetView&) = default;
};

/// The view of a preset, by its id; for any other scene, the default one.
PresetView preset_view(std::string_view scene_id);

}  // namespace orrery
