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
    bool bt2020_pq = false;  ///< 10 bits, BT.2020 and the curve PQ; pictures are then not converted
    int brightest = 0;       ///< cd/m² of the screen it was made for, by the container
    double middle_luma = 0;  ///< of the last picture, in its middle: 0 to 1 of the limited range
};

/// Decodes all that a player would show of a file, which may be cut off.
Video decode_video(const std::filesystem::path& path);

}  // namespace orrery::test
