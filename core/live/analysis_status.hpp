// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "core/analysis/analysis_settings.hpp"
#include "core/analysis/result.hpp"

namespace orrery {

/// The latest plot of the bodies, and what it is of.
struct AnalysisStatus {
    std::shared_ptr<const AnalysisResult> now;  ///< null: not yet, or nobody looks
    AnalysisSettings settings;                  ///< that it was made with
    std::uint64_t serial = 0;                   ///< grows by one with each
    std::int64_t step = 0;                      ///< of the state that it is of
    double time = 0;                            ///< likewise, of the scene
    double seconds = 0;                         ///< that it took
    std::string note;                           ///< why there is none, one line
};

}  // namespace orrery
