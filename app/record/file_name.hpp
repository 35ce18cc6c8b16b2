// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

namespace orrery {

/// The extension in lower case, with its dot: ".mp4".
std::string extension_of(const std::filesystem::path& path);

/// Whether the file name has a placeholder for a number: "frame_%04d.png".
bool is_pattern(const std::filesystem::path& path);
/// "film.mp4" to "film-2.mp4", "frames/" to "frames-2/", "f%04d.png" to "f-2-%04d.png".
std::filesystem::path with_counter(const std::filesystem::path& path, int counter);
/// Whether a recording to this path would replace something: the file, what is in the folder, a picture of the pattern.
bool holds_something(const std::filesystem::path& path);
/// The path with the number inserted.
std::filesystem::path numbered(const std::filesystem::path& pattern, std::uint64_t number);

}  // namespace orrery
