// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace orrery {

/// The snapshots that a run writes on its way.
struct SeriesSettings {
    std::vector<std::string> patterns;  ///< "snap_%04d.h5"; empty: no series
    std::uint64_t every = 0;            ///< steps from one snapshot to the next; 0: see `interval`
    std::string interval;               ///< time from one to the next; both empty: about a hundred in all
    // Of HDF5 files.
    int compress = 0;            ///< deflate level, 1 to 9; 0: none
    bool single = false;         ///< numbers in 4 bytes
    bool accelerations = false;  ///< those of the engine, too
    bool potentials = false;     ///< likewise, with the accelerations
    friend bool operator==(const SeriesSettings&, const SeriesSettings&) = default;
};

}  // namespace orrery
