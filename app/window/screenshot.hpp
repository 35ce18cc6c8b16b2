// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>

#include "app/render/image.hpp"

namespace orrery {

/// Writes a PNG named by date and time into the current folder; returns its path. Throws Error{kEnvironment} if the
/// disk fails.
std::filesystem::path save_screenshot(const Image& image);

}  // namespace orrery
