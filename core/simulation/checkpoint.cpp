// SPDX-License-Identifier: MIT
#include "core/simulation/checkpoint.hpp"

#include <utility>

namespace orrery {

Checkpoint checkpoint_of(const Simulation& simulation, const RunRecord& run) {
    Checkpoint checkpoint{.scene = present_settings(simulation),
                          .state = simulation.snapshot(),
                          .reversed = simulation.now().reversed,
                          .run = run};
    checkpoint.scene.bodies = simulation.system().labels();
    return checkpoint;
}

Simulation resume(Checkpoint checkpoint, Ranks* ranks) {
    Simulation simulation{std::move(checkpoint.scene), checkpoint.state.engine, {}, ranks};
    simulation.restore(checkpoint.state);
    simulation.set_reversed(checkpoint.reversed);
    return simulation;
}

}  // namespace orrery
