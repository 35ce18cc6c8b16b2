// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include "app/render/view_settings.hpp"

namespace orrery {

/// The default look of a scene: view settings, initial camera, and precision.
struct Look {
    ViewSettings view;
    double yaw = 34, pitch = 29;    ///< degrees about the vertical, and above the orbital plane
    double zoom = 1;                ///< 1: the scene fills the picture; larger values are closer
    bool double_precision = false;  ///< recommended: few bodies on orbits keep their phase longer
    friend bool operator==(const Look&, const Look&) = default;
};

/// For a preset, by its id; for any other scene the default one.
Look look_of(std::string_view scene_id);

}  // namespace orrery
