// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "app/scene/camera_csv.hpp"
#include "app/scene/scene_keys.hpp"
#include "app/scene/settings_of_camera.hpp"

namespace orrery {
namespace {

constexpr double kCameraFar = 1e300;

constexpr std::string_view kPoseMembers = "target, distance, yaw, pitch, fov";

/// The pose of an inline table that also has the member `more`.
CameraPose read_pose(const SceneValue& value, std::string_view more) {
    const std::vector<std::string_view> known{more, "target", "distance", "yaw", "pitch", "fov"};
    CameraPose pose;
    if (const auto v = value.member("target", known)) pose.target = v->vector();
    if (const auto v = value.member("distance", known)) pose.distance = v->real(1e-300, kCameraFar);
    if (const auto v = value.member("yaw", known)) pose.yaw = v->degrees(-36000, 36000);
    if (const auto v = value.member("pitch", known)) pose.pitch = v->degrees(-90, 90);
    if (const auto v = value.member("fov", known)) pose.fov = v->degrees(1, 170);
    return pose;
}

/// The required member that precedes the pose.
SceneValue first_member(const SceneValue& value, std::string_view name) {
    const auto member = value.member(name, {name, "target", "distance", "yaw", "pitch", "fov"});
    if (!member) value.refuse(fmt::format("a table with {}", name));
    return *member;
}

std::string pose_line(const std::string& first, const CameraPose& pose) {
    return fmt::format("    {{ {}, target = {}, distance = {}, yaw = {}, pitch = {}, fov = {} }},\n", first,
                       toml_text(pose.target), toml_text(pose.distance), toml_degrees(pose.yaw),
                       toml_degrees(pose.pitch), toml_degrees(pose.fov));
}

std::optional<std::string> as_list(const std::string& lines) {
    if (lines.empty()) return std::nullopt;
    return fmt::format("[\n{}]", lines);
}

SceneKey bookmarks_key() {
    return {"camera",
            "bookmarks",
            fmt::format("list of {{ place, {} }}", kPoseMembers),
            "cameras of the keys F1 to F8; angles in degrees",
            [](SceneFile& file, const SceneValue& value) {
                for (const SceneValue& each : value.list()) {
                    const SceneValue place = first_member(each, "place");
                    const auto at = static_cast<std::size_t>(place.whole(1, kCameraPlaces) - 1);
                    if (file.camera.bookmarks[at]) place.refuse("a slot that has no camera yet");
                    file.camera.bookmarks[at] = read_pose(each, "place");
                }
            },
            [](const SceneFile& file, const std::filesystem::path&) {
                std::string lines;
                for (std::size_t i = 0; i < file.camera.bookmarks.size(); ++i)
                    if (const auto& pose = file.camera.bookmarks[i])
                        lines += pose_line(fmt::format("place = {}", i + 1), *pose);
                return as_list(lines);
            }};
}

SceneKey path_key() {
    return {"camera",
            "path",
            fmt::format("list of {{ time, {} }}", kPoseMembers),
            "camera keyframes, times in seconds of video, ascending",
            [](SceneFile& file, const SceneValue& value) {
                for (const SceneValue& each : value.list())
                    file.camera.path.keys.push_back({first_member(each, "time").real(0, 1e9), read_pose(each, "time")});
                if (const auto problem = file.camera.path.problem()) value.refuse(fmt::format("a path ({})", *problem));
            },
            [](const SceneFile& file, const std::filesystem::path&) {
                std::string lines;
                for (const CameraKey& key : file.camera.path.keys)
                    lines += pose_line(fmt::format("time = {}", toml_text(key.time)), key.pose);
                return as_list(lines);
            }};
}

SceneKey target_key() {
    return {"camera",
            "target",
            "[x, y, z]",
            "target point, in the scene's unit of length; default: the centre of the bodies",
            [](SceneFile& file, const SceneValue& value) { file.camera.target = value.vector(); },
            [](const SceneFile& file, const std::filesystem::path&) -> std::optional<std::string> {
                if (!file.camera.target) return std::nullopt;
                return toml_text(*file.camera.target);
            }};
}

}  // namespace

std::vector<SceneKey> keys_of_camera() {
    std::vector<SceneKey> keys{target_key()};
    for (const CameraSetting& setting : camera_settings())
        keys.push_back(key_of("camera", Part<&SceneFile::camera>{}, setting));
    const auto after_poses = std::ranges::find(keys, std::string_view{"path_loop"}, &SceneKey::name);
    keys.insert(after_poses, {bookmarks_key(), path_key()});
    return keys;
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
