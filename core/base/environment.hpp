// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

namespace orrery {

/// The value of an environment variable; empty: not set.
std::string environment_variable(const char* name);

/// A folder of the user for this program's files, by the XDG base directory specification: $`variable`/orrery if that
/// is an absolute path, otherwise `below_home`/orrery in $HOME; empty without them.
std::filesystem::path user_folder(const char* variable, const char* below_home);

/// The executable that a name stands for: itself if it contains a slash, otherwise the first one in $PATH. Empty: none.
std::filesystem::path program_in_path(const std::string& name);

}  // namespace orrery
