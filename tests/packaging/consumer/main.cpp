// SPDX-License-Identifier: MIT
// Another program that uses the installed library: simulates, and keeps what comes out as a snapshot.
//   consumer ENGINE FILE    prints the number of bodies, the relative error of the energy and the bodies read back
#include <cmath>
#include <cstdio>

#include "core/base/error.hpp"
#include "core/diagnostics/diagnostics.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/formats/formats.hpp"
#include "core/integrators/integrators.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/simulation.hpp"

int main(int argc, char** argv) try {
    if (argc != 3) return 2;
    orrery::EngineConfig config = orrery::usual_engine();
    config.engine = argv[1];
    config.backend = orrery::Backend::kCpu;
    orrery::Simulation simulation{orrery::make_preset("plummer", {.bodies = 300}), config};
    const auto energy = [&] {
        return diagnose(simulation.system().bodies(), simulation.gravity(), orrery::Backend::kCpu).total();
    };
    const double before = energy();
    for (int i = 0; i < 20; ++i) simulation.step();
    orrery::Scene scene = simulation.scene();
    scene.bodies = simulation.system().bodies();
    orrery::write_snapshot(scene, argv[2]);
    std::printf("%zu %.1e %zu\n", scene.bodies.size(), std::abs(energy() / before - 1),
                orrery::read_snapshot(argv[2]).bodies.size());
    return 0;
} catch (const orrery::Error& error) {
    std::fprintf(stderr, "consumer: %s\n", error.what());
    return 1;
}
