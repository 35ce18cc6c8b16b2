// SPDX-License-Identifier: MIT
#include "app/cli/scene_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "app/render/preset_views.hpp"
#include "app/scene/shipped.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/engines/menu.hpp"
#include "core/presets/presets.hpp"
#include "core/series/snapshot_files.hpp"

namespace orrery {
bool is_known_scene(const std::string& source) {
    const auto menu = presets();
    return std::ranges::find(menu, source, &PresetEntry::id) != menu.end() || shipped_scene(source) ||
           std::filesystem::exists(source) || names_many(source);
}

std::optional<std::string_view> nearest_scene(std::string_view typed) {
    const auto preset = nearest_id(presets(), typed);
    return preset ? preset : nearest_id(shipped_scenes(), typed);
}

std::optional<SceneFile> adopt_scene(SceneOptions& scene, EngineOptions* engine) {
    auto file = find_scene(scene.given.source);
    if (!file) {
        if (!is_known_scene(scene.given.source))
            usage_error(no_such_scene(scene.given.source, nearest_scene(scene.given.source)));
        if (engine && preset_view(scene.given.source).double_precision) engine->base.precision = Precision::kDouble;
        if (const auto needed = engine_of_preset(scene.given.source); engine && !needed.empty()) {
            engine->base.engine = needed;
            engine->base.backend = default_backend(engine->base.engine);
            engine->base_given = true;
        }
        return file;
    }
    adopt_scene(*file, scene, engine);
    return file;
}

void adopt_scene(const SceneFile& file, SceneOptions& scene, EngineOptions* engine) {
    scene.given = file.scene;
    scene.given.dt.reset();
    scene.dt = file.scene.dt ? fmt::format("{}", *file.scene.dt) : "";
    if (engine && file.engine_given) {
        engine->base = file.engine_here();
        engine->base_given = true;
    }
}

void apply_typed(CLI::App& app) {
    for (CLI::Option* option : app.get_options())
        if (option->count() > 0 && !option->check_lname("scene")) option->run_callback();
}

}  // namespace orrery
