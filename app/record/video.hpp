// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/record/live_encoder.hpp"
#include "app/record/recorders.hpp"

namespace orrery {

/// What libav does for us. It brings 130 shared libraries, so it is a library of its own, loaded when a video is
/// first asked for. `container` is "mp4", "webm", "gif" or "apng".
struct VideoLibrary {
    std::string (*why_not)(std::string_view container);  ///< one line; empty if an encoder for it exists
    std::unique_ptr<Recorder> (*make)(const RecorderConfig& config, std::string_view container);
    std::vector<VideoEncoder> (*encoders)();  ///< see list_video_encoders()
    /// The first encoder of H.264 that opens. Throws Error{kEnvironment} with the reason of each.
    std::unique_ptr<LiveEncoder> (*make_live)(const LiveConfig& config);
};

/// The name under which the shared library has its VideoLibrary.
inline constexpr const char* kVideoLibrarySymbol = "orrery_video_library";

/// Loads it the first time; null if this build has none or it cannot be loaded. Any thread.
const VideoLibrary* video_library();
/// Why there is none, one line.
std::string why_no_video_library();

}  // namespace orrery
