// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/camera/camera_state.hpp"
#include "app/picture/compare_view.hpp"
#include "app/record/record_settings.hpp"
#include "app/render/view_settings.hpp"
#include "core/engines/config.hpp"
#include "core/settings/setting.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {

/// Camera settings of a scene. Values left open are chosen so that the bodies fill the picture.
struct CameraSettings {
    std::optional<glm::dvec3> target;  ///< in lengths of the scene
    std::optional<double> distance;    ///< from the target, in lengths of the scene; empty: by `zoom`
    std::optional<double> yaw, pitch;  ///< degrees, in the first frame
    double zoom = 1;                   ///< 1: the bodies fill the picture; larger values are closer
    double fov = 45;                   ///< vertical, degrees
    double turn = 6;                   ///< degrees per second of video, for `record`
    bool follow = false;               ///< keeps the centre of the bodies fixed in the picture
    std::array<std::optional<CameraPose>, kCameraPlaces> bookmarks;  ///< keys F1 to F8
    CameraPath path;
    friend bool operator==(const CameraSettings&, const CameraSettings&) = default;
};

/// The second simulation of a comparison, and how both are shown.
struct CompareScene {
    EngineConfig engine;
    std::optional<Backend> backend;   ///< empty: the best available backend of the engine
    std::optional<double> softening;  ///< empty: as A's
    int dt_power = 0;
    CompareView view;

    /// Settings of B on this machine, for an A with this softening.
    CompareSettings settings(double softening_of_a) const;
    friend bool operator==(const CompareScene&, const CompareScene&) = default;
};
CompareScene compare_scene(const CompareSettings& settings, const CompareView& view);

/// The series of snapshots that a run writes.
struct SeriesSettings {
    std::vector<std::string> patterns;  ///< "snap_%04d.h5"; empty: no series
    std::uint64_t every = 0;            ///< steps between snapshots; 0: see `interval`
    std::string interval;               ///< time between snapshots; both empty: about a hundred in all
    // For HDF5 files:
    int compress = 0;            ///< deflate level, 1 to 9; 0: none
    bool single = false;         ///< numbers of 4 bytes
    bool accelerations = false;  ///< with the engine's accelerations
    bool potentials = false;     ///< with accelerations and potentials
    friend bool operator==(const SeriesSettings&, const SeriesSettings&) = default;
};

/// The content of a scene file: bodies, engine, view, camera, and recording. A value.
struct SceneFile {
    std::string title;  ///< for display; empty: that of the bodies
    std::string watch;  ///< one sentence: what to watch for
    SceneRequest scene;
    std::optional<double> speed;  ///< maximum steps per second in the window; 0: no limit. Empty: the scene's default
    EngineConfig engine;
    std::optional<Backend> backend;  ///< empty: the best available backend of the engine
    bool engine_given = false;       ///< the file has a section [engine]; otherwise the window keeps the current engine
    std::optional<CompareScene> compare;
    ViewSettings view;
    CameraSettings camera;
    RecordSettings record;
    SeriesSettings series;        ///< written by `run`
    std::string panel;            ///< id of the open panel; empty: unchanged
    std::optional<bool> figures;  ///< large figures on or off

    /// `engine` with its backend resolved for this machine.
    EngineConfig engine_here() const;
    friend bool operator==(const SceneFile&, const SceneFile&) = default;
};

/// Reads a scene file. Relative paths in it are relative to it. Throws Error{kUsage} in one line with file, line and
/// column, what was expected and what was found.
SceneFile read_scene_file(const std::filesystem::path& path);
/// The same for a text. `name` is used in messages, paths are relative to `folder`.
SceneFile parse_scene(std::string_view text, const std::string& name, const std::filesystem::path& folder);

/// The text of a scene file in `folder`: defaults are omitted.
std::string scene_text(const SceneFile& scene, const std::filesystem::path& folder);
/// Writes completely or not at all. Throws Error{kEnvironment} naming the path.
void write_scene_file(const SceneFile& scene, const std::filesystem::path& path);

/// True if a file of this name is read as a scene file: NAME.toml.
bool is_scene_path(const std::filesystem::path& path);
/// The scene file or shipped scene named by `source`; empty for a preset or a snapshot.
std::optional<SceneFile> find_scene(const std::string& source);

// Conversions between files, which use degrees, and cameras, which use radians.
CameraSettings camera_settings(const CameraPose& pose, bool follow);
/// The pose in the first frame; `fallback` where the scene does not specify it. `aspect` is width / height.
CameraPose first_pose(const CameraSettings& camera, const CameraPose& fallback, const FrameExtent& extent,
                      double aspect);

using CameraSetting = Setting<CameraSettings>;

/// CameraSettings except target, bookmarks and keyframes, which are vectors and lists; in the order of scene files.
std::span<const CameraSetting> camera_settings();

/// Settings of a scene file outside its parts: texts, speed, and what the window shows.
std::span<const Setting<SceneFile>> scene_file_settings();

/// Settings of simulation B besides those of its engine and view.
std::span<const Setting<CompareScene>> compare_scene_settings();

/// All of SeriesSettings except the patterns, which are a list; in the order of scene files.
std::span<const Setting<SeriesSettings>> series_settings();

}  // namespace orrery
