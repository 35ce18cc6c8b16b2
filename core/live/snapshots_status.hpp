// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

namespace orrery {

/// A series of snapshots that is written while the simulation goes on, or the last one that was.
struct SnapshotsStatus {
    bool on = false;
    bool failed = false;        ///< it has ended before its time, and a message says why
    bool ending = false;        ///< no more are taken, and the last are being written
    std::uint64_t written = 0;  ///< files
    std::string last;           ///< path of the last of them; empty: none yet
};

}  // namespace orrery
