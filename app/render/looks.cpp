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

Look argon_cluster() {
    Look look;
    look.view.size = 1.2f;
    look.view.color_mode = "acceleration";
    look.view.color_map = "plasma";
    return look;
}

}  // namespace

Look look_of(std::string_view scene_id) {
    if (scene_id == "solar-system") return solar_system();
    if (scene_id == "figure-eight") return figure_eight();
    if (scene_id == "argon-cluster") return argon_cluster();
    return {};
}

}  // namespace orrery
