// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace orrery {

/// True for a folder, or a pattern with *, ? or [ that is not itself the name of a file.
bool names_many(const std::string& source);

/// The matching files, each once; those of patterns and folders in order of their names, with numbers compared by
/// value. A folder yields the files that may be snapshots, or those in its subfolders snapdir_000, snapdir_001 and so
/// on. Throws Error{kUsage} if a source matches nothing, kEnvironment for an unreadable folder.
std::vector<std::filesystem::path> snapshot_files(std::span<const std::string> sources);

}  // namespace orrery
