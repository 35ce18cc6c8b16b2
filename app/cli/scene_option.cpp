// SPDX-License-Identifier: MIT
#include "app/cli/scene_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "app/render/looks.hpp"
#include "app/scene/shipped.hpp"
#include "core/base/error.hpp"
#include "core/base/nearest.hpp"
#include "core/presets/presets.hpp"
#include "core/series/snapshot_files.hpp"

namespace orrery {
namespace {

void require_scene(const std::string& source) {
    const auto menu = presets();
    if (std::ranges::find(menu, source, &PresetEntry::id) != menu.end() || std::filesystem::exists(source) ||
        names_many(source))
        return;
    const auto preset = nearest_id(menu, source);
    usage_error(no_such_scene(source, preset ? preset : nearest_id(shipped_scenes(), source)));
}

}  // namespace

std::optional<SceneFile> adopt_scene(SceneOptions& scene, EngineOptions* engine) {
    auto file = find_scene(scene.asked.source);
    if (!file) {
        require_scene(scene.asked.source);
        if (engine && look_of(scene.asked.source).double_precision) engine->base.precision = Precision::kDouble;
        return file;
    }
    adopt_scene(*file, scene, engine);
    return file;
}

void adopt_scene(const SceneFile& file, SceneOptions& scene, EngineOptions* engine) {
    scene.asked = file.scene;
    scene.asked.dt.reset();
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
