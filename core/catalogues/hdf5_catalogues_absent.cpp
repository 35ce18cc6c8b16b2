// SPDX-License-Identifier: MIT
// Replaces the readers of catalogues in builds without an HDF5 library.
#include "core/base/error.hpp"
#include "core/catalogues/hdf5_catalogues.hpp"
#include "core/formats/hdf5_formats.hpp"

namespace orrery::hdf5 {
namespace {

[[noreturn]] void refuse_catalogue(const std::filesystem::path& path) {
    environment_error(path.string() + ": " + std::string{kWhyNot});
}

}  // namespace

bool is_subfind(const std::filesystem::path&) { return true; }
bool is_sublink(const std::filesystem::path&) { return false; }
HaloCatalogue read_subfind(const std::filesystem::path& path) { refuse_catalogue(path); }
HaloCatalogue read_sublink(const std::filesystem::path& path) { refuse_catalogue(path); }

}  // namespace orrery::hdf5
