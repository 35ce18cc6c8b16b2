// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace orrery {

/// Whether this names several files: a folder, or a pattern with *, ? or [ that is not the name of a file.
bool names_many(const std::string& source);

/// The files that are named, each once, patterns and folders in the order of their names: of a folder those that may be
/// snapshots. Throws Error{kUsage} where a source names nothing, kEnvironment for a folder that cannot be read.
std::vector<std::filesystem::path> snapshot_files(std::span<const std::string> sources);

}  // namespace orrery
