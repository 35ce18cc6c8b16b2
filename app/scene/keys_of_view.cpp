// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "app/render/settings_of_view.hpp"
#include "app/scene/scene_keys.hpp"

namespace orrery {
namespace {

SceneKey scalar_range_key() {
    return {"view",
            "scalar_range",
            "[low, high]",
            "values at the ends of the colour map; default: the 2nd to 98th percentile",
            [](SceneFile& file, const SceneValue& value) {
                const auto ends = value.list();
                if (ends.size() != 2) value.refuse("a list of two numbers");
                const ScalarRange range{ends[0].real(-1e300, 1e300), ends[1].real(-1e300, 1e300)};
                if (!(range.low < range.high)) value.refuse("the lower end first");
                file.view.scalar_range = range;
            },
            [](const SceneFile& file, const std::filesystem::path&) -> std::optional<std::string> {
                const auto& range = file.view.scalar_range;
                if (!range) return std::nullopt;
                return fmt::format("[{}, {}]", toml_text(range->low), toml_text(range->high));
            }};
}

}  // namespace

std::vector<SceneKey> keys_of_view() {
    std::vector<SceneKey> keys;
    for (const ViewSetting& setting : view_settings()) {
        keys.push_back(key_of("view", Part<&SceneFile::view>{}, setting));
        if (setting.info.id == "color_mode") keys.push_back(scalar_range_key());
    }
    return keys;
}

}  // namespace orrery
