// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <filesystem>
#include <vector>

namespace orrery {

/// Of these files of one folder those that a series of the folder would play: not empty, and by name or content
/// snapshots.
std::vector<std::filesystem::path> snapshots_among(const std::vector<std::filesystem::path>& files);
/// How many snapshots these are: a snapshot in several files counts once. Reads the head of one file.
std::size_t count_snapshots(const std::vector<std::filesystem::path>& files);
/// The same of the first 2000 entries of a folder; 0 if it cannot be read.
std::size_t count_snapshots_in(const std::filesystem::path& folder);

}  // namespace orrery
