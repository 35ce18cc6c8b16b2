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
    bool bt2020_pq = false;  ///< 10-bit BT.2020 with the PQ curve; such frames are not converted
    int brightest = 0;       ///< peak luminance of the mastering display in cd/m², from the container
    double middle_luma = 0;  ///< luma at the centre of the last frame, as 0 to 1 of the limited range
};

/// Decodes all frames that a player would show; the file may be truncated.
Video decode_video(const std::filesystem::path& path);

}  // namespace orrery::test
