// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "app/cli/options.hpp"
#include "app/scene/scene_file.hpp"

namespace orrery {

/// If `scene` names a scene file or a shipped scene: returns it, copies its request into `scene`, and makes its engine
/// the default of `engine` (may be null). Typed options take precedence: call apply_typed(app) once all defaults are
/// set. Throws Error{kUsage} for a source that does not exist.
std::optional<SceneFile> adopt_scene(SceneOptions& scene, EngineOptions* engine);

/// The same for a scene that is already loaded.
void adopt_scene(const SceneFile& file, SceneOptions& scene, EngineOptions* engine);

/// True if this names a preset, a shipped scene, a file or several files.
bool is_known_scene(const std::string& source);
/// The preset or shipped scene most similar to a mistyped name.
std::optional<std::string_view> nearest_scene(std::string_view typed);

/// Applies the typed options once more, except the scene's name.
void apply_typed(CLI::App& app);

}  // namespace orrery
