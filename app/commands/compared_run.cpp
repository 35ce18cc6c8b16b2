// SPDX-License-Identifier: MIT
#include "app/commands/compared_run.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace orrery {

ComparedSimulation::Refused ComparedRun::report() const {
    return [this](const std::string& why) { fmt::print(stderr, "orrery: step {}: {}\n", simulation.steps(), why); };
}

}  // namespace orrery
