// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

#include "app/commands/frame_renderer.hpp"
#include "app/platform/offscreen_context.hpp"
#include "app/record/background_recorder.hpp"
#include "app/record/recorder.hpp"
#include "core/cloud/cloud_status.hpp"

namespace orrery {

/// Report of `orrery record`.
struct RecordingReport {
    std::string description;  ///< of the recorder
    std::uint64_t pictures = 0;
    StageTimes times;     ///< per frame
    double seconds = 0;   ///< in total
    bool played = false;  ///< a series was played instead of taking steps
    CloudStatus cloud;    ///< the cloud as shown in the last frame, if there is one
};

/// As text lines, and as JSON for scripts.
std::string text_of(const RecordingReport& report, const RecorderConfig& config, const Simulation& simulation,
                    const OffscreenContext& context);
std::string json_of(const RecordingReport& report, const RecorderConfig& config, const Simulation& simulation,
                    FrameRenderer& renderer, const OffscreenContext& context);

}  // namespace orrery
