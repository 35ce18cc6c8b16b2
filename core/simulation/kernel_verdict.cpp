// SPDX-License-Identifier: MIT
#include "core/simulation/kernel_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "core/bodies/body_system.hpp"
#include "core/engines/choices.hpp"
#include "core/physics/law.hpp"

namespace orrery {
namespace {

/// Every `stride`-th body, so that at most `most` remain.
std::size_t stride_for(const Scene& scene, std::size_t most) {
    const std::size_t count = scene.bodies.size();
    return most == 0 || count <= most ? 1 : (count + most - 1) / most;
}

Bodies thinned(const Bodies& all, std::size_t stride) {
    Bodies few;
    for (std::size_t i = 0; i < all.size(); i += stride) {
        few.position_mass.push_back(all.position_mass[i]);
        few.velocity.push_back(all.velocity[i]);
        if (!all.charge.empty()) few.charge.push_back(all.charge[i]);
    }
    return few;
}

double evaluation_seconds(BodySystem& system, const Gravity& gravity) {
    system.clock().start();
    const std::uint64_t items = system.begin_forces(gravity, Potential::kSkip);
    system.run_forces(0, items);
    return system.clock().stop();
}

/// The accelerations that count as exact.
std::vector<Vec4d> truth_of(const KernelFile& file, EngineConfig config, Bodies bodies, const Gravity& gravity) {
    // Positions and masses as the engine has them, so that their rounding is not its error.
    for (Vec4d& body : bodies.position_mass) body = convert<double>(convert<float>(body));
    if (!file.own_law)
        return reference_accelerations(Law::kPairs, bodies.position_mass, gravity,
                                       bodies.charge.empty() ? nullptr : bodies.charge.data());
    config.precision = Precision::kDouble;
    return accelerations(config, bodies, gravity);
}

EngineConfig config_for(const KernelFile& file, const VerdictLimits& limits) {
    const EngineEntry& entry = engine_of(file);
    return {.engine = std::string{entry.id},
            .backend = entry.backend,
            .kernel = file.text,
            .background = limits.background};
}

}  // namespace

ForceVerdict compare_force(const KernelFile& file, const Scene& scene, const VerdictLimits& limits) {
    const EngineConfig config = config_for(file, limits);
    const EngineEntry& entry = engine_of(file);
    const std::size_t stride = stride_for(scene, limits.compared);
    const Bodies bodies = thinned(scene.bodies, stride);
    ForceVerdict verdict{.engine = fmt::format("kernel {} on {}", file.title, name(entry.backend)),
                         .scene = scene.id,
                         .bodies = scene.bodies.size(),
                         .compared = bodies.size(),
                         .own_law = file.own_law,
                         .tolerance = entry.tolerance(config)};
    const std::vector<Vec4d> truth = truth_of(file, config, bodies, scene.gravity),
                             found = accelerations(config, bodies, scene.gravity);
    double off = 0, all = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        const Vec3d wanted = xyz(truth[i]), difference = xyz(found[i]) - wanted;
        off += dot(difference, difference), all += dot(wanted, wanted);
        const double error = std::sqrt(dot(difference, difference) / std::max(dot(wanted, wanted), 1e-300));
        if (!(error <= verdict.worst_error)) verdict.worst_error = error, verdict.worst = i * stride;
    }
    verdict.rms_error = off > 0 ? std::sqrt(off / std::max(all, 1e-300)) : off;
    return verdict;
}

RivalTimes time_kernel(const KernelFile& file, const Scene& scene, const VerdictLimits& limits) {
    const EngineConfig config = config_for(file, limits);
    EngineConfig house{.engine = "direct", .backend = config.backend, .background = limits.background};
    if (file.kind == KernelKind::kMap) house.engine = config.engine, house.map = "bb";
    return time_engines(config, house, scene, limits);
}

RivalTimes time_engines(const EngineConfig& config, const EngineConfig& rival_config, const Scene& scene,
                        const VerdictLimits& limits) {
    const Bodies bodies = thinned(scene.bodies, stride_for(scene, limits.timed));
    const auto own = make_body_system(config, bodies), rival = make_body_system(rival_config, bodies);
    RivalTimes fastest{bodies.size(), std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    double total = 0;
    for (int i = 0; i < 3 || (i < 200 && total < limits.seconds); ++i) {
        const double one = evaluation_seconds(*own, scene.gravity), other = evaluation_seconds(*rival, scene.gravity);
        fastest.seconds = std::min(fastest.seconds, one);
        fastest.rival_seconds = std::min(fastest.rival_seconds, other);
        total += one + other;
    }
    return fastest;
}

}  // namespace orrery
