// SPDX-License-Identifier: MIT
#include "app/window/screenshot.hpp"

#include "app/record/picture_files.hpp"
#include "app/window/recording/window_recording.hpp"

namespace orrery {

std::filesystem::path save_screenshot(const Image& image) {
    const std::filesystem::path path = std::filesystem::absolute(name_by_time(".png"));
    write_png(path, image);
    return path;
}

}  // namespace orrery
