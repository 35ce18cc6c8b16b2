// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "app/render/image.hpp"

namespace orrery {

struct RecorderConfig {
    std::filesystem::path path;
    int width = 1280;  ///< of every image that will be added
    int height = 720;
    int fps = 60;
    int quality = 80;     ///< 1 to 100; 80 is hard to tell from the original. PNG is exact at any
    std::string encoder;  ///< of a video, as libav calls it; empty: the first of encoder_menu() that opens
};

/// A picture as its file wants it: compressed, or in the encoder's colours.
class PreparedPicture {
public:
    virtual ~PreparedPicture() = default;
};

/// Takes pictures in order. Nothing appears under the asked-for name before it is whole (a PNG sequence: each picture
/// by itself). Throws Error{kEnvironment} with the path when the disk refuses; a video then keeps what was
/// written, playable, and the message says where.
class Recorder {
public:
    virtual ~Recorder() = default;
    /// The part of the work that no other picture matters for: on any number of threads at once, also beside add().
    /// Throws Error{kUsage} when the size is not the one of the configuration.
    virtual std::unique_ptr<PreparedPicture> prepare(const Image& image) const = 0;
    /// The next picture, which this recorder has prepared.
    virtual void add(std::unique_ptr<PreparedPicture> picture) = 0;
    void add(const Image& image) { add(prepare(image)); }
    /// Completes the file. A recorder destroyed without keeps a playable partial file (video) or what there is (PNG).
    virtual void finish() = 0;
    /// "MP4, libx264", "PNG sequence".
    virtual std::string description() const = 0;
    /// Where a recorder destroyed without finish() leaves what was added, where that is not the name asked for.
    virtual std::filesystem::path unfinished() const { return {}; }
};

}  // namespace orrery
