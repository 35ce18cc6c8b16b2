// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

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

/// For `count` bodies. `scale`: see AcceptancePower::scale_acceptance(). Throws Error{kUsage} for what the backend does
/// not offer.
FmmChoice fmm_choice(const TreeConfig& config, Backend backend, std::uint64_t count, double scale = 1);

/// Throws Error{kUsage} for an accuracy that the precision cannot give.
void require_fmm_accuracy(const EngineConfig& config);

/// Orders that the backend has, from the lowest.
std::vector<int> fmm_orders(Backend backend);

/// Relative RMS error that checks accept under this configuration, EngineEntry::own_tolerance.
double fmm_tolerance(const EngineConfig& config);

}  // namespace orrery
