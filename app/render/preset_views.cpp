// SPDX-License-Identifier: MIT
#include "app/render/preset_views.hpp"

namespace orrery {
namespace {

/// Planets are points and the Sun is not much larger: at this scale, Mercury is four pixels away from it.
PresetView solar_system() {
    PresetView look{.yaw = 20, .pitch = 52, .zoom = 0.85, .double_precision = true};
    look.view.size = 0.38f;
    look.view.mass_size = 0.16f;
    look.view.glow = 0.3f;
    look.view.color_map = "starlight";
    look.view.trails = {.on = true, .points = 1024, .every = 6, .opacity = 0.4f};
    return look;
}

PresetView figure_eight() {
    PresetView look{.yaw = -90, .pitch = 80, .zoom = 0.95, .double_precision = true};
    look.view.size = 0.8f;
    look.view.color_map = "ember";
    look.view.trails = {.on = true, .points = 256, .every = 2, .opacity = 0.6f};
    return look;
}

/// Fast bodies close together: long trails show whether their orbits are closed.
PresetView few_bodies(double zoom, int every) {
    PresetView look = figure_eight();
    look.zoom = zoom;
    look.view.color_map = "aurora";
    look.view.trails = {.on = true, .points = 1024, .every = every, .opacity = 0.5f};
    return look;
}

PresetView saturn() {
    PresetView look{.yaw = 25, .pitch = 22, .zoom = 1.15};
    look.view.size = 0.7f;
    look.view.glow = 0.2f;
    look.view.color_map = "starlight";
    return look;
}

/// Draws bodies at their true size.
PresetView with_spheres(PresetView look) {
    look.view.spheres = true;
    return look;
}

/// Planets on orbits around a star that must not outshine them.
PresetView planetesimals() {
    PresetView look{.yaw = 20, .pitch = 52, .zoom = 0.9, .double_precision = true};
    look.view.size = 0.5f;
    look.view.mass_size = 0.3f;
    look.view.glow = 0.2f;
    look.view.color_mode = "mass";
    return look;
}

PresetView black_holes() {
    PresetView look{.zoom = 1.4, .double_precision = true};
    look.view.size = 0.8f;
    look.view.mass_size = 0.25f;
    look.view.color_map = "starlight";
    return look;
}

/// Two small bright discs far apart.
PresetView milky_way_andromeda() {
    PresetView look{.zoom = 1.1};
    look.view.size = 0.6f;
    look.view.glow = 0.25f;
    return look;
}

PresetView argon_cluster() {
    PresetView look;
    look.view.size = 1.2f;
    look.view.color_mode = "acceleration";
    look.view.color_map = "plasma";
    return look;
}

/// A ball of atoms or ions, with room for those that leave it.
PresetView matter(std::string_view color_mode) {
    PresetView look{.zoom = 0.75};
    look.view.size = 3;
    look.view.color_mode = color_mode;
    return look;
}

}  // namespace

PresetView preset_view(std::string_view scene_id) {
    if (scene_id == "solar-system") return solar_system();
    if (scene_id == "figure-eight") return figure_eight();
    if (scene_id == "argon-cluster") return argon_cluster();
    if (scene_id == "argon-drop") return matter("potential");
    if (scene_id == "salt-melt") return matter("charge");
    if (scene_id == "saturn") return saturn();
    if (scene_id == "saturn-collisions") return with_spheres(saturn());
    if (scene_id == "planetesimals") return planetesimals();
    if (scene_id == "black-holes") return black_holes();
    if (scene_id == "pythagorean") return few_bodies(1.1, 12);
    if (scene_id == "scattering") return few_bodies(1, 4);
    if (scene_id == "milky-way-andromeda") return milky_way_andromeda();
    if (scene_id == "orbit-yarn") return few_bodies(0.7, 4);
    if (scene_id == "orbit-moth-2") return few_bodies(0.8, 4);
    if (scene_id.starts_with("orbit-")) return few_bodies(0.95, 4);
    if (scene_id == "zeldovich") return {.zoom = 0.8};
    if (scene_id == "hernquist" || scene_id == "nfw-halo") return {.zoom = 2.5};
    return {};
}

}  // namespace orrery
