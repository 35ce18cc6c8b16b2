// SPDX-License-Identifier: MIT
#pragma once
#include <gtest/gtest.h>
#include <png.h>

#include <filesystem>

#include "app/render/image.hpp"

namespace orrery::test {

/// Reads a PNG file with a reader that is not ours. An unreadable file fails the test.
inline Image read_png(const std::filesystem::path& path) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_file(&png, path.c_str()), 0) << path << ": " << png.message;
    png.format = PNG_FORMAT_RGBA;
    Image image{static_cast<int>(png.width), static_cast<int>(png.height), {}};
    image.rgba.resize(PNG_IMAGE_SIZE(png));
    EXPECT_NE(png_image_finish_read(&png, nullptr, image.rgba.data(), 0, nullptr), 0) << path << ": " << png.message;
    return image;
}

}  // namespace orrery::test
