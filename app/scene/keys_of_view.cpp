// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "app/render/color_maps.hpp"
#include "app/render/color_modes.hpp"
#include "app/scene/scene_keys.hpp"

namespace orrery {
namespace {

template <class Entry>
std::vector<std::string_view> ids_of(std::span<const Entry> menu) {
    std::vector<std::string_view> ids;
    for (const Entry& entry : menu) ids.push_back(entry.id);
    return ids;
}

SceneKey scalar_range_key() {
    return {"view",
            "scalar_range",
            "[low, high]",
            "values of the colour scalar at the ends of the colours; without it, the 2nd to 98th percentile",
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

std::vector<SceneKey> keys_of_view() { const Section view{"view", [](auto& file) -> auto& {return file.view; }
};  // namespace orrery
const Section octree{"view", [](auto& file) -> auto& {return file.view.octree;
}
}
;
constexpr int kDeepest = OctreeView::kDeepest;
return {
    view.menu("mode", &ViewSettings::mode, draw_modes(), &DrawModeEntry::mode, "how bodies are drawn"),
    view.real("size", &ViewSettings::size, 0.01, 100, "of bodies, times the automatic one"),
    view.real("exposure", &ViewSettings::exposure, -20, 20, "stops of light on top of the automatic exposure"),
    view.real("stretch", &ViewSettings::stretch, 0.001, 1000, "more lifts what is faint"),
    view.real("glow", &ViewSettings::glow, 0, 1, "share of the light that is scattered"),
    view.menu("tone_map", &ViewSettings::tone_map, tone_maps(), &ToneMapEntry::tone_map,
              "how light becomes brightness"),
    view.id("color_map", &ViewSettings::color_map, ids_of(color_maps()), "colours"),
    view.id("color_mode", &ViewSettings::color_mode, ids_of(color_modes()), "what they stand for"),
    scalar_range_key(),
    octree.flag("octree", &OctreeView::on, "the cells of a tree engine"),
    octree.whole("octree_first", &OctreeView::first, 0, kDeepest, "first level that is drawn; 0: the root"),
    octree.whole("octree_last", &OctreeView::last, 0, kDeepest, "last level"),
    octree.flag("octree_leaves", &OctreeView::leaves_only, "only the leaves"),
    octree.real("octree_opacity", &OctreeView::opacity, 0, 1, "of the cells"),
};
}

}  // namespace orrery
