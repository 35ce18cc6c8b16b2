// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

namespace orrery {

/// The typed text as a path: ~ is the home folder, and a relative path begins at `base`.
std::filesystem::path typed_path(const std::string& typed, const std::filesystem::path& base);

/// The typed text with the beginning that all matching files and folders share; a single matching folder gets a slash.
/// Without a match: the text itself.
std::string completed_path(const std::string& typed, const std::filesystem::path& base);

}  // namespace orrery
