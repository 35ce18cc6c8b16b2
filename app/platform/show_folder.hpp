// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

namespace orrery {

/// Opens a folder in the desktop's file manager with xdg-open, without waiting for it. False if xdg-open is missing or
/// cannot be started.
bool show_folder(const std::filesystem::path& folder);

/// Opens a file, a folder or a URL in the desktop's program for it, in the same way.
bool open_on_desktop(const std::string& what);

}  // namespace orrery
