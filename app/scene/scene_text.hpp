// SPDX-License-Identifier: MIT
// Between TOML and scenes, part by part: for readers of files that hold more than a scene.
#pragma once
#include <toml++/toml.h>

#include "app/scene/scene_file.hpp"
#include "app/scene/scene_value.hpp"

namespace orrery {

/// Throws Error{kUsage} with line and column.
toml::table parsed_toml(std::string_view text, const std::string& name);
/// A whole scene: every key known and checked, bodies named.
SceneFile scene_of(const toml::table& table, const SceneSource& source);
/// Of a table only what lies in sections; other keys are the caller's.
SceneFile sections_of(const toml::table& table, const SceneSource& source);
/// One section, under a heading [prefix + section].
std::string section_text(const SceneFile& scene, std::string_view section, const std::filesystem::path& folder,
                         std::string_view prefix = {});

}  // namespace orrery
