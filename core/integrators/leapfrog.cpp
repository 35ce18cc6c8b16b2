// SPDX-License-Identifier: MIT
#include "core/integrators/leapfrog.hpp"

#include <array>

namespace orrery {

IntegratorEntry leapfrog_kdk() {
    using enum Stage::Op;
    static constexpr std::array stages{Stage{kKick, 0.5}, Stage{kDrift, 1}, Stage{kForce}, Stage{kKick, 0.5}};
    return {"leapfrog", "Leapfrog KDK",
            "Kick-drift-kick leapfrog: second order, symplectic, reversible (Hockney & Eastwood 1988, §4-4-1).", 2,
            stages};
}

}  // namespace orrery
