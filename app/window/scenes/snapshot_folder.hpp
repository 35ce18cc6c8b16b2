// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <filesystem>
#include <vector>

namespace orrery {

/// Those of these files of one folder that a series of the folder would play: not empty, and snapshots by name or
/// content.
std::vector<std::filesystem::path> snapshots_among(const std::vector<std::filesystem::path>& files);
/// Number of snapshots in these files; a snapshot in several files counts once. Reads the header of one file.
std::size_t count_snapshots(const std::vector<std::filesystem::path>& files);
/// The same for the first 2000 entries of a folder; 0 if it cannot be read.
std::size_t count_snapshots_in(const std::filesystem::path& folder);

}  // namespace orrery
