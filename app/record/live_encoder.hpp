// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "app/render/image.hpp"

namespace orrery {

struct LiveConfig {
    int width, height;  ///< of every image; even
    int fps;            ///< that are expected, for the rate
    double bit_rate;    ///< bits per second
};

/// H.264 that is watched while it is made: each picture comes out at once, and none refers to a later one.
class LiveEncoder {
public:
    virtual ~LiveEncoder() = default;
    /// Appends the encoded picture as a byte stream (ITU-T H.264, annex B), with parameter sets in front of a key
    /// picture. `key`: it is to be decodable by itself; returns whether it is. From this picture on it may take
    /// `bit_rate`. Throws Error{kEnvironment} if the encoder fails.
    virtual bool encode(const Image& image, bool key, double bit_rate, std::vector<std::uint8_t>& into) = 0;
    virtual const std::string& name() const = 0;  ///< libav's
};

}  // namespace orrery
