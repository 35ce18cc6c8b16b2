// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "core/analysis/analysis_settings.hpp"
#include "core/analysis/result.hpp"

namespace orrery {

/// The latest plot of the bodies and the state it shows.
struct AnalysisStatus {
    std::shared_ptr<const AnalysisResult> now;  ///< null: not yet computed, or not requested
    AnalysisSettings settings;                  ///< settings of `now`
    std::uint64_t serial = 0;                   ///< incremented with each plot
    std::int64_t step = 0;                      ///< step of the plotted state
    double time = 0;                            ///< scene time of the plotted state
    double seconds = 0;                         ///< computing time
    std::string note;                           ///< why there is no plot, one line
};

}  // namespace orrery
