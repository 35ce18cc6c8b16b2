// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "core/engines/menu.hpp"

namespace orrery {

/// A TreeConfig for `fmm` with all values chosen.
struct FmmChoice {
    double alpha = 0;  ///< of the relative criterion, unless theta > 0
    double theta = 0;  ///< of the geometric criterion
    double accuracy;   ///< expected relative RMS error of the criterion
    int order, leaf;

    bool relative() const { return !(theta > 0); }
    std::string text() const;  ///< for people: "relative α 1e-4, order 4, leaves of 32"
};

/// `scale`: see AcceptancePower::scale_acceptance(). Throws Error{kUsage} for what the engine does not offer.
FmmChoice fmm_choice(const TreeConfig& config, double scale = 1);

/// Relative RMS error that checks accept under this configuration, EngineEntry::own_tolerance.
double fmm_tolerance(const EngineConfig& config);

}  // namespace orrery
