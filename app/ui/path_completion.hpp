// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

namespace orrery {

/// What was typed, as a path: ~ is the home folder, and a relative path begins at `base`.
std::filesystem::path typed_path(const std::string& typed, const std::filesystem::path& base);

/// What was typed, continued by what all files and folders that begin so have in common; a folder that is the only one
/// ends with a slash. Where there is nothing to add: what was typed.
std::string completed_path(const std::string& typed, const std::filesystem::path& base);

}  // namespace orrery
