// SPDX-License-Identifier: MIT
#pragma once
#include "app/camera/orbit_camera.hpp"
#include "app/render/view_settings.hpp"
#include "app/scene/scene_file.hpp"

namespace CLI {
class App;
}

namespace orrery {

/// How a picture is made.
struct ViewOptions {
    ViewSettings settings;
    bool legend = false;                           ///< colour bar, scale bar, clock and names in the pictures
    CameraSettings scene{.yaw = 34, .pitch = 29};  ///< the camera of the first picture, and its path

    /// What a scene file says, in place of the defaults.
    void adopt(const SceneFile& file);
    /// The camera of the first picture.
    OrbitCamera camera(const FrameExtent& extent, double aspect) const;
};
void add_view(CLI::App& app, ViewOptions& options);

}  // namespace orrery
