// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

namespace orrery {

/// Opens a folder in the file manager of the desktop, by xdg-open. Does not wait for it. False: there is no xdg-open,
/// or it cannot be started.
bool show_folder(const std::filesystem::path& folder);

/// Opens a file, a folder or a URL by the program that the desktop has for it, in the same way.
bool open_on_desktop(const std::string& what);

}  // namespace orrery
