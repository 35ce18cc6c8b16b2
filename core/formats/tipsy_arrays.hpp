// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/formats/fields.hpp"

namespace orrery {

// Auxiliary arrays of TIPSY: a file NAME.WORD beside the snapshot NAME holds one number or vector per body. As text:
// the number of bodies, then one number per line; in binary: the number of bodies in 4 bytes, then numbers of 4 bytes
// in either byte order. Vectors are stored as all x, all y, all z.

/// The arrays beside a snapshot of this many bodies, in the order of their names, at most 64.
std::vector<FieldInfo> list_tipsy_arrays(const std::filesystem::path& snapshot, std::uint64_t bodies);
/// Throws Error{kUsage} naming the file and the line if a number is missing or malformed.
void read_tipsy_array(const std::filesystem::path& snapshot, const FieldInfo& field, std::uint64_t bodies,
                      const TakeNumbers& take);

}  // namespace orrery
