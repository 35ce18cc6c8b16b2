// SPDX-License-Identifier: MIT
#include "core/simulation/checkpoint.hpp"

#include <utility>

namespace orrery {

Checkpoint checkpoint_of(const Simulation& simulation, const RunRecord& run) {
    const Scene& scene = simulation.scene();
    Checkpoint checkpoint{.scene = {.id = scene.id,
                                    .label = scene.label,
                                    .bodies = simulation.system().labels(),
                                    .gravity = scene.gravity,
                                    .dt = scene.dt,
                                    .integrator = std::string{simulation.integrator_entry().id},
                                    .adaptive = scene.adaptive,
                                    .encounters = scene.encounters,
                                    .time = simulation.time(),
                                    .scale_factor = scene.scale_factor,
                                    .days_per_time = scene.days_per_time,
                                    .length_unit = scene.length_unit,
                                    .mass_unit = scene.mass_unit,
                                    .steps_per_frame = scene.steps_per_frame,
                                    .notes = {}},
                          .state = simulation.snapshot(),
                          .reversed = simulation.reversed(),
                          .run = run};
    return checkpoint;
}

Simulation resume(Checkpoint checkpoint, Ranks* ranks) {
    Simulation simulation{std::move(checkpoint.scene), checkpoint.state.engine, {}, ranks};
    simulation.restore(checkpoint.state);
    simulation.set_reversed(checkpoint.reversed);
    return simulation;
}

}  // namespace orrery
