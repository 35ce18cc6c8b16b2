// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

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

}  // namespace orrery
