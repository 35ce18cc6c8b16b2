// SPDX-License-Identifier: MIT
#include "core/integrators/leapfrog.hpp"

#include <array>

namespace orrery {

using enum Stage::Op;

IntegratorEntry leapfrog_kdk() {
    static constexpr std::array stages{Stage{kKick, 0.5}, Stage{kDrift, 1}, Stage{kForce}, Stage{kKick, 0.5}};
    return {.id = "leapfrog",
            .label = "Leapfrog KDK",
            .doc = "Kick-drift-kick leapfrog: second order, symplectic, reversible (Hockney & Eastwood 1988, §4-4-1).",
            .order = 2,
            .reversible = true,
            .stages = stages};
}

IntegratorEntry leapfrog_dkd() {
    static constexpr std::array stages{Stage{kDrift, 0.5}, Stage{kForce}, Stage{kKick, 1}, Stage{kDrift, 0.5}};
    return {.id = "leapfrog-dkd",
            .label = "Leapfrog DKD",
            .doc = "Drift-kick-drift leapfrog: forces at the middle of the step; second order, symplectic, reversible.",
            .order = 2,
            .reversible = true,
            .stages = stages};
}

/// The half kick before the drift adds the a·dt²/2 of the position; the second half uses the same old acceleration.
IntegratorEntry taylor_step() {
    static constexpr std::array stages{Stage{kKick, 0.5}, Stage{kDrift, 1}, Stage{kKick, 0.5}, Stage{kForce}};
    return {.id = "taylor",
            .label = "Taylor step",
            .doc = "x += (v + a dt/2) dt, v += a dt, as in the thesis: first order in the velocities; energy drifts.",
            .order = 1,
            .reversible = false,
            .stages = stages};
}

/// Ends when all bodies are due: the next step begins with those forces.
IntegratorEntry leapfrog_block() {
    static constexpr std::array stages{Stage{kBegin}, Stage{kPredict}, Stage{kForceDue}, Stage{kCorrect},
                                       Stage{kRepeat}};
    return {.id = "leapfrog-block",
            .label = "Leapfrog, block steps",
            .doc =
                "Kick-drift-kick with individual block time steps, dt over a power of two (Springel 2005, MNRAS 364, "
                "1105): second order, not reversible; for the engines direct, half, tree and fmm.",
            .order = 2,
            .reversible = false,
            .stages = stages,
            .individual = true};
}

}  // namespace orrery
