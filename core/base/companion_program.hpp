// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string_view>

namespace orrery {

/// The path of a program that is installed with this library: `relative` in the folder of this program or shared
/// library or in one of those above it, so that an installation can be moved; for the Python module, four above it. Its
/// first folder must belong to the same user, because a copy of this program in /tmp would otherwise start what others
/// put there. Throws Error{kEnvironment} with the folders searched; `purpose`: "which reads HDF5 files".
std::filesystem::path companion_program(const std::filesystem::path& relative, std::string_view purpose);

}  // namespace orrery
