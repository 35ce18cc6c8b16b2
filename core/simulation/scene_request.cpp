// SPDX-License-Identifier: MIT
#include "core/simulation/scene_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/base/error.hpp"
#include "core/base/menu.hpp"
#include "core/formats/formats.hpp"
#include "core/integrators/integrators.hpp"
#include "core/integrators/step_limit.hpp"
#include "core/physics/pair_laws.hpp"
#include "core/presets/presets.hpp"

namespace orrery {
namespace {

bool is_preset(std::string_view source) {
    const auto menu = presets();
    return std::ranges::find(menu, source, &PresetEntry::id) != menu.end();
}

Scene open_source(const SceneRequest& request) {
    require_source(request.source);
    if (is_preset(request.source)) return make_preset(request.source, {request.bodies, request.seed});
    Scene scene = read_snapshot(request.source);
    if (request.bodies != 0 && request.bodies != scene.bodies.size())
        usage_error(fmt::format("{}: holds {} bodies; the number of bodies can be chosen for presets only",
                                request.source, scene.bodies.size()));
    return scene;
}

}  // namespace

void require_source(const std::string& source) {
    if (!is_preset(source) && !std::filesystem::exists(source))
        usage_error(fmt::format("{}: no such preset or file; presets are {}", source, ids(presets())));
}

Scene open_scene(const SceneRequest& request) {
    Scene scene = open_source(request);
    if (request.softening) scene.gravity.softening = *request.softening;
    if (!request.law.empty()) scene.gravity.law = pair_law(request.law).value;
    if (request.sigma) scene.gravity.sigma = *request.sigma;
    if (request.cut_off) scene.gravity.cut_off = *request.cut_off;
    validate(scene.gravity);
    if (request.dt) {
        if (!(*request.dt > 0) || !std::isfinite(*request.dt))
            usage_error(fmt::format("time step {}: must be positive", *request.dt));
        scene.dt = *request.dt;
    }
    if (!request.integrator.empty()) scene.integrator = integrator(request.integrator).id;
    if (request.adaptive) scene.adaptive = *request.adaptive;
    require_adaptive(scene.adaptive, scene.bodies.size(), integrator(scene.integrator));
    require_adaptive(scene.adaptive, scene.gravity.law);
    if (!request.label.empty()) scene.label = request.label;
    return scene;
}

}  // namespace orrery
