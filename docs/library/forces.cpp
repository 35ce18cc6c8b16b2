// SPDX-License-Identifier: MIT
// Evaluates the forces between some bodies once.
//   forces [ENGINE]    prints the acceleration and the potential of each body
#include <cstdio>

#include <orrery/core/base/error.hpp>
#include <orrery/core/bodies/bodies.hpp>
#include <orrery/core/bodies/body_system.hpp>
#include <orrery/core/engines/engine_settings.hpp>

int main(int argc, char** argv) try {
    orrery::Bodies bodies;
    bodies.add({0, 0, 0}, {0, 0, 0}, 1.0);  // position, velocity, mass
    bodies.add({1, 0, 0}, {0, 1, 0}, 1e-3);
    bodies.add({0, 2, 0}, {-0.7, 0, 0}, 1e-3);

    orrery::EngineConfig config = orrery::default_engine_config();
    config.engine = argc > 1 ? argv[1] : "direct";
    config.backend = orrery::Backend::kCpu;
    config.precision = orrery::Precision::kDouble;

    const orrery::Gravity gravity{.constant = 1, .softening = 0};
    for (const orrery::Vec4d& a : orrery::accelerations(config, bodies, gravity, orrery::Potential::kCompute))
        std::printf("%.9f %.9f %.9f  potential %.9f\n", a.x, a.y, a.z, a.w);
    return 0;
} catch (const orrery::Error& error) {
    std::fprintf(stderr, "forces: %s\n", error.what());
    return 1;
}
