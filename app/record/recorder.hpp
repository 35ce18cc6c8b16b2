// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

#include "app/render/image.hpp"

namespace orrery {

struct RecorderConfig {
    std::filesystem::path path;
    int width = 1280;  ///< of every image that will be added
    int height = 720;
    int fps = 60;
    int quality = 80;  ///< 1 to 100; 80 is hard to tell from the original. PNG is exact at any
};

/// Takes pictures in order. Nothing appears under the asked-for name before it is whole (a PNG sequence: each picture
/// by itself). Throws Error{kEnvironment} with the path when the disk refuses; a video then keeps what was
/// written, playable, and the message says where.
class Recorder {
public:
    virtual ~Recorder() = default;
    /// Throws Error{kUsage} when the size is not the one of the configuration.
    virtual void add(const Image& image) = 0;
    /// Completes the file. A recorder destroyed without keeps a playable partial file (video) or what there is (PNG).
    virtual void finish() = 0;
    /// "MP4, libx264", "PNG sequence".
    virtual std::string description() const = 0;
};

}  // namespace orrery
