// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>

#include "app/render/image.hpp"

namespace orrery {

/// Writes a PNG with the time in its name into the current folder; returns its path. Throws Error{kEnvironment} when
/// the disk refuses.
std::filesystem::path save_screenshot(const Image& image);

}  // namespace orrery
