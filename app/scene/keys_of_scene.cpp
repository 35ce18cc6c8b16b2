// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "app/scene/scene_keys.hpp"
#include "app/scene/settings_of_file.hpp"
#include "core/presets/presets.hpp"
#include "core/series/snapshot_files.hpp"
#include "core/settings/duration.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {
namespace {

std::vector<std::string_view> preset_ids() {
    std::vector<std::string_view> ids;
    for (const PresetEntry& entry : presets()) ids.push_back(entry.id);
    return ids;
}

bool is_preset(const SceneFile& file) { return std::ranges::count(preset_ids(), file.scene.source) > 0; }

SceneKey preset_key() {
    return {"scene",
            "preset",
            words_text(preset_ids()),
            "the bodies: one of the presets, or `file`",
            [](SceneFile& file, const SceneValue& value) { file.scene.source = value.one_of(preset_ids()); },
            [](const SceneFile& file, const std::filesystem::path&) -> std::optional<std::string> {
                if (!is_preset(file)) return std::nullopt;
                return toml_text(file.scene.source);
            }};
}

/// A file, a folder, or a pattern, relative to the scene file.
std::string source_of(const SceneValue& value) {
    const std::filesystem::path path = value.path();
    if (!std::filesystem::is_regular_file(path) && !names_many(path.string()))
        value.refuse("an existing file or folder, or a pattern");
    return path.lexically_normal().string();
}

std::string source_text(const std::string& source, const std::filesystem::path& folder) {
    const auto absolute = std::filesystem::absolute(source);
    return toml_text(absolute.lexically_proximate(std::filesystem::absolute(folder)).string());
}

SceneKey file_key() {
    return {"scene",
            "file",
            "path, or list of paths",
            "the bodies: a snapshot, or as a series a folder, a pattern such as \"snap_*.h5\", or a list; relative to "
            "the scene file",
            [](SceneFile& file, const SceneValue& value) {
                if (!file.scene.source.empty()) value.refuse("either preset or file");
                if (!value.is_list()) return static_cast<void>(file.scene.source = source_of(value));
                const auto all = value.list();
                if (all.empty()) value.refuse("at least one path");
                file.scene.source = source_of(all.front());
                for (std::size_t i = 1; i < all.size(); ++i) file.scene.more.push_back(source_of(all[i]));
            },
            [](const SceneFile& file, const std::filesystem::path& folder) -> std::optional<std::string> {
                if (is_preset(file) || file.scene.source.empty()) return std::nullopt;
                std::string text = source_text(file.scene.source, folder);
                if (file.scene.more.empty()) return text;
                for (const std::string& more : file.scene.more) text += ", " + source_text(more, folder);
                return fmt::format("[{}]", text);
            }};
}

/// A number in the scene's unit of time, or a text with its own unit.
SceneKey dt_key() {
    return {"scene",
            "dt",
            "more than 0, or text with a unit",
            "step length; default: the scene's own",
            [](SceneFile& file, const SceneValue& value) {
                if (value.is_text()) {
                    value.checked([&] {
                        const Duration duration = parse_duration("dt", value.text());
                        file.scene.dt = duration.value;
                        if (duration.days == 0) return;
                        const Scene scene = open_scene_or_series(file.scene).scene;
                        file.scene.dt = in_units_of(scene.days_per_time, scene.id, "dt", duration);
                    });
                } else {
                    file.scene.dt = value.real(0, 1e300);
                }
                if (!(*file.scene.dt > 0)) value.refuse("a time above 0");
            },
            [](const SceneFile& file, const std::filesystem::path&) -> std::optional<std::string> {
                if (!file.scene.dt) return std::nullopt;
                return toml_text(*file.scene.dt);
            }};
}

/// The file itself, which holds `speed` and the settings of the window.
struct Whole {
    template <class File>
    auto& operator()(File& file) const {
        return file;
    }
};

}  // namespace

std::vector<SceneKey> keys_of_scene() {
    const auto file = [](std::string_view id) {
        const Setting<SceneFile>& found = setting(scene_file_settings(), id);
        return key_of(id == "panel" || id == "figures" ? "window" : "scene", Whole{}, found);
    };
    const auto request = [](std::string_view id) {
        return key_of("scene", Part<&SceneFile::scene>{}, setting(scene_settings(), id));
    };
    return {file("title"),
            file("watch"),
            preset_key(),
            file_key(),
            request("bodies"),
            request("seed"),
            request("sites"),
            request("displacements"),
            request("softening"),
            request("law"),
            request("sigma"),
            request("cut_off"),
            dt_key(),
            request("integrator"),
            request("adaptive"),
            request("encounters"),
            request("body_density"),
            request("body_radius"),
            request("restitution"),
            file("speed"),
            file("panel"),
            file("figures")};
}

}  // namespace orrery
