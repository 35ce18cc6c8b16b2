// SPDX-License-Identifier: MIT
#include "core/bodies/evaluation_time.hpp"

#include <algorithm>
#include <limits>

#include "core/bodies/body_system.hpp"

namespace orrery {

namespace {

constexpr double kRepeatSeconds = 0.5;  ///< evaluations are repeated for about this long

}  // namespace

double fastest_evaluation(const EngineConfig& config, const Scene& scene) {
    const auto system = make_body_system(config, scene.bodies);
    double best = std::numeric_limits<double>::infinity(), total = 0;
    for (int i = 0; i < 3 || (i < 20 && total < kRepeatSeconds); ++i) {
        system->clock().start();
        const std::uint64_t items = system->begin_forces(scene.gravity, Potential::kSkip);
        system->run_forces(0, items);
        const double seconds = system->clock().stop();
        best = std::min(best, seconds), total += seconds;
    }
    return best;
}

}  // namespace orrery
