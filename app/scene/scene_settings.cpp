// SPDX-License-Identifier: MIT
#include "app/scene/scene_file.hpp"

#include "app/scene/camera_csv.hpp"
#include "app/ui/panels.hpp"

namespace orrery {
namespace {

using C = CameraSettings;

constexpr double kFarthest = 1e300;
constexpr unsigned kInFile = place::kSceneFile;  // in the window, the camera is moved with the mouse
constexpr unsigned kFirstPicture = kInFile | place::kCommandLine;

std::vector<CameraSetting> table() {
    SettingTable<C> add{"camera"};
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

using F = SceneFile;

/// An id that may be absent.
SettingMember<F> panel_member() {
    SettingMember<F> panel = member<&F::panel>();
    panel.get = [](const F& file) { return file.panel.empty() ? SettingValue{} : SettingValue{file.panel}; };
    return panel;
}

std::vector<Setting<F>> file_table() {
    SettingTable<F> add{"scene"};
    add({.id = "title", .label = "Title", .doc = "title of the scene", .kind = TextKind{}, .places = place::kSceneFile},
        member<&F::title>());
    add({.id = "watch",
         .label = "Watch",
         .doc = "one sentence: what to watch for",
         .kind = TextKind{},
         .places = place::kSceneFile},
        member<&F::watch>());
    add({.id = "speed",
         .label = "Speed",
         .doc = "maximum number of steps per second in the window; 0: no limit",
         .kind = RealKind{0, 1e9},
         .places = place::kSceneFile},
        member<&F::speed>());
    add({.id = "panel",
         .label = "Panel",
         .doc = "the tab that is open",
         .kind = choices_of(panels()),
         .places = place::kSceneFile | place::kUserFile,
         .section = "window"},
        panel_member());
    add({.id = "figures",
         .label = "Large figures",
         .doc = "the large figures are shown",
         .kind = FlagKind{},
         .places = place::kSceneFile | place::kUserFile,
         .section = "window"},
        member<&F::figures>());
    return std::move(add).all();
}

using B = CompareScene;

std::vector<Setting<B>> compare_table() {
    SettingTable<B> add{"compare"};
    add({.id = "softening",
         .label = "Softening",
         .doc = "softening length of B; default: that of A",
         .kind = RealKind{0, kUnlimited}},
        member<&B::softening>());
    add({.id = "dt_power",
         .label = "Step of B",
         .doc = "a step of B is 2^dt_power steps of A",
         .kind = WholeKind{-CompareSettings::kMostPower, CompareSettings::kMostPower}},
        member<&B::dt_power>());
    return std::move(add).all();
}

using W = SeriesSettings;

constexpr unsigned kOfRun = place::kCommandLine | place::kSceneFile;
constexpr std::int64_t kMostSteps = 1'000'000'000'000;

std::vector<Setting<W>> series_table() {
    SettingTable<W> add{"run"};
    add({.id = "snapshots_every",
         .label = "Every",
         .doc = "steps between two snapshots of the series; 0: about a hundred snapshots in all",
         .kind = WholeKind{0, kMostSteps},
         .places = kOfRun},
        member<&W::every>());
    add({.id = "snapshots_interval",
         .label = "Interval",
         .doc = "time between two snapshots of the series, in the scene's unit or with its own unit",
         .kind = TextKind{},
         .places = kOfRun},
        member<&W::interval>());
    add({.id = "snapshots_compress",
         .label = "Compress",
         .doc = "deflate level of HDF5 snapshots of the series; 0: not compressed",
         .kind = WholeKind{0, 9},
         .places = kOfRun},
        member<&W::compress>());
    add({.id = "snapshots_single",
         .label = "Single",
         .doc = "HDF5 snapshots of the series store numbers in 4 bytes, not 8",
         .kind = FlagKind{},
         .places = kOfRun},
        member<&W::single>());
    add({.id = "snapshots_accelerations",
         .label = "Accelerations",
         .doc = "HDF5 snapshots of the series contain accelerations",
         .kind = FlagKind{},
         .places = kOfRun},
        member<&W::accelerations>());
    add({.id = "snapshots_potentials",
         .label = "Potentials",
         .doc = "HDF5 snapshots of the series contain accelerations and potentials",
         .kind = FlagKind{},
         .places = kOfRun},
        member<&W::potentials>());
    return std::move(add).all();
}

}  // namespace

std::span<const CameraSetting> camera_settings() {
    static const std::vector<CameraSetting> all = table();
    return all;
}

std::span<const Setting<SceneFile>> scene_file_settings() {
    static const std::vector<Setting<F>> all = file_table();
    return all;
}

std::span<const Setting<CompareScene>> compare_scene_settings() {
    static const std::vector<Setting<B>> all = compare_table();
    return all;
}

std::span<const Setting<SeriesSettings>> series_settings() {
    static const std::vector<Setting<W>> all = series_table();
    return all;
}

CameraSettings camera_settings(const CameraPose& pose, bool follow) {
    CameraSettings settings;
    settings.target = pose.target;
    settings.distance = pose.distance;
    settings.yaw = pose.yaw / kCameraDegree;
    settings.pitch = pose.pitch / kCameraDegree;
    settings.fov = pose.fov / kCameraDegree;
    settings.follow = follow;
    return settings;
}

CameraPose first_pose(const CameraSettings& camera, const CameraPose& fallback, const FrameExtent& extent,
                      double aspect) {
    CameraPose pose = fallback;
    pose.fov = camera.fov * kCameraDegree;
    if (camera.yaw) pose.yaw = *camera.yaw * kCameraDegree;
    if (camera.pitch) pose.pitch = *camera.pitch * kCameraDegree;
    OrbitCamera fitted{pose};
    fitted.fit(extent, aspect, Transition::kAtOnce);
    pose = fitted.pose();
    pose.distance = camera.distance.value_or(pose.distance) / camera.zoom;
    if (camera.target) pose.target = *camera.target;
    return pose;
}

}  // namespace orrery
