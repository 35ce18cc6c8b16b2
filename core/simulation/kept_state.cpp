// SPDX-License-Identifier: MIT
#include "core/simulation/kept_state.hpp"

#include <fmt/format.h>

#include "core/gl/info.hpp"

namespace orrery {

void KeptState::keep(const Simulation& simulation) {
    if (simulation.engine_config().backend != Backend::kGl) return kept_.reset();
    constexpr int kShare = 20;  // time between two copies, divided by the time of one
    const auto start = Clock::now();
    const bool same = kept_ && system_ == &simulation.system();
    if (same && start < next_) return;
    kept_ = simulation.snapshot();
    system_ = &simulation.system();
    const auto end = Clock::now();
    next_ = end + kShare * (end - start);
}

std::string KeptState::restore(Simulation& simulation, const DeviceLost& lost) const {
    if (!kept_ || system_ != &simulation.system()) throw lost;
    const std::int64_t reached = simulation.now().steps;
    reopen_lost_gl_device();
    try {
        simulation.system().wait();
    } catch (const DeviceLost&) {  // of work that was under way
    }
    simulation.restore(*kept_);
    return fmt::format("{}; the run continues from step {} instead of {}", lost.what(), kept_->steps, reached);
}

}  // namespace orrery
