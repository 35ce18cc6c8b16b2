// SPDX-License-Identifier: MIT
#include "app/scene/scene_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/record/recorders.hpp"
#include "app/scene/scene_keys.hpp"
#include "app/scene/scene_text.hpp"
#include "app/scene/shipped.hpp"
#include "app/scene/toml_file.hpp"
#include "core/base/menu.hpp"
#include "core/base/output_file.hpp"
#include "core/engines/menu.hpp"
#include "core/presets/presets.hpp"

namespace orrery {
namespace {

std::string sections() {
    std::string text;
    std::string_view last;
    for (const SceneKey& key : scene_keys()) {
        if (key.section != last) text += fmt::format("{}[{}]", text.empty() ? "" : ", ", key.section);
        last = key.section;
    }
    return text;
}

std::vector<std::string_view> keys_in(std::string_view section) {
    std::vector<std::string_view> known;
    for (const SceneKey& key : scene_keys())
        if (key.section == section) known.push_back(key.name);
    return known;
}

/// Refuses unknown keys, so that a misspelt setting is reported.
void check_names(const SceneSource& source, std::string_view section, const toml::table& table) {
    const auto known = keys_in(section);
    for (const auto& [key, value] : table)
        if (std::ranges::find(known, key.str()) == known.end())
            usage_error(fmt::format("{}[{}] has no key '{}'; known keys: {}", place_of(source, key.source()), section,
                                    key.str(), words_text(known)));
}

}  // namespace

EngineConfig SceneFile::engine_here() const {
    EngineConfig config = engine;
    config.backend = backend ? *backend : default_backend(engine.engine);
    return config;
}

CompareSettings CompareScene::settings(double softening_of_a) const {
    CompareSettings here{.engine = engine, .softening = softening.value_or(softening_of_a), .dt_power = dt_power};
    here.engine.backend = backend ? *backend : default_backend(engine.engine);
    return here;
}

CompareScene compare_scene(const CompareSettings& settings, const CompareView& view) {
    CompareScene scene{.engine = settings.engine,
                       .backend = settings.engine.backend,
                       .softening = settings.softening,
                       .dt_power = settings.dt_power,
                       .view = view};
    scene.engine.backend = EngineConfig{}.backend;  // stored beside the configuration, as when read from a file
    scene.engine.background = false;                // a setting of the window
    return scene;
}

SceneFile sections_of(const toml::table& table, const SceneSource& source) {
    for (const auto& [section, node] : table)
        if (node.is_table() && !keys_in(section.str()).empty()) check_names(source, section.str(), *node.as_table());
    SceneFile scene;
    for (const SceneKey& key : scene_keys())
        if (const toml::node* node = table[key.section][key.name].node())
            key.read(scene, SceneValue{source, fmt::format("[{}] {}", key.section, key.name), *node});
    scene.engine_given = table.contains("engine");
    if (table.contains("compare") && !scene.compare) scene.compare.emplace();
    scene.scene.label = scene.title;
    return scene;
}

SceneFile scene_of(const toml::table& table, const SceneSource& source) {
    for (const auto& [section, node] : table)
        if (!node.is_table() || keys_in(section.str()).empty())
            usage_error(fmt::format("{}expected one of the sections {}, found '{}'", place_of(source, section.source()),
                                    sections(), section.str()));
    SceneFile scene = sections_of(table, source);
    if (scene.scene.source.empty())
        usage_error(fmt::format("{}expected [scene] with a preset or a file", place_of(source, table.source())));
    return scene;
}

SceneFile parse_scene(std::string_view text, const std::string& name, const std::filesystem::path& folder) {
    return scene_of(parsed_toml(text, name), {name, folder});
}

SceneFile read_scene_file(const std::filesystem::path& path) {
    return parse_scene(text_of_file(path), path.string(), path.parent_path());
}

std::string section_text(const SceneFile& scene, std::string_view section, const std::filesystem::path& folder,
                         std::string_view prefix) {
    std::string text;
    for (const SceneKey& key : scene_keys()) {
        if (key.section != section) continue;
        if (const auto value = key.write(scene, folder)) text += fmt::format("{} = {}\n", key.name, *value);
    }
    return text.empty() && prefix.empty() ? text : fmt::format("[{}{}]\n{}", prefix, section, text);
}

std::string scene_text(const SceneFile& scene, const std::filesystem::path& folder) {
    std::string text;
    std::string_view last;
    for (const SceneKey& key : scene_keys()) {
        if (key.section == last) continue;
        last = key.section;
        const std::string part = section_text(scene, key.section, folder);
        text += text.empty() || part.empty() ? part : fmt::format("\n{}", part);
    }
    return text;
}

void write_scene_file(const SceneFile& scene, const std::filesystem::path& path) {
    OutputFile file{path, Durable::kYes};
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
