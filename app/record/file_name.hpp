// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

#include "core/base/text.hpp"

namespace orrery {

/// The extension in lower case, with its dot: ".mp4".
std::string extension_of(const std::filesystem::path& path);

/// "film.mp4" to "film-2.mp4", "frames/" to "frames-2/", "f%04d.png" to "f-2-%04d.png".
std::filesystem::path with_counter(const std::filesystem::path& path, int counter);
/// True if a recording to this path would replace something: the file, content of the folder, or a frame of the
/// pattern.
bool holds_something(const std::filesystem::path& path);

}  // namespace orrery
