// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/engines/menu.hpp"

namespace orrery {

/// A TreeConfig for `fmm` with every default resolved.
struct FmmChoice {
    double alpha = 0;  ///< of the relative criterion, unless theta > 0
    double theta = 0;  ///< of the geometric criterion
    double accuracy;   ///< expected relative RMS error of the criterion
    int order, leaf;

    bool relative() const { return !(theta > 0); }
    std::string text() const;  ///< for display: "relative α 1e-4, order 4, leaves of 32"
};

/// Resolves the configuration for `count` bodies. `scale`: see AcceptancePower::scale_acceptance(). Throws
/// Error{kUsage} for values that the backend does not offer.
FmmChoice fmm_choice(const TreeConfig& config, Backend backend, std::uint64_t count, double scale = 1);

/// Throws Error{kUsage} for an accuracy beyond what the precision can reach.
void require_fmm_accuracy(const EngineConfig& config);

/// Expansion orders that the backend offers, ascending.
std::vector<int> fmm_orders(Backend backend);

/// Relative RMS error that checks accept under this configuration; see EngineEntry::own_tolerance.
double fmm_tolerance(const EngineConfig& config);

}  // namespace orrery
