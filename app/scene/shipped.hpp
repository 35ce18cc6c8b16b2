// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "app/scene/scene_file.hpp"

namespace orrery {

/// A scene of assets/scenes, built into the program so that it can be moved.
struct ShippedScene {
    std::string_view id;  ///< name of the file without .toml
    std::string label;    ///< its title
    std::string doc;      ///< what to watch for
    SceneFile read() const;
};

std::span<const ShippedScene> shipped_scenes();
const ShippedScene* shipped_scene(std::string_view id);  ///< null: there is none

}  // namespace orrery
