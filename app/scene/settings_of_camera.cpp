// SPDX-License-Identifier: MIT
#include "app/scene/settings_of_camera.hpp"

namespace orrery {
namespace {

using C = CameraSettings;

constexpr double kFarthest = 1e300;
constexpr unsigned kInFile = place::kSceneFile;  // in the window, the camera is moved with the mouse
constexpr unsigned kFirstPicture = kInFile | place::kCommandLine;

std::vector<CameraSetting> table() {
    SettingTable<C> add;
    add({.id = "distance",
         .label = "Distance",
         .doc = "distance from the target; default: from `zoom`",
         .kind = RealKind{1e-300, kFarthest},
         .places = kInFile},
        member<&C::distance>());
    add({.id = "yaw",
         .label = "Yaw",
         .doc = "yaw about the vertical, in the first frame",
         .kind = RealKind{-36000, 36000},
         .unit = "degrees",
         .places = kFirstPicture},
        member<&C::yaw>());
    add({.id = "pitch",
         .label = "Pitch",
         .doc = "pitch above the horizontal plane, in the first frame",
         .kind = RealKind{-90, 90},
         .unit = "degrees",
         .places = kFirstPicture},
        member<&C::pitch>());
    add({.id = "zoom",
         .label = "Zoom",
         .doc = "1: the bodies fill the picture; larger values are closer",
         .kind = RealKind{1e-3, 1e6},
         .places = kFirstPicture},
        member<&C::zoom>());
    add({.id = "fov",
         .label = "Field of view",
         .doc = "vertical field of view",
         .kind = RealKind{1, 170},
         .unit = "degrees",
         .places = kInFile},
        member<&C::fov>());
    add({.id = "turn",
         .label = "Turn",
         .doc = "rotation of the camera per second of video, for `record`",
         .kind = RealKind{-3600, 3600},
         .unit = "degrees",
         .places = kFirstPicture},
        member<&C::turn>());
    add({.id = "follow",
         .label = "Follow",
         .doc = "follow the centre of the bodies",
         .kind = FlagKind{},
         .places = kInFile},
        member<&C::follow>());
    add({.id = "path_loop",
         .label = "Loop",
         .doc = "the path continues from its last keyframe to the first",
         .kind = FlagKind{},
         .places = kInFile},
        member<&C::path, &CameraPath::loop>());
    add({.id = "path_closing",
         .label = "Closing",
         .doc = "time from the last keyframe to the first",
         .kind = RealKind{1e-3, 1e9},
         .unit = "seconds",
         .places = kInFile},
        member<&C::path, &CameraPath::closing>());
    return std::move(add).all();
}

}  // namespace

std::span<const CameraSetting> camera_settings() {
    static const std::vector<CameraSetting> all = table();
    return all;
}

}  // namespace orrery
