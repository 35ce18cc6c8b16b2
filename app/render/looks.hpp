// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include "app/render/view_settings.hpp"

namespace orrery {

/// How a scene is at its best: the picture, where the camera is at first, and the precision.
struct Look {
    ViewSettings view;
    double yaw = 34, pitch = 29;    ///< degrees about the vertical, and above the orbital plane
    double zoom = 1;                ///< 1: the scene fills the picture; more is nearer
    bool double_precision = false;  ///< it should be computed in: few bodies on orbits keep their places longer
    friend bool operator==(const Look&, const Look&) = default;
};

/// Of a preset, by its id; of any other scene the ordinary one.
Look look_of(std::string_view scene_id);

}  // namespace orrery
