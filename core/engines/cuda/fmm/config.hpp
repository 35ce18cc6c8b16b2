// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "core/engines/config.hpp"
#include "core/engines/fmm_choice.hpp"

namespace orrery {

/// FmmChoice of a device.
struct CudaFmmChoice : FmmChoice {
    double mass_alpha;  ///< α of the tree's rule for cells that act as one mass
};

/// Throws Error{kUsage} for what the engine does not offer.
CudaFmmChoice cuda_fmm_choice(const EngineConfig& config);

/// Relative RMS error that checks accept under this configuration, EngineEntry::own_tolerance.
double cuda_fmm_tolerance(const EngineConfig& config);

}  // namespace orrery
