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

// The parts of the table, one file each.
std::vector<SceneKey> keys_of_scene();
std::vector<SceneKey> keys_of_engine();
std::vector<SceneKey> keys_of_compare();
std::vector<SceneKey> keys_of_view();
std::vector<SceneKey> keys_of_camera();
std::vector<SceneKey> keys_of_record();
std::vector<SceneKey> keys_of_run();

/// "a, b, c"
std::string words_text(const std::vector<std::string_view>& ids);

/// Accesses a member of a SceneFile, const or not; used with key_of().
template <auto Member>
struct Part {
    template <class File>
    auto& operator()(File& file) const {
        return file.*Member;
    }
};

/// The key of a setting. `in` finds the setting's struct in a SceneFile, const or not.
template <class Config, class In>
SceneKey key_of(std::string_view section, In in, const Setting<Config>& setting) {
    SceneKey key{section, setting.info.id, takes_text(setting.info), doc_of(setting.info), {}, {}};
    key.read = [in, &setting](SceneFile& file, const SceneValue& value) {
        setting.member.set(in(file), value.setting(setting.info));
    };
    key.write = [in, &setting](const SceneFile& file, const std::filesystem::path&) -> std::optional<std::string> {
        static const SceneFile defaults;
        const SettingValue value = setting.member.get(in(file));
        if (value == setting.member.get(in(defaults))) return std::nullopt;
        return toml_text(value);
    };
    return key;
}

/// The keys of those settings of a table that belong in scene files, in its order.
template <class Config, class In>
std::vector<SceneKey> keys_of(std::string_view section, In in, std::span<const Setting<Config>> table) {
    std::vector<SceneKey> keys;
    for (const Setting<Config>& each : table)
        if (each.info.in(place::kSceneFile)) keys.push_back(key_of(section, in, each));
    return keys;
}

}  // namespace orrery
