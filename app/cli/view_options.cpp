// SPDX-License-Identifier: MIT
#include "app/cli/view_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "app/cli/options.hpp"
#include "app/cli/setting_options.hpp"
#include "app/record/settings_of_record.hpp"
#include "app/render/settings_of_view.hpp"
#include "app/scene/settings_of_camera.hpp"

namespace orrery {
namespace {

/// Hides all other species.
void show_only(ShownSpecies& shown, const std::vector<std::string>& ids) {
    const auto named = [&](Species species) { return std::ranges::find(ids, name(species)) != ids.end(); };
    using enum Species;
    shown = {named(kGas), named(kHalo), named(kDisk), named(kBulge), named(kStars), named(kBoundary)};
}

}  // namespace

void add_view(CLI::App& app, ViewOptions& options) {
    const HelpGroup view{app, "View"};
    SettingOptions typed{app};
    typed.add(setting(record_settings(), "legend").info, "",
              [&options](const std::string& text) { options.legend = text == "true"; });
    typed.add(view_settings(), options.settings);
    typed.add(camera_settings(), options.scene);
    std::vector<std::string> species;
    for (std::size_t i = 0; i < kSpeciesCount; ++i) species.emplace_back(name(static_cast<Species>(i)));
    app.add_option_function<std::vector<std::string>>(
           "--show-species", [&options](const auto& ids) { show_only(options.settings.species, ids); },
           "Only bodies of these species are drawn, separated by commas (default: all)")
        ->delimiter(',')
        ->allow_extra_args(false)  // the next argument is a file
        ->check(CLI::IsMember{species});
}

void ViewOptions::adopt(const SceneFile& file) {
    const auto yaw = scene.yaw, pitch = scene.pitch;
    settings = file.view;
    legend = file.record.legend;
    scene = file.camera;
    if (!scene.yaw) scene.yaw = yaw;
    if (!scene.pitch) scene.pitch = pitch;
}

OrbitCamera ViewOptions::camera(const FrameExtent& extent, double aspect) const {
    return OrbitCamera{first_pose(scene, CameraPose{}, extent, aspect)};
}

}  // namespace orrery
