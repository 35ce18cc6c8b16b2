// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "app/cli/options.hpp"
#include "app/scene/scene_file.hpp"

namespace orrery {

/// When `scene` names a scene file or a scene that is shipped: hands it out, with its bodies in place of the name, and
/// its engine as what `engine` (may be null) says by default. What was typed keeps the last word: call
/// apply_typed(app) when all defaults are in place. Throws Error{kUsage} for a source that does not exist.
std::optional<SceneFile> adopt_scene(SceneOptions& scene, EngineOptions* engine);

/// The same of a scene that is at hand.
void adopt_scene(const SceneFile& file, SceneOptions& scene, EngineOptions* engine);

/// Whether this names a preset, a shipped scene, a file or several files.
bool is_known_scene(const std::string& source);
/// The preset or shipped scene that may have been meant by a mistyped one.
std::optional<std::string_view> nearest_scene(std::string_view typed);

/// Stores once more the options that were typed, but for the scene's name.
void apply_typed(CLI::App& app);

}  // namespace orrery
