// SPDX-License-Identifier: MIT
#include "app/scene/scene_keys.hpp"

#include <fmt/format.h>

#include <cmath>

namespace orrery {

std::string words_text(const std::vector<std::string_view>& ids) { return fmt::format("{}", fmt::join(ids, ", ")); }

std::span<const SceneKey> scene_keys() {
    static const std::vector<SceneKey> table = [] {
        std::vector<SceneKey> all;
        for (const auto part : {keys_of_scene, keys_of_engine, keys_of_compare, keys_of_view, keys_of_camera,
                                keys_of_record, keys_of_run})
            for (SceneKey& key : part()) all.push_back(std::move(key));
        return all;
    }();
    return table;
}

}  // namespace orrery
