// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/record/live_encoder.hpp"
#include "app/record/recorders.hpp"

namespace orrery {

/// The functions that use libav. It depends on 130 shared libraries, so they form a separate library, loaded when a
/// video is first requested. `container` is "mp4", "webm", "gif" or "apng".
struct VideoLibrary {
    std::string (*why_not)(std::string_view container);  ///< one line; empty if an encoder for it exists
    std::unique_ptr<Recorder> (*make)(const RecorderConfig& config, std::string_view container);
    std::vector<VideoEncoder> (*encoders)();  ///< see list_video_encoders()
    /// The first encoder of H.264 that opens. Throws Error{kEnvironment} with the reason of each.
    std::unique_ptr<LiveEncoder> (*make_live)(const LiveConfig& config);
};

/// The symbol of the shared library's VideoLibrary.
inline constexpr const char* kVideoLibrarySymbol = "orrery_video_library";

/// Loads it on the first call; null if this build has none or it cannot be loaded. Callable from any thread.
const VideoLibrary* video_library();
/// The reason why there is none, in one line.
std::string why_no_video_library();

}  // namespace orrery
