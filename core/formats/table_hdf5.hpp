// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

#include "core/diagnostics/columns.hpp"

namespace orrery::hdf5 {

/// A group with a data set of doubles for each column; NaN where a number is not known. Throws Error{kEnvironment} when
/// the disk refuses, or where the build has no HDF5.
void write_number_table(const NumberTable& table, const std::string& group, const std::filesystem::path& path);

}  // namespace orrery::hdf5
