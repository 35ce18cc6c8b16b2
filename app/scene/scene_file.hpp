// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "app/camera/camera_state.hpp"
#include "app/picture/compare_view.hpp"
#include "app/record/record_settings.hpp"
#include "app/render/view_settings.hpp"
#include "core/engines/config.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {

/// Where a scene wants its camera. What it leaves open is chosen so that the bodies fill the picture.
struct CameraSettings {
    std::optional<glm::dvec3> target;  ///< in lengths of the scene
    std::optional<double> distance;    ///< from the target, likewise; empty: by `zoom`
    std::optional<double> yaw, pitch;  ///< degrees, of the first picture
    double zoom = 1;                   ///< 1: the bodies fill the picture; more is nearer
    double fov = 45;                   ///< vertical, degrees
    double turn = 6;                   ///< degrees per second of a film that `record` makes
    bool follow = false;               ///< keeps the centre of the bodies where it is in the picture
    std::array<std::optional<CameraPose>, kCameraPlaces> bookmarks;  ///< keys F1 to F8
    CameraPath path;
    friend bool operator==(const CameraSettings&, const CameraSettings&) = default;
};

/// The second simulation of a comparison, and how both are seen.
struct CompareScene {
    EngineConfig engine;
    std::optional<Backend> backend;   ///< empty: the best that the engine has here
    std::optional<double> softening;  ///< empty: as A's
    int dt_power = 0;
    CompareView view;

    /// What B runs with on this machine beside an A of this softening.
    CompareSettings settings(double softening_of_a) const;
    friend bool operator==(const CompareScene&, const CompareScene&) = default;
};
CompareScene compare_scene(const CompareSettings& settings, const CompareView& view);

/// All that a scene file says: which bodies, how forces are had, how it looks, and how it is recorded. A value.
struct SceneFile {
    std::string title;  ///< for people; empty: that of the bodies
    std::string watch;  ///< a sentence: what to watch for
    SceneRequest scene;
    std::optional<double> speed;  ///< steps per second that the window does not exceed; 0: none. Empty: the scene's own
    EngineConfig engine;
    std::optional<Backend> backend;  ///< empty: the best that the engine has here
    bool engine_given = false;       ///< the file has a section [engine]: else the window keeps the one in force
    std::optional<CompareScene> compare;
    ViewSettings view;
    CameraSettings camera;
    RecordSettings record;
    std::string panel;            ///< id of the panel that is open; empty: as it was
    std::optional<bool> figures;  ///< large figures on or off

    /// `engine` with the backend that it means on this machine.
    EngineConfig engine_here() const;
    friend bool operator==(const SceneFile&, const SceneFile&) = default;
};

/// Reads a scene file. Relative paths in it are relative to it. Throws Error{kUsage} in one line with file, line and
/// column, what was expected and what was found.
SceneFile read_scene_file(const std::filesystem::path& path);
/// The same of a text. `name` is for messages, `folder` what its paths are relative to.
SceneFile parse_scene(std::string_view text, const std::string& name, const std::filesystem::path& folder);

/// As a scene file that lies in `folder`: what is as usual is left out.
std::string scene_text(const SceneFile& scene, const std::filesystem::path& folder);
/// Whole or not at all. Throws Error{kEnvironment} naming the path.
void write_scene_file(const SceneFile& scene, const std::filesystem::path& path);

/// Whether a file of this name is read as a scene file: NAME.toml.
bool is_scene_path(const std::filesystem::path& path);
/// What `source` names: a scene file, or a scene that is shipped; nothing for a preset or a snapshot.
std::optional<SceneFile> find_scene(const std::string& source);

/// The text of a file of this kind. Throws Error{kUsage} when there is none, or when it is much too large for one.
std::string text_of_file(const std::filesystem::path& path);

// Between files, which hold degrees, and cameras.
CameraSettings camera_settings(const CameraPose& pose, bool follow);
/// The pose of the first picture; `usual` where the scene says nothing. `aspect` is width / height.
CameraPose first_pose(const CameraSettings& camera, const CameraPose& usual, const FrameExtent& extent, double aspect);

}  // namespace orrery
