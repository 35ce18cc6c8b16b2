// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// "NAME.hdf5" of "NAME.3.hdf5", "NAME" of "NAME.3": what the files of one snapshot have in common. Of other names the
/// path itself.
std::string name_of_set(const std::filesystem::path& path);

/// Whether `a` comes before `b` where numbers in them count as numbers: step_20 before step_100.
bool naturally_before(std::string_view a, std::string_view b);

/// The number by which each path differs from the others, as snapshots of one run are numbered: 0, 10, 20 of step_0,
/// step_10, step_20. Nothing unless the paths differ in one number alone.
std::optional<std::vector<double>> numbers_in(const std::vector<std::filesystem::path>& paths);

/// A version of a file: compared before and after reading, it tells whether the file was written meanwhile.
struct FileVersion {
    std::string path;
    std::uint64_t inode = 0, size = 0;
    std::int64_t modified_s = 0, modified_ns = 0;
    friend bool operator==(const FileVersion&, const FileVersion&) = default;
};
/// The versions of this file and of all others of the same snapshot.
std::vector<FileVersion> versions_of(const std::filesystem::path& path);

}  // namespace orrery
