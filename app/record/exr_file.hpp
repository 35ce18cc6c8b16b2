// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "app/render/image.hpp"

namespace orrery {

/// Why this build cannot write OpenEXR; empty if it can.
std::string why_no_exr();
/// An OpenEXR file of floats (ZIP, lossless) with the channels R, G and B (linear, 1 is drawn white), `light` and Z of
/// Image::deep. The attribute `bodyMass` is the mass of one unit of light, if known. `path` is for messages. Throws
/// Error{kEnvironment}.
std::vector<std::byte> exr_bytes(const std::filesystem::path& path, const Image& image);

}  // namespace orrery
