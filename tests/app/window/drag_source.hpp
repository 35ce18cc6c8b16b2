// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

namespace orrery::test {

/// Drops a file on the window at this place of the screen, as a file manager does (XDND, version 5,
/// freedesktop.org/wiki/Specifications/XDND). Returns whether the window took it; throws std::runtime_error when it
/// does not answer within 10 s.
bool drop_file(const std::string& display, const std::filesystem::path& file, int x, int y);

}  // namespace orrery::test
