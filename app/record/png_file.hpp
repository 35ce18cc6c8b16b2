// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

#include "app/render/image.hpp"

namespace orrery {

/// The bytes of an RGB PNG (level 1, filter SUB: slightly slower than uncompressed, a third of the size for starry
/// skies), with 16 bits if the image has them. The same image gives the same bytes. `path` is for messages. Throws
/// Error{kEnvironment}.
std::vector<std::byte> png_bytes(const std::filesystem::path& path, const Image& image);

/// Decodes a PNG. `name` is for messages. Throws Error{kEnvironment} if `bytes` are not a valid PNG.
Image decoded_png(std::string_view name, std::string_view bytes);

/// Writes the PNG to a file that appears when it is complete. Throws Error{kEnvironment} with the path.
void write_png(const std::filesystem::path& path, const Image& image);

}  // namespace orrery
