// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>

#include "app/render/image.hpp"

namespace orrery {

/// Writes an RGB PNG (level 1, filter SUB: little slower than raw, a third of the size for starry skies) that appears
/// when it is whole. The same image gives the same bytes. Throws Error{kEnvironment} with the path.
void write_png(const std::filesystem::path& path, const Image& image);

}  // namespace orrery
