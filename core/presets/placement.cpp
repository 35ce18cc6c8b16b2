// SPDX-License-Identifier: MIT
#include "core/presets/placement.hpp"

namespace orrery {

void centre(Bodies& bodies, std::size_t first) {
    double mass = 0;
    Vec3d place{}, momentum{};
    for (std::size_t i = first; i < bodies.size(); ++i) {
        const Vec4d& p = bodies.position_mass[i];
        mass += p.w;
        place = place + p.w * xyz(p);
        momentum = momentum + p.w * bodies.velocity[i];
    }
    const Vec3d offset = (1 / mass) * place, drift = (1 / mass) * momentum;
    for (std::size_t i = first; i < bodies.size(); ++i) {
        Vec4d& p = bodies.position_mass[i];
        p = {p.x - offset.x, p.y - offset.y, p.z - offset.z, p.w};
        bodies.velocity[i] = bodies.velocity[i] - drift;
    }
}

}  // namespace orrery
