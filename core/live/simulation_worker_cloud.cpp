// SPDX-License-Identifier: MIT
// Displays a cloud in place of steps.
#include <string>

#include "core/base/error.hpp"
#include "core/live/simulation_worker.hpp"

namespace orrery {
namespace {

constexpr std::chrono::duration<double> kLook{0.004}, kIdle{0.25};  // between checks for data that have been read

}  // namespace

void SimulationWorker::require_moving(const Action& wish) const {
    if (needs_moving(wish)) usage_error(std::string{kCloudIsStill});
}

SimulationWorker::Seconds SimulationWorker::until_next_look() const {
    if (both_.cloud->changed()) return Seconds::zero();
    return both_.cloud->busy() ? kLook : kIdle;
}

/// Publishes new data as fast as frames are taken.
void SimulationWorker::look_at_cloud() {
    if (const std::string remark = both_.cloud->remark(); !remark.empty()) environment_error(remark);
    if (frames_.taken()) {
        publish_frame();
    } else {
        std::this_thread::sleep_for(kLook);
    }
    publish_status();
}

}  // namespace orrery
