// SPDX-License-Identifier: MIT
#include "app/window/screenshot.hpp"

#include <fmt/format.h>
#include <png.h>

#include <cstddef>
#include <vector>

#include "app/window/window_recording.hpp"
#include "core/base/error.hpp"
#include "core/base/output_file.hpp"

namespace orrery {
namespace {

std::vector<std::byte> png_bytes(const Image& image) {
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    header.width = static_cast<png_uint_32>(image.width);
    header.height = static_cast<png_uint_32>(image.height);
    header.format = PNG_FORMAT_RGBA;
    std::vector<std::byte> bytes(PNG_IMAGE_PNG_SIZE_MAX(header));
    png_alloc_size_t size = bytes.size();
    if (!png_image_write_to_memory(&header, bytes.data(), &size, 0, image.rgba.data(), 0, nullptr))
        environment_error(fmt::format("screenshot: {}", header.message));
    bytes.resize(size);
    return bytes;
}

}  // namespace

std::filesystem::path save_screenshot(const Image& image) {
    const std::filesystem::path path = std::filesystem::absolute(name_by_time(".png"));
    OutputFile file{path};
    file.write(png_bytes(image));
    file.commit();
    return path;
}

}  // namespace orrery
