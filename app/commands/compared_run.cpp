// SPDX-License-Identifier: MIT
#include "app/commands/compared_run.hpp"

#include "core/base/standard_streams.hpp"

namespace orrery {

World::Refused ComparedRun::report() const {
    return [this](const std::string& why) { to_stderr("orrery: step {}: {}\n", simulation.now().steps, why); };
}

}  // namespace orrery
