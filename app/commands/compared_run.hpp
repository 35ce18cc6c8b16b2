// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

#include "app/picture/compare_view.hpp"
#include "core/base/standard_streams.hpp"
#include "core/live/world.hpp"

namespace orrery {

/// A compared simulation without a window. An error that stops only the second simulation is reported on stderr.
class ComparedRun : public World {
public:
    using World::World;

    void take_steps(std::uint64_t steps) { World::take_steps(steps, report()); }
    void settle() { World::settle(report()); }

    CompareView view;  ///< how the two are displayed

private:
    Refused report() const {
        return [this](const std::string& why) { to_stderr("orrery: step {}: {}\n", simulation.now().steps, why); };
    }
};

}  // namespace orrery
