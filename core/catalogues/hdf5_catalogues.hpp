// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>

#include "core/catalogues/catalogue.hpp"

namespace orrery::hdf5 {

// Readers of catalogues in HDF5; a build without HDF5 has versions that throw. Both recognisers throw Error as Reader
// does.
bool is_subfind(const std::filesystem::path& path);
bool is_sublink(const std::filesystem::path& path);
HaloCatalogue read_subfind(const std::filesystem::path& path);
HaloCatalogue read_sublink(const std::filesystem::path& path);

}  // namespace orrery::hdf5
