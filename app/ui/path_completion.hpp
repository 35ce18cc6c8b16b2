// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

namespace orrery {

/// The typed text as a path: ~ is the home folder, and a relative path begins at `base`.
std::filesystem::path typed_path(const std::string& typed, const std::filesystem::path& base);

/// Extends the typed text by the beginning that all matching files and folders share; a single matching folder gets a
/// slash. Without a match, returns the text unchanged.
std::string completed_path(const std::string& typed, const std::filesystem::path& base);

}  // namespace orrery
