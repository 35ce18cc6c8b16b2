// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// The name that the files of one snapshot share: "NAME.hdf5" for "NAME.3.hdf5", "NAME" for "NAME.3". Other names are
/// returned unchanged.
std::string name_of_set(const std::filesystem::path& path);

/// True if `a` comes before `b` when numbers in them compare as numbers: step_20 before step_100.
bool naturally_before(std::string_view a, std::string_view b);

/// The number by which each path differs from the others, as in the snapshots of one run: 0, 10, 20 for step_0,
/// step_10, step_20. Empty unless the paths differ in exactly one number.
std::optional<std::vector<double>> numbers_in(const std::vector<std::filesystem::path>& paths);

/// A version of a file: comparing versions before and after reading detects a write in between.
struct FileVersion {
    std::string path;
    std::uint64_t inode = 0, size = 0;
    std::int64_t modified_s = 0, modified_ns = 0;
    friend bool operator==(const FileVersion&, const FileVersion&) = default;
};
/// The versions of this file and of all others of the same snapshot.
std::vector<FileVersion> versions_of(const std::filesystem::path& path);

}  // namespace orrery
