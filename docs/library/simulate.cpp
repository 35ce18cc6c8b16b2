// SPDX-License-Identifier: MIT
// Simulates a star cluster and writes its last state as a snapshot.
//   simulate ENGINE FILE    prints the number of bodies, the relative error of the energy and the bodies read back
#include <cmath>
#include <cstdio>

#include <orrery/core/analysis/diagnostics.hpp>
#include <orrery/core/base/error.hpp>
#include <orrery/core/engines/engine_settings.hpp>
#include <orrery/core/formats/formats.hpp>
#include <orrery/core/integrators/integrators.hpp>
#include <orrery/core/presets/presets.hpp>
#include <orrery/core/simulation/simulation.hpp>

int main(int argc, char** argv) try {
    if (argc != 3) return 2;
    orrery::EngineConfig config = orrery::default_engine_config();
    config.engine = argv[1];
    config.backend = orrery::Backend::kCpu;
    orrery::Simulation simulation{orrery::make_preset("plummer", {.bodies = 300}), config};
    const auto energy = [&] {
        return diagnose(simulation.system().bodies(), simulation.scene().gravity, orrery::Backend::kCpu).total();
    };
    const double before = energy();
    for (int i = 0; i < 20; ++i) simulation.step();
    const orrery::Scene scene = present_scene(simulation);
    orrery::write_snapshot(scene, argv[2]);
    std::printf("%zu %.1e %zu\n", scene.bodies.size(), std::abs(energy() / before - 1),
                orrery::read_snapshot(argv[2]).bodies.size());
    return 0;
} catch (const orrery::Error& error) {
    std::fprintf(stderr, "simulate: %s\n", error.what());
    return 1;
}
