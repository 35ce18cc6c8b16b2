// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "app/render/image.hpp"

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

}  // namespace orrery
