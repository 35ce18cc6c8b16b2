// SPDX-License-Identifier: MIT
#include "app/picture/settings_of_compare_view.hpp"

namespace orrery {
namespace {

using V = CompareView;

constexpr unsigned kPlaces = place::kSceneFile | place::kPanel;

bool is_flip(const V& view) { return view.mode == CompareMode::kFlip; }
bool is_divided(const V& view) { return view.mode == CompareMode::kSplit || view.mode == CompareMode::kWipe; }

std::vector<CompareViewSetting> table() {
    SettingTable<V> add;
    add({.id = "mode",
         .label = "Layout",
         .doc = "how A and B are shown; both use the same camera",
         .kind = choices_of(compare_modes()),
         .places = kPlaces},
        member<&V::mode>(compare_modes(), &CompareModeEntry::mode));
    add({.id = "divider",
         .label = "Divider at",
         .doc = "A's share of the free width; the divider can also be dragged",
         .kind = RealKind{0.05, 0.95},
         .places = kPlaces},
        member<&V::divider>(), is_divided);
    add({.id = "show_b",
         .label = "Show B",
         .doc = "for `flip`: B is shown; off: A. Key Y switches",
         .kind = FlagKind{},
         .places = kPlaces},
        member<&V::show_b>(), is_flip);
    add({.id = "plots",
         .label = "Plots",
         .doc =
             "plots the distance of B from A and their energies over simulated time, at the lower right of the window",
         .kind = FlagKind{},
         .places = kPlaces},
        member<&V::plots>());
    return std::move(add).all();
}

}  // namespace

std::span<const CompareViewSetting> compare_view_settings() {
    static const std::vector<CompareViewSetting> all = table();
    return all;
}

}  // namespace orrery
