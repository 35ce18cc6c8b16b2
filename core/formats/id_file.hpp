// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace orrery {

/// The ids of a file with one in each line; lines that begin with # are comments. Ascending, without duplicates. Throws
/// Error as InputFile does, and kUsage naming a line that is not a whole number.
std::vector<std::uint64_t> read_ids(const std::filesystem::path& path);
/// The text of such a file.
std::string ids_text(std::span<const std::uint64_t> ids);

}  // namespace orrery
