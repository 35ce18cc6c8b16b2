// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "app/camera/orbit_camera.hpp"
#include "app/render/view_settings.hpp"
#include "app/scene/scene_file.hpp"

namespace CLI {
class App;
}

namespace orrery {

/// How a picture is made, as typed.
struct ViewOptions {
    ViewSettings settings;
    std::string mode = "auto", tone_map = "aces";
    double turn = 6;              ///< degrees per second of film
    double yaw = 34, pitch = 29;  ///< degrees, of the first picture
    double zoom = 1;              ///< 1: the scene fills the picture
    bool legend = false;          ///< colour bar, scale bar, clock and names in the pictures
    CameraSettings scene;         ///< of a scene file: what the above do not say

    /// What a scene file says, in place of the defaults.
    void adopt(const SceneFile& file);
    /// Throws Error{kUsage} for ids that no menu has.
    ViewSettings checked() const;
    /// The camera of the first picture.
    OrbitCamera camera(const FrameExtent& extent, double aspect) const;
};
void add_view(CLI::App& app, ViewOptions& options);

}  // namespace orrery
