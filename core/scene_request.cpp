// SPDX-License-Identifier: MIT
#include "core/scene_request.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "core/base/error.hpp"
#include "core/base/menu.hpp"
#include "core/formats/formats.hpp"
#include "core/presets/presets.hpp"

namespace orrery {
namespace {

Scene open_source(const SceneRequest& request) {
    const auto menu = presets();
    if (std::ranges::find(menu, request.source, &PresetEntry::id) != menu.end())
        return make_preset(request.source, {request.bodies, request.seed});
    if (!std::filesystem::exists(request.source))
        usage_error(fmt::format("{}: no such preset or file; presets are {}", request.source, ids(menu)));
    Scene scene = read_snapshot(request.source);
    if (request.bodies != 0 && request.bodies != scene.bodies.size())
        usage_error(fmt::format("{}: holds {} bodies; the number of bodies can be chosen for presets only",
                                request.source, scene.bodies.size()));
    return scene;
}

}  // namespace

Scene open_scene(const SceneRequest& request) {
    Scene scene = open_source(request);
    if (request.softening) {
        if (!(*request.softening >= 0) || !std::isfinite(*request.softening))
            usage_error(fmt::format("softening {}: must be a length of 0 or more", *request.softening));
        scene.gravity.softening = *request.softening;
    }
    if (request.dt) {
        if (!(*request.dt > 0) || !std::isfinite(*request.dt))
            usage_error(fmt::format("time step {}: must be positive", *request.dt));
        scene.dt = *request.dt;
    }
    return scene;
}

}  // namespace orrery
