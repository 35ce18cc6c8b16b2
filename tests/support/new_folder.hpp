// SPDX-License-Identifier: MIT
#pragma once
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace orrery::test {

/// Creates a temporary folder; the caller removes it.
inline std::filesystem::path new_folder() {
    std::string pattern = std::filesystem::temp_directory_path() / "orrery-test-XXXXXX";
    if (!mkdtemp(pattern.data())) throw std::runtime_error{"no folder for the test"};
    return pattern;
}

}  // namespace orrery::test
