// SPDX-License-Identifier: MIT
// Conversion between TOML and scenes, part by part, for readers of files that hold more than a scene.
#pragma once
#include <toml++/toml.h>

#include "app/scene/scene_file.hpp"
#include "app/scene/scene_value.hpp"

namespace orrery {

/// Reads a whole scene: every key must be known and valid, and bodies are required.
SceneFile scene_of(const toml::table& table, const SceneSource& source);
/// Reads only the sections of a table; other keys are left to the caller.
SceneFile sections_of(const toml::table& table, const SceneSource& source);
/// One section, under a heading [prefix + section].
std::string section_text(const SceneFile& scene, std::string_view section, const std::filesystem::path& folder,
                         std::string_view prefix = {});

}  // namespace orrery
