// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>

namespace orrery::test {

struct Video {
    int frames = 0, width = 0, height = 0;
};

/// Decodes a whole video file; throws std::runtime_error if it cannot be decoded.
Video decode(const std::filesystem::path& path);

}  // namespace orrery::test
