// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/render/image.hpp"

namespace orrery::test {

struct Video {
    std::vector<Image> pictures;
    int fps = 0;
    bool bt709 = false;
};

/// Decodes all that a player would show of a file, which may be cut off.
Video decode_video(const std::filesystem::path& path);

}  // namespace orrery::test
