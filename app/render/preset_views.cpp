// SPDX-License-Identifier: MIT
#include "app/render/looks.hpp"

namespace orrery {
namespace {

/// Planets are points, the Sun not much larger: in the whole system Mercury is four pixels from it.
Look solar_system() {
    Look look{.yaw = 20, .pitch = 52, .zoom = 0.85, .double_precision = true};
    look.view.size = 0.38f;
    look.view.mass_size = 0.16f;
    look.view.glow = 0.3f;
    look.view.color_map = "starlight";
    look.view.trails = {.on = true, .points = 1024, .every = 6, .opacity = 0.4f};
    return look;
}

Look figure_eight() {
    Look look{.yaw = -90, .pitch = 80, .zoom = 0.95, .double_precision = true};
    look.view.size = 0.8f;
    look.view.color_map = "ember";
    look.view.trails = {.on = true, .points = 256, .every = 2, .opacity = 0.6f};
    return look;
}

/// Fast bodies near each other: long trails show the curve, which is closed or not.
Look few_bodies(double zoom, int every) {
    Look look = figure_eight();
    look.zoom = zoom;
    look.view.color_map = "aurora";
    look.view.trails = {.on = true, .points = 1024, .every = every, .opacity = 0.5f};
    return look;
}

Look saturn() {
    Look look{.yaw = 25, .pitch = 22, .zoom = 1.15};
    look.view.size = 0.7f;
    look.view.glow = 0.2f;
    look.view.color_map = "starlight";
    return look;
}

/// Bodies at their true size.
Look with_spheres(Look look) {
    look.view.spheres = true;
    return look;
}

/// Planets on orbits about a star that is not to outshine them.
Look planetesimals() {
    Look look{.yaw = 20, .pitch = 52, .zoom = 0.9, .double_precision = true};
    look.view.size = 0.5f;
    look.view.mass_size = 0.3f;
    look.view.glow = 0.2f;
    look.view.color_mode = "mass";
    return look;
}

Look black_holes() {
    Look look{.zoom = 1.4, .double_precision = true};
    look.view.size = 0.8f;
    look.view.mass_size = 0.25f;
    look.view.color_map = "starlight";
    return look;
}

/// Two small bright discs far apart.
Look milky_way_andromeda() {
    Look look{.zoom = 1.1};
    look.view.size = 0.6f;
    look.view.glow = 0.25f;
    return look;
}

Look argon_cluster() {
    Look look;
    look.view.size = 1.2f;
    look.view.color_mode = "acceleration";
    look.view.color_map = "plasma";
    return look;
}

/// A ball of atoms or ions, with room around it for those that leave.
Look matter(std::string_view color_mode) {
    Look look{.zoom = 0.75};
    look.view.size = 3;
    look.view.color_mode = color_mode;
    return look;
}

}  // namespace

Look look_of(std::string_view scene_id) {
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
