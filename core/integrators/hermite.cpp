// SPDX-License-Identifier: MIT
#include "core/integrators/hermite.hpp"

#include <array>

namespace orrery {

using enum Stage::Op;

/// Ends with a force evaluation at the corrected positions (PECE), so that a step depends only on positions and
/// velocities.
static constexpr std::array kHermite{Stage{kBegin},   Stage{kPredict}, Stage{kForceDue},
                                     Stage{kCorrect}, Stage{kRepeat},  Stage{kForce}};

IntegratorEntry hermite4() {
    return {.id = "hermite4",
            .label = "Hermite 4",
            .doc =
                "Predictor-corrector scheme from accelerations and jerks: fourth order (Makino & Aarseth 1992, PASJ "
                "44, 141); for the engines direct and half.",
            .order = 4,
            .reversible = false,
            .stages = kHermite,
            .jerk = true};
}

IntegratorEntry hermite4_block() {
    return {.id = "hermite4-block",
            .label = "Hermite 4, block steps",
            .doc =
                "Individual block time steps, dt over a power of two, by the Aarseth criterion (Makino 1991, PASJ 43, "
                "859); for the engines direct and half.",
            .order = 4,
            .reversible = false,
            .stages = kHermite,
            .jerk = true,
            .individual = true};
}

}  // namespace orrery
