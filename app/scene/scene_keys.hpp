// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/scene_file.hpp"
#include "app/scene/scene_value.hpp"
#include "core/settings/setting.hpp"

namespace orrery {

/// A key of a scene file. The reader, the writer, `orrery list` and the guide's test all read the same table, and a
/// test requires a key for each member of the structs behind it.
struct SceneKey {
    std::string_view section, name;
    std::string takes;  ///< "-20 to 20", "true or false"
    std::string doc;
    std::function<void(SceneFile&, const SceneValue&)> read;
    /// The value as TOML; nothing if it is the default. `folder` is the folder of the file.
    std::function<std::optional<std::string>(const SceneFile&, const std::filesystem::path& folder)> write;
};

/// In the order of reading and writing; keys of a section are contiguous.
std::span<const SceneKey> scene_keys();

/// "a, b, c"
std::string words_text(const std::vector<std::string_view>& ids);

}  // namespace orrery
