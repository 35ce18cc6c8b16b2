// SPDX-License-Identifier: MIT
#include "python/shared_simulation.hpp"

#include <chrono>

#include "core/base/error.hpp"

namespace orrery::python {

void SharedSimulation::require_open() const {
    if (!simulation_) usage_error("this simulation is closed");
}

void evaluate_all(Simulation& simulation) {
    while (!simulation.evaluate(std::chrono::hours{1})) {
    }
}

void require_between_steps(const Simulation& simulation) {
    if (simulation.within_step())
        usage_error("the last step failed halfway; set the engine again, or restore a checkpoint");
}

}  // namespace orrery::python
