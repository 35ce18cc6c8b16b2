// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace orrery {

/// The series of snapshots that a run writes.
struct SeriesSettings {
    std::vector<std::string> patterns;  ///< "snap_%04d.h5"; empty: no series
    std::uint64_t every = 0;            ///< steps between snapshots; 0: see `interval`
    std::string interval;               ///< time between snapshots; both empty: about a hundred in all
    // For HDF5 files:
    int compress = 0;            ///< deflate level, 1 to 9; 0: none
    bool single = false;         ///< numbers of 4 bytes
    bool accelerations = false;  ///< with the engine's accelerations
    bool potentials = false;     ///< with accelerations and potentials
    friend bool operator==(const SeriesSettings&, const SeriesSettings&) = default;
};

}  // namespace orrery
