// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>

namespace orrery {

/// Opens a folder in the file manager of the desktop, by xdg-open. Does not wait for it. False: there is no xdg-open,
/// or it cannot be started.
bool show_folder(const std::filesystem::path& folder);

}  // namespace orrery
