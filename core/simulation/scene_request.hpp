// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/cloud/cloud_stream.hpp"
#include "core/formats/formats.hpp"
#include "core/series/series.hpp"
#include "core/settings/setting.hpp"

namespace orrery {

class BodySource;
class Ranks;

/// A scene as specified by the user. A value: sent to the simulation thread, which opens it.
struct SceneRequest {
    std::string source;             ///< preset id, or path of a snapshot; for a series: file, folder or pattern
    std::vector<std::string> more;  ///< further sources of a series
    std::size_t bodies = 0;         ///< for presets; 0: the preset's default
    std::uint64_t seed = 1;         ///< for presets
    /// For presets with displaced bodies, ids from sites() and displacements(); empty: the preset's own.
    std::string sites, displacements;
    std::optional<double> softening, dt;   ///< override the scene's values, in its units
    std::string law;                       ///< pair law, an id from pair_laws(); empty: the scene's own
    std::optional<double> sigma, cut_off;  ///< parameters of that law, as in Gravity; override the scene's values
    std::string integrator;                ///< empty: the scene's own
    std::optional<double> adaptive;        ///< overrides the scene's value; 0: steps of equal length
    std::string encounters;                ///< an id from encounter_kinds(); empty: the scene's own
    /// Values of EncounterRule; override the scene's.
    std::optional<double> body_density, body_radius, restitution;
    std::string label;   ///< for display; empty: the scene's own
    std::string fields;  ///< of a snapshot, comma-separated, see load_fields(); empty: none
    std::string filter;  ///< condition that bodies of a snapshot must satisfy to be drawn; empty: all are
    friend bool operator==(const SceneRequest&, const SceneRequest&) = default;
};

/// Error message for a source that does not exist, with a suggestion if `meant` is set. A name with a folder or an
/// extension can only be a file.
std::string no_such_scene(std::string_view source, std::optional<std::string_view> meant);
/// Throws Error{kUsage} if this is neither a preset nor a file. Does not open files.
void require_source(const std::string& source);
/// True if the request names several snapshots in time.
bool asks_for_series(const SceneRequest& request);

/// Applies the request's encounter settings to the scene. Bodies without density and radius get the density suggested
/// by the softening. Throws Error{kUsage} for an unknown kind or a number out of range.
void change_encounters(Scene& scene, const SceneRequest& request);

/// Throws Error naming the source if it is neither a preset nor a file, invalid, a series or a cloud.
Scene open_scene(const SceneRequest& request);

/// The same for users that do not need all bodies in host memory. `settings` has no bodies.
struct SceneInStretches {
    Scene settings;
    std::shared_ptr<const BodySource> bodies;  ///< of this rank, if ranks own bodies
    std::size_t all = 0;                       ///< number of bodies of all ranks
};
/// Presets of more than `in_memory` bodies are made in stretches, without encounters. `owners`: ranks that each shall
/// have a part of the bodies, of which they also read only a part (see open_in_parts()). Then collective.
SceneInStretches open_in_stretches(const SceneRequest& request, std::size_t in_memory = std::size_t{1} << 20,
                                   Ranks* owners = nullptr);

/// A scene, with its series if it is the first snapshot of one, or its cloud if it is the coarsest sample of one.
struct OpenedScene {
    Scene scene;
    std::unique_ptr<Series> series = {};
    std::unique_ptr<CloudStream> cloud = {};
    SnapshotFacts facts = {};  ///< if the scene was read from a single file
};
/// Accepts series and clouds too. Throws as open_scene(), Series and CloudStream do.
OpenedScene open_scene_or_series(const SceneRequest& request);

using SceneSetting = Setting<SceneRequest>;

/// The settings of SceneRequest that are independent of the scene; source and step length are not. Unset values default
/// to the scene's own, except for the seed.
std::span<const SceneSetting> scene_settings();

}  // namespace orrery
