// SPDX-License-Identifier: MIT
#include "core/integrators/step_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/physics/pair_law.hpp"
#include "core/physics/pair_laws.hpp"

namespace orrery {

double step_limit(const Bodies& bodies, const Gravity& gravity, double eta) {
    const double softening2 = gravity.softening * gravity.softening;
    double fastest2 = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const Vec4d &a = bodies.position_mass[i], &b = bodies.position_mass[j];
            const Vec3d x = xyz(a) - xyz(b), v = bodies.velocity[i] - bodies.velocity[j];
            const double r2 = dot(x, x) + softening2;
            if (r2 == 0) continue;  // coincident bodies do not attract each other
            const double acceleration = gravity.constant * (a.w + b.w) / std::sqrt(r2);
            fastest2 = std::max(fastest2, (acceleration + dot(v, v)) / r2);
        }
    return eta / std::sqrt(fastest2);
}

void require_adaptive(double eta, std::size_t bodies, const IntegratorEntry& integrator) {
    if (!(eta >= 0 && eta <= 1)) usage_error(fmt::format("adaptive {}: must be between 0 (equal steps) and 1", eta));
    if (eta > 0 && bodies > kMostAdaptive && !integrator.individual)
        usage_error(
            fmt::format("adaptive steps examine all pairs, for at most {1} bodies, not {0}; leapfrog-block and "
                        "hermite4-block have no such limit",
                        bodies, kMostAdaptive));
}

void require_adaptive(double eta, PairLaw law) {
    if (eta > 0 && !attracts_masses(law))
        usage_error(
            fmt::format("adaptive steps need a law of gravity; law {} supports only fixed steps", pair_law(law).id));
}

}  // namespace orrery
