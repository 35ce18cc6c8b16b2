// SPDX-License-Identifier: MIT
#pragma once
#include <random>
#include <string>

namespace orrery::test {

/// A sound HDF5 file's bytes after one to four random changes of its structure, made by the library: objects removed,
/// renamed, linked elsewhere or to themselves, data sets and attributes of another type, shape, storage or with extreme
/// values. Empty if the library refuses.
std::string with_other_structure(const std::string& sound, std::minstd_rand& random);

}  // namespace orrery::test
