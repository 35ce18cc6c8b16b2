// SPDX-License-Identifier: MIT
#include "python/shared_simulation.hpp"

#include <pthread.h>

#include <chrono>

#include "core/base/error.hpp"

namespace orrery::python {
namespace {

std::atomic<bool> has_threads{false}, forked{false};

}  // namespace

void mark_threads() {
    static const bool once = [] {
        ::pthread_atfork(nullptr, nullptr, [] { forked = has_threads.load(); });
        return true;
    }();
    has_threads = once;
}

void require_own_threads() {
    if (forked)
        environment_error(
            "this process was forked from one in which Orrery had threads, which are not here; start processes by "
            "multiprocessing.get_context('spawn')");
}

bool forked_from_threads() { return forked; }

void SharedSimulation::require_open() const {
    if (!simulation_) usage_error("this simulation is closed");
    require_own_threads();
}

void evaluate_all(Simulation& simulation) {
    while (!simulation.evaluate(std::chrono::hours{1})) {
    }
}

void require_between_steps(const Simulation& simulation) {
    if (simulation.within_step())
        usage_error("the last step ended in an error halfway; set the engine anew, or restore a checkpoint");
}

}  // namespace orrery::python
