// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/record/recorder.hpp"

namespace orrery {

/// A line of the recorder menu. The first one that accepts the path is used.
struct RecorderEntry {
    std::string_view id, label, doc;
    std::string_view names;  ///< how a path is written for it, for messages: "NAME.mp4"
    bool (*accepts)(const std::filesystem::path& path);
    std::string (*why_not)();  ///< empty if it works in this build and on this machine
    std::unique_ptr<Recorder> (*make)(const RecorderConfig& config);
    bool single = false;  ///< it holds one picture
    bool light = false;   ///< its pictures have light and depth: PictureSize::light
};

std::span<const RecorderEntry> recorders();

/// The recorder for a path, by its extension. Throws Error{kUsage} that lists what exists.
const RecorderEntry& recorder_for(const std::filesystem::path& path);
/// Also throws Error{kEnvironment} if the path cannot be written or no encoder works.
std::unique_ptr<Recorder> make_recorder(const RecorderConfig& config);

/// Adjusts the request to what the format can hold: even sizes for MP4 and WebM, at most 50 frames per second for GIF.
RecorderConfig fitted(RecorderConfig config);

/// An encoder that a video recorder would use, best first for each container.
struct VideoEncoder {
    std::string container;  ///< recorder id: mp4, webm
    std::string name;       ///< libav's name
    bool available;         ///< it exists; a hardware encoder also opens
    bool gpu;               ///< it is a hardware encoder
    std::string reason;     ///< why it is not available; empty if it is
    int bits = 8;           ///< of a channel: RecorderConfig::bits for which it is used
};
/// Tries to open hardware encoders. Empty without libav: see why_no_video_library().
std::vector<VideoEncoder> list_video_encoders();

}  // namespace orrery
