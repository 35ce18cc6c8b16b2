// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

namespace orrery {

/// The series of snapshots being written, or the last one.
struct SnapshotsStatus {
    bool on = false;
    bool failed = false;        ///< ended early; a message gives the reason
    bool ending = false;        ///< no more snapshots are taken; the last ones are being written
    std::uint64_t written = 0;  ///< number of files
    std::string last;           ///< path of the last file; empty: none yet
};

}  // namespace orrery
