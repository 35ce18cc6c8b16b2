// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/render/image.hpp"
#include "core/base/text.hpp"

namespace orrery {

struct RecorderConfig {
    std::filesystem::path path;
    int width = 1280;  ///< of every frame
    int height = 720;
    int fps = 60;
    int bits = 8;         ///< per channel: 8; PNG also 16; videos also 10: HDR10
    int quality = 80;     ///< 1 to 100; 80 is hard to distinguish from the original. PNG is always lossless
    std::string encoder;  ///< for videos, libav's name; empty: the first of encoder_menu() that opens
};

/// A frame in the form written to the file: compressed, or in the encoder's pixel format.
class PreparedPicture {
public:
    virtual ~PreparedPicture() = default;
};

/// Takes frames in order. A file appears under the requested name when it is complete (in a sequence, each frame
/// separately). Throws Error{kEnvironment} with the path if the disk fails; a video then keeps the frames written so
/// far, playable, and the message gives their path.
class Recorder {
public:
    virtual ~Recorder() = default;
    /// The part of the work that does not depend on other frames: may run on any number of threads, concurrently with
    /// add(). Throws Error{kUsage} if the size differs from the configuration.
    virtual std::unique_ptr<PreparedPicture> prepare(const Image& image) const = 0;
    /// Adds the next frame, prepared by this recorder.
    virtual void add(std::unique_ptr<PreparedPicture> picture) = 0;
    void add(const Image& image) { add(prepare(image)); }
    /// Completes the file. A recorder destroyed without finish() leaves a playable partial file (video) or the frames
    /// so far (PNG).
    virtual void finish() = 0;
    /// "MP4, libx264", "PNG sequence".
    virtual std::string description() const = 0;
    /// The path where a recorder destroyed without finish() leaves its frames, if it is not the requested one.
    virtual std::filesystem::path unfinished() const { return {}; }
};

/// An entry of the recorder menu. The first one that accepts the path is used.
struct RecorderEntry {
    std::string_view id, label, doc;
    std::string_view names;  ///< form of its paths, for messages: "NAME.mp4"
    bool (*accepts)(const std::filesystem::path& path);
    std::string (*why_not)();  ///< empty if it works in this build and on this machine
    std::unique_ptr<Recorder> (*make)(const RecorderConfig& config);
    bool single = false;  ///< contains one frame
    bool light = false;   ///< its frames have light and depth: PictureSize::light
};

std::span<const RecorderEntry> recorders();

/// The recorder for a path, by its extension. Throws Error{kUsage} with a list of the recorders.
const RecorderEntry& recorder_for(const std::filesystem::path& path);
/// Throws as recorder_for(), and Error{kEnvironment} if the path cannot be written or no encoder works.
std::unique_ptr<Recorder> make_recorder(const RecorderConfig& config);

/// Adjusts the configuration to the format: even sizes for MP4 and WebM, at most 50 frames per second for GIF.
RecorderConfig fitted(RecorderConfig config);

/// An encoder that a video recorder can use, in order of preference for each container.
struct VideoEncoder {
    std::string container;  ///< recorder id: mp4, webm
    std::string name;       ///< libav's name
    bool available;         ///< it exists; a hardware encoder also opens
    bool gpu;               ///< it is a hardware encoder
    std::string reason;     ///< why it is not available; empty if it is
    int bits = 8;           ///< per channel: the RecorderConfig::bits it is used for
};
/// Tries to open hardware encoders. Returns nothing without libav: see why_no_video_library().
std::vector<VideoEncoder> list_video_encoders();

/// The extension in lower case, with its dot: ".mp4".
std::string extension_of(const std::filesystem::path& path);

/// "film.mp4" to "film-2.mp4", "frames/" to "frames-2/", "f%04d.png" to "f-2-%04d.png".
std::filesystem::path with_counter(const std::filesystem::path& path, int counter);
/// True if a recording to this path would replace something: the file, content of the folder, or a frame of the
/// pattern.
bool holds_something(const std::filesystem::path& path);

/// Estimated size in bytes of this many frames, within a factor of three, from measured frames of the presets.
std::uint64_t estimated_bytes(const RecorderConfig& config, std::uint64_t pictures);
/// Throws Error{kEnvironment} if even half of the estimate does not fit.
void require_space(const RecorderConfig& config, std::uint64_t pictures);
/// "1.2 GB"
std::string bytes_text(std::uint64_t bytes);

}  // namespace orrery
