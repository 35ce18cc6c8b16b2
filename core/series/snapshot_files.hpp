// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace orrery {

/// Whether this names several files: a folder, or a pattern with *, ? or [ that is not the name of a file.
bool names_many(const std::string& source);

/// The files that are named, each once, patterns and folders in the order of their names, numbers in them by value: of
/// a folder those that may be snapshots, or those in its folders snapdir_000, snapdir_001 and so on. Throws
/// Error{kUsage} where a source names nothing, kEnvironment for a folder that cannot be read.
std::vector<std::filesystem::path> snapshot_files(std::span<const std::string> sources);

}  // namespace orrery
