// SPDX-License-Identifier: MIT
#include "app/scene/scene_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "app/record/file_name.hpp"
#include "app/scene/scene_keys.hpp"
#include "app/scene/shipped.hpp"
#include "core/base/menu.hpp"
#include "core/base/output_file.hpp"
#include "core/engines/menus.hpp"
#include "core/presets/presets.hpp"

namespace orrery {
namespace {

/// A scene file is written by hand; what is much larger is something else.
constexpr std::uintmax_t kLargest = 64u << 20;

toml::table parsed(std::string_view text, const std::string& name) {
    try {
        return toml::parse(text, std::string_view{name});
    } catch (const toml::parse_error& error) {
        const auto& at = error.source().begin;
        usage_error(fmt::format("{}:{}:{}: no TOML: {}", name, at.line, at.column, error.description()));
    }
}

std::string sections() {
    std::string text;
    std::string_view last;
    for (const SceneKey& key : scene_keys()) {
        if (key.section != last) text += fmt::format("{}[{}]", text.empty() ? "" : ", ", key.section);
        last = key.section;
    }
    return text;
}

/// Refuses what the table does not know, so that a slip of the pen does not pass for a setting.
void check_names(const SceneSource& source, const toml::table& file) {
    for (const auto& [section, node] : file) {
        std::vector<std::string_view> known;
        for (const SceneKey& key : scene_keys())
            if (key.section == section.str()) known.push_back(key.name);
        const toml::table* table = node.as_table();
        if (known.empty() || !table)
            usage_error(fmt::format("{}expected one of the sections {}, found '{}'", place_of(source, section.source()),
                                    sections(), section.str()));
        for (const auto& [key, value] : *table)
            if (std::ranges::find(known, key.str()) == known.end())
                usage_error(fmt::format("{}[{}] has no key '{}'; there are {}", place_of(source, key.source()),
                                        section.str(), key.str(), words_text(known)));
    }
}

}  // namespace

EngineConfig SceneFile::engine_here() const {
    EngineConfig config = engine;
    config.backend = backend ? *backend : default_backend(engine.engine);
    return config;
}

SceneFile scene_of(const toml::table& table, const SceneSource& source) {
    check_names(source, table);
    SceneFile scene;
    for (const SceneKey& key : scene_keys())
        if (const toml::node* node = table[key.section][key.name].node())
            key.read(scene, SceneValue{source, fmt::format("[{}] {}", key.section, key.name), *node});
    scene.engine_given = table.contains("engine");
    if (scene.scene.source.empty())
        usage_error(fmt::format("{}expected [scene] with a preset or a file", place_of(source, table.source())));
    scene.scene.label = scene.title;
    return scene;
}

SceneFile parse_scene(std::string_view text, const std::string& name, const std::filesystem::path& folder) {
    return scene_of(parsed(text, name), {name, folder});
}

SceneFile read_scene_file(const std::filesystem::path& path) {
    return parse_scene(text_of_file(path), path.string(), path.parent_path());
}

std::string text_of_file(const std::filesystem::path& path) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error) usage_error(fmt::format("{}: cannot be read: {}", path.string(), error.message()));
    if (size > kLargest) usage_error(fmt::format("{}: {} bytes are too many for a scene file", path.string(), size));
    std::ifstream file{path, std::ios::binary};
    std::string text{std::istreambuf_iterator<char>{file}, {}};
    if (!file) environment_error(fmt::format("{}: cannot be read", path.string()));
    return text;
}

std::string scene_text(const SceneFile& scene, const std::filesystem::path& folder) {
    std::string text;
    std::string_view section;
    for (const SceneKey& key : scene_keys()) {
        const auto value = key.write(scene, folder);
        if (!value) continue;
        if (key.section != section) text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", key.section);
        section = key.section;
        text += fmt::format("{} = {}\n", key.name, *value);
    }
    return text;
}

void write_scene_file(const SceneFile& scene, const std::filesystem::path& path) {
    OutputFile file{path};
    file.write(scene_text(scene, path.parent_path()));
    file.commit();
}

bool is_scene_path(const std::filesystem::path& path) { return extension_of(path) == ".toml"; }

std::optional<SceneFile> find_scene(const std::string& source) {
    if (std::ranges::find(presets(), source, &PresetEntry::id) != presets().end()) return std::nullopt;
    if (is_scene_path(source)) return read_scene_file(source);
    if (std::filesystem::exists(source)) return std::nullopt;
    if (const ShippedScene* shipped = shipped_scene(source)) return shipped->read();
    return std::nullopt;
}

}  // namespace orrery
