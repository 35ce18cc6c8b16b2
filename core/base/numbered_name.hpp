// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>

namespace orrery {

/// True if the file name has a placeholder for a number: "frame_%04d.png".
bool is_pattern(const std::filesystem::path& path);
/// The path with the number inserted.
std::filesystem::path numbered(const std::filesystem::path& pattern, std::uint64_t number);

}  // namespace orrery
