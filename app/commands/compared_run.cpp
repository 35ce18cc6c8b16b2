// SPDX-License-Identifier: MIT
#include "app/commands/compared_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "core/base/error.hpp"

namespace orrery {

void ComparedRun::step() {
    settle();
    simulation.step();
    comparison.a_stepped(simulation);
    settle();
}

void ComparedRun::settle() {
    try {
        while (comparison.due(simulation)) comparison.work(simulation, std::chrono::hours{1});
    } catch (const Error& refused) {
        fmt::print(stderr, "orrery: step {}: {}\n", simulation.steps(), refused.what());
    }
}

}  // namespace orrery
