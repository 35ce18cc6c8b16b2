// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

#include "app/commands/filming.hpp"
#include "app/platform/offscreen_context.hpp"
#include "app/record/recorder.hpp"
#include "app/record/stage_times.hpp"
#include "core/cloud/cloud_status.hpp"

namespace orrery {

/// Report of `orrery record`.
struct FilmReport {
    std::string description;  ///< of the recorder
    std::uint64_t pictures = 0;
    StageTimes times;     ///< of each picture
    double seconds = 0;   ///< of it all
    bool played = false;  ///< a series, in place of steps
    CloudStatus cloud;    ///< what is seen of one in the last picture, in place of steps
};

/// As text lines, and as JSON for scripts.
std::string text_of(const FilmReport& report, const RecorderConfig& config, const Simulation& simulation,
                    const OffscreenContext& context);
std::string json_of(const FilmReport& report, const RecorderConfig& config, const Simulation& simulation,
                    Filming& filming, const OffscreenContext& context);

}  // namespace orrery
