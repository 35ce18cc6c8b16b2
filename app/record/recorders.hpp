// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/record/recorder.hpp"

namespace orrery {

/// A line of the recorder menu. The first whose `accepts` says yes to the path is used.
struct RecorderEntry {
    std::string_view id, label, doc;
    std::string_view names;  ///< how a path is written for it, for messages: "NAME.mp4"
    bool (*accepts)(const std::filesystem::path& path);
    std::string (*why_not)();  ///< empty when it works in this build and on this machine
    std::unique_ptr<Recorder> (*make)(const RecorderConfig& config);
};

std::span<const RecorderEntry> recorders();

/// The recorder for a path, by its extension. Throws Error{kUsage} that lists what exists.
const RecorderEntry& recorder_for(const std::filesystem::path& path);
/// Throws also Error{kEnvironment} when the path cannot be written or no encoder works.
std::unique_ptr<Recorder> make_recorder(const RecorderConfig& config);

/// An encoder that a video recorder would use, best first for each container.
struct VideoEncoder {
    std::string container;  ///< recorder id: mp4, webm
    std::string name;       ///< as libav calls it
    bool available;         ///< it is there; a GPU's own opens
    bool gpu;               ///< it is a GPU's own
    std::string reason;     ///< why it is not available; empty when it is
};
/// Tries to open those of GPUs. Empty in a build without libav.
std::vector<VideoEncoder> list_video_encoders();

}  // namespace orrery
