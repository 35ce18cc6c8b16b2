// SPDX-License-Identifier: MIT
#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>

namespace orrery {

/// Expands "~" and "~/…" as a shell does; returns everything else unchanged, also if $HOME is not set.
inline std::filesystem::path expand_home(const std::string& text) {
    const char* home = std::getenv("HOME");
    if (home && (text == "~" || text.starts_with("~/"))) return home + text.substr(1);
    return text;
}

}  // namespace orrery
