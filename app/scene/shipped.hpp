// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "app/scene/scene_file.hpp"

namespace orrery {

/// A scene of assets/scenes, embedded so that the program can be relocated.
struct ShippedScene {
    std::string_view id;  ///< name of the file without .toml
    std::string label;    ///< its title
    std::string doc;      ///< what to watch for
    SceneFile read() const;
};

std::span<const ShippedScene> shipped_scenes();
const ShippedScene* shipped_scene(std::string_view id);  ///< null if there is none

}  // namespace orrery
