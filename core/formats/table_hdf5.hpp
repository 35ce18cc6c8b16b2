// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

#include "core/analysis/columns.hpp"

namespace orrery::hdf5 {

/// Writes a group with one data set of doubles per column; NaN marks unknown values. Throws Error{kEnvironment} if the
/// disk fails, or if the build has no HDF5.
void write_number_table(const NumberTable& table, const std::string& group, const std::filesystem::path& path);

}  // namespace orrery::hdf5
