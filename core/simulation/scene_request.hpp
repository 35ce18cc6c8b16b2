// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/bodies/bodies.hpp"

namespace orrery {

/// A scene as named by the user. A value: sent to the simulation thread, which opens it.
struct SceneRequest {
    std::string source;             ///< preset id, or path of a snapshot; of a series: file, folder or pattern
    std::vector<std::string> more;  ///< further ones of a series
    std::size_t bodies = 0;         ///< for presets; 0: the preset's default
    std::uint64_t seed = 1;         ///< of a preset
    /// Of a preset that is displaced, as sites() and displacements() name them; empty: its own.
    std::string sites, displacements;
    std::optional<double> softening, dt;   ///< instead of the scene's own, in its units
    std::string law;                       ///< of pairs, as pair_laws() names it; empty: the scene's own
    std::optional<double> sigma, cut_off;  ///< of that law, as Gravity has them, instead of the scene's own
    std::string integrator;                ///< empty: the scene's own
    std::optional<double> adaptive;        ///< instead of the scene's own; 0: steps of equal length
    std::string encounters;                ///< as encounter_kinds() names them; empty: the scene's own
    /// Of EncounterRule, instead of the scene's own.
    std::optional<double> body_density, body_radius, restitution;
    std::string label;  ///< for display; empty: the scene's own
    friend bool operator==(const SceneRequest&, const SceneRequest&) = default;
};

/// The message for a source that does not exist, with the preset or scene that may have been meant. A name with a
/// folder or an extension can only be a file.
std::string no_such_scene(std::string_view source, std::optional<std::string_view> meant);
/// Throws Error{kUsage} when this is neither a preset nor a file. Opens nothing.
void require_source(const std::string& source);
/// Whether several snapshots are named, one after the other in time.
bool asks_for_series(const SceneRequest& request);

/// Replaces the scene's encounter rule by what the request gives. Bodies without density and radius get the density
/// that the softening suggests. Throws Error{kUsage} for an unknown kind or a number out of range.
void change_encounters(Scene& scene, const SceneRequest& request);

/// Throws Error naming the source: neither a preset nor a file, an invalid file, a series or a cloud.
Scene open_scene(const SceneRequest& request);

}  // namespace orrery
