// SPDX-License-Identifier: MIT
#include "app/cli/view_options.hpp"

#include "app/cli/setting_options.hpp"
#include "app/record/settings_of_record.hpp"
#include "app/render/settings_of_view.hpp"
#include "app/scene/settings_of_camera.hpp"

namespace orrery {

void add_view(CLI::App& app, ViewOptions& options) {
    SettingOptions typed{app};
    typed.add(setting(record_settings(), "legend").info, "",
              [&options](const std::string& text) { options.legend = text == "true"; });
    typed.add(view_settings(), options.settings);
    typed.add(camera_settings(), options.scene);
}

void ViewOptions::adopt(const SceneFile& file) {
    const auto yaw = scene.yaw, pitch = scene.pitch;
    settings = file.view;
    legend = file.record.legend;
    scene = file.camera;
    if (!scene.yaw) scene.yaw = yaw;
    if (!scene.pitch) scene.pitch = pitch;
}

OrbitCamera ViewOptions::camera(const FrameExtent& extent, double aspect) const {
    return OrbitCamera{first_pose(scene, CameraPose{}, extent, aspect)};
}

}  // namespace orrery
