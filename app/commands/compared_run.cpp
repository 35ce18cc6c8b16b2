// SPDX-License-Identifier: MIT
#include "app/commands/compared_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "core/base/error.hpp"

namespace orrery {

void ComparedRun::take_steps(std::uint64_t steps) {
    constexpr std::chrono::duration<double> kQueue{0.05};
    while (steps > 0) {
        settle();
        steps -= simulation.take_steps(kQueue, comparison.on() ? 1 : steps);
        comparison.a_stepped(simulation);
        settle();
    }
}

void ComparedRun::settle() {
    try {
        while (comparison.due(simulation)) comparison.work(simulation, std::chrono::hours{1});
    } catch (const Error& refused) {
        fmt::print(stderr, "orrery: step {}: {}\n", simulation.steps(), refused.what());
    }
}

}  // namespace orrery
