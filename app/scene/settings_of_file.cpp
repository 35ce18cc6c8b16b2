// SPDX-License-Identifier: MIT
#include "app/scene/settings_of_file.hpp"

#include "app/ui/panels.hpp"

namespace orrery {
namespace {

using F = SceneFile;

/// An id that may be absent.
SettingMember<F> panel_member() {
    SettingMember<F> panel = member<&F::panel>();
    panel.get = [](const F& file) { return file.panel.empty() ? SettingValue{} : SettingValue{file.panel}; };
    return panel;
}

std::vector<Setting<F>> file_table() {
    SettingTable<F> add;
    add({.id = "title", .label = "Title", .doc = "title of the scene", .kind = TextKind{}, .places = place::kSceneFile},
        member<&F::title>());
    add({.id = "watch",
         .label = "Watch",
         .doc = "one sentence: what to watch for",
         .kind = TextKind{},
         .places = place::kSceneFile},
        member<&F::watch>());
    add({.id = "speed",
         .label = "Speed",
         .doc = "maximum number of steps per second in the window; 0: no limit",
         .kind = RealKind{0, 1e9},
         .places = place::kSceneFile},
        member<&F::speed>());
    add({.id = "panel",
         .label = "Panel",
         .doc = "the tab that is open",
         .kind = choices_of(panels()),
         .places = place::kSceneFile | place::kUserFile},
        panel_member());
    add({.id = "figures",
         .label = "Large figures",
         .doc = "the large figures are shown",
         .kind = FlagKind{},
         .places = place::kSceneFile | place::kUserFile},
        member<&F::figures>());
    return std::move(add).all();
}

}  // namespace

std::span<const Setting<SceneFile>> scene_file_settings() {
    static const std::vector<Setting<F>> all = file_table();
    return all;
}

}  // namespace orrery
