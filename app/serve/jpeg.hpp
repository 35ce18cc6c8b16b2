// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "app/render/image.hpp"

namespace orrery {

/// JPEG by libjpeg-turbo, with chroma at half the resolution. Its memory is reused.
class JpegEncoder {
public:
    JpegEncoder();
    ~JpegEncoder();
    /// Appends the frame. `quality` from 1 to 100. Throws Error{kEnvironment} if the library fails.
    void encode(const Image& image, int quality, std::vector<std::uint8_t>& into);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace orrery
