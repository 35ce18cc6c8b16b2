// SPDX-License-Identifier: MIT
#pragma once
#include "app/camera/orbit_camera.hpp"
#include "app/render/view_settings.hpp"
#include "app/scene/scene_file.hpp"

namespace CLI {
class App;
}

namespace orrery {

/// How frames are rendered.
struct ViewOptions {
    ViewSettings settings;
    bool legend = false;                           ///< colour bar, scale bar, clock and names in the frames
    CameraSettings scene{.yaw = 34, .pitch = 29};  ///< the camera of the first frame, and its path

    /// Replaces the defaults by the settings of a scene file.
    void adopt(const SceneFile& file);
    /// The camera of the first frame.
    OrbitCamera camera(const FrameExtent& extent, double aspect) const;
};
void add_view(CLI::App& app, ViewOptions& options);

}  // namespace orrery
