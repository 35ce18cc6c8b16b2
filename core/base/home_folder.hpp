// SPDX-License-Identifier: MIT
#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>

namespace orrery {

/// "~" and "~/…" as a shell would expand them; everything else as it is, also where there is no $HOME.
inline std::filesystem::path with_home(const std::string& text) {
    const char* home = std::getenv("HOME");
    if (home && (text == "~" || text.starts_with("~/"))) return home + text.substr(1);
    return text;
}

}  // namespace orrery
