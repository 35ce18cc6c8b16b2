// SPDX-License-Identifier: MIT
#pragma once
#include <random>
#include <string>

namespace orrery::test {

/// The bytes of a valid HDF5 file after one to four random changes of its structure, made by the library: objects
/// removed, renamed, linked elsewhere or to themselves; data sets and attributes with another type, shape or storage,
/// or extreme values. Empty if the library refuses.
std::string with_other_structure(const std::string& sound, std::minstd_rand& random);

}  // namespace orrery::test
