// SPDX-License-Identifier: MIT
#include "app/scene/shipped.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "assets/assets.hpp"

namespace orrery {
namespace {

/// In the order of the menu.
constexpr auto kIds = std::to_array<std::string_view>(
    {"two-galaxies", "tidal-tails", "star-cluster", "cold-collapse", "octree", "hundred-thousand", "half-matrix",
     "bounding-box", "deterministic", "inner-planets", "outer-planets", "planet-formation", "black-hole-pair",
     "colliding-rings", "three-bodies", "argon", "drop", "salt"});

std::string file_of(std::string_view id) { return "scenes/" + std::string{id} + ".toml"; }

}  // namespace

SceneFile ShippedScene::read() const { return parse_scene(assets::file(file_of(id)), file_of(id), {}); }

std::span<const ShippedScene> shipped_scenes() {
    static const std::vector<ShippedScene> menu = [] {
        std::vector<ShippedScene> all;
        for (const std::string_view id : kIds) {
            ShippedScene scene{id, {}, {}};
            const SceneFile file = scene.read();
            scene.label = file.title, scene.doc = file.watch;
            all.push_back(std::move(scene));
        }
        return all;
    }();
    return menu;
}

const ShippedScene* shipped_scene(std::string_view id) {
    const auto menu = shipped_scenes();
    const auto found = std::ranges::find(menu, id, &ShippedScene::id);
    return found == menu.end() ? nullptr : &*found;
}

}  // namespace orrery
