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

SceneKey white_key() {
    return {"view",
            "white",
            "a number above 0",
            "light of bodies in a pixel that is drawn white; without it, by the picture",
            [](SceneFile& file, const SceneValue& value) { file.view.white = value.real(1e-6, 1e12); },
            [](const SceneFile& file, const std::filesystem::path&) -> std::optional<std::string> {
                if (!file.view.white) return std::nullopt;
                return toml_text(*file.view.white);
            }};
}

}  // namespace

// clang-format off: version 14 loses its way after "-> auto&".
std::vector<SceneKey> keys_of_view() { const Section view{"view", [](auto& file) -> auto& {return file.view; }
};  // namespace orrery
const Section trails{"view", [](auto& file) -> auto& {return file.view.trails;
}
}
;
const Section stars{"view", [](auto& file) -> auto& {return file.view.stars;
}
}
;
const Section guides{"view", [](auto& file) -> auto& {return file.view.guides;
}
}
;
const Section octree{"view", [](auto& file) -> auto& {return file.view.octree;
}
}
;
constexpr int kDeepest = OctreeView::kDeepest;
std::vector<std::string_view> maps = ids_of(color_maps());
maps.insert(maps.begin(), kAutoColorMap);
return {
    view.menu("mode", &ViewSettings::mode, draw_modes(), &DrawModeEntry::mode, "how bodies are drawn"),
    view.real("size", &ViewSettings::size, 0.01, 100, "of bodies, times the automatic one"),
    view.real("mass_size", &ViewSettings::mass_size, 0, 1, "a body's light is proportional to its mass to this power"),
    view.real("exposure", &ViewSettings::exposure, -20, 20, "stops of light on top of the automatic exposure"),
    white_key(),
    view.real("stretch", &ViewSettings::stretch, 0.001, 1000, "more lifts what is faint"),
    view.real("glow", &ViewSettings::glow, 0, 1, "share of the light that is scattered"),
    view.menu("tone_map", &ViewSettings::tone_map, tone_maps(), &ToneMapEntry::tone_map,
              "how light becomes brightness"),
    view.id("color_map", &ViewSettings::color_map, maps, "colours"),
    view.id("color_mode", &ViewSettings::color_mode, ids_of(color_modes()), "what they stand for"),
    scalar_range_key(),
    view.flag("color_bar", &ViewSettings::color_bar, "what the colours mean, in the window or a recording's legend"),
    trails.flag("trails", &TrailView::on, "where bodies have been"),
    trails.whole("trail_points", &TrailView::points, 2, TrailView::kMostPoints, "places of each that are kept"),
    trails.whole("trail_every", &TrailView::every, 1, 1'000'000, "steps from one to the next, at least"),
    trails.real("trail_opacity", &TrailView::opacity, 0, 1, "of the lines"),
    stars.flag("stars", &StarView::on, "a sky behind the bodies"),
    stars.whole("star_seed", &StarView::seed, 0, StarView::kMostSeed, "which sky"),
    stars.real("star_light", &StarView::light, 0, 4, "of its stars, times the usual one"),
    guides.flag("grid", &GuideView::grid, "a grid in the orbital plane"),
    guides.flag("axes", &GuideView::axes, "x red, y green, z blue"),
    guides.flag("scale_bar", &GuideView::scale_bar, "how long a length is, likewise"),
    guides.flag("time_stamp", &GuideView::time_stamp, "the simulated time, likewise"),
    guides.flag("labels", &GuideView::labels, "names of bodies that have some, likewise"),
    octree.flag("octree", &OctreeView::on, "the cells of a tree engine"),
    octree.whole("octree_first", &OctreeView::first, 0, kDeepest, "first level that is drawn; 0: the root"),
    octree.whole("octree_last", &OctreeView::last, 0, kDeepest, "last level"),
    octree.flag("octree_leaves", &OctreeView::leaves_only, "only the leaves"),
    octree.real("octree_opacity", &OctreeView::opacity, 0, 1, "of the cells"),
};
}
// clang-format on

}  // namespace orrery
