// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace orrery::test {

/// Drops files on the window at a position of the screen as a file manager does (XDND version 5,
/// freedesktop.org/wiki/Specifications/XDND). Returns whether the window accepted them; throws std::runtime_error
/// without an answer within 10 s.
bool drop_files(const std::string& display, const std::vector<std::filesystem::path>& files, int x, int y);
inline bool drop_file(const std::string& display, const std::filesystem::path& file, int x, int y) {
    return drop_files(display, {file}, x, y);
}

}  // namespace orrery::test
