// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "app/scene/scene_keys.hpp"
#include "app/scene/settings_of_series.hpp"

namespace orrery {
namespace {

SceneKey patterns_key() {
    return {"run",
            "snapshots",
            "text, or list of texts",
            "series of snapshots of `run`, NAME_%04d.EXTENSION, relative to its working directory; several with "
            "different extensions",
            [](SceneFile& file, const SceneValue& value) {
                if (!value.is_list()) return file.series.patterns.push_back(value.text());
                for (const SceneValue& each : value.list()) file.series.patterns.push_back(each.text());
            },
            [](const SceneFile& file, const std::filesystem::path&) -> std::optional<std::string> {
                if (file.series.patterns.empty()) return std::nullopt;
                if (file.series.patterns.size() == 1) return toml_text(file.series.patterns.front());
                std::string text;
                for (const std::string& pattern : file.series.patterns)
                    text += (text.empty() ? "" : ", ") + toml_text(pattern);
                return fmt::format("[{}]", text);
            }};
}

}  // namespace

std::vector<SceneKey> keys_of_run() {
    std::vector<SceneKey> keys{patterns_key()};
    for (SceneKey& key : keys_of("run", Part<&SceneFile::series>{}, series_settings())) keys.push_back(std::move(key));
    return keys;
}

}  // namespace orrery
