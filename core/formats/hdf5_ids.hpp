// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "core/formats/hdf5_reader.hpp"

namespace orrery::hdf5 {

/// Reads a column of ids, one for each element of `ids`. A negative number of 8 bytes is an id above 2^63, written by a
/// tool without unsigned numbers; with fewer bytes it throws Error{kUsage}.
void read_ids(const Reader& file, const ReadColumn& column, std::uint64_t bytes_of_each, std::span<std::uint64_t> ids);

/// Reads ids from a column of real numbers, as written by tools that cut snapshots. Returns false unless all are whole,
/// non-negative, and small enough to be exact.
bool read_real_ids(const Reader& file, const ReadColumn& column, std::span<std::uint64_t> ids);

}  // namespace orrery::hdf5
