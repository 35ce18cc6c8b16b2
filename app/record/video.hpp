// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/record/recorders.hpp"
#include "app/render/image.hpp"

namespace orrery {

struct LiveConfig {
    int width, height;  ///< of every frame; even
    int fps;            ///< expected rate
    double bit_rate;    ///< bits per second
};

/// H.264 for live viewing: each frame is output at once, and none refers to a later one.
class LiveEncoder {
public:
    virtual ~LiveEncoder() = default;
    /// Appends the encoded frame as a byte stream (ITU-T H.264, annex B), with parameter sets before a key frame.
    /// `key`: requests a frame that can be decoded on its own; returns whether it is one. `bit_rate` applies from this
    /// frame on. Throws Error{kEnvironment} if the encoder fails.
    virtual bool encode(const Image& image, bool key, double bit_rate, std::vector<std::uint8_t>& into) = 0;
    virtual const std::string& name() const = 0;  ///< in libav
};

/// The first encoder of H.264 in this libav that opens. Throws Error{kEnvironment} with the reason of each.
std::unique_ptr<LiveEncoder> make_live_encoder(const LiveConfig& config);

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
