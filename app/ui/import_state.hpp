// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace orrery {

/// State of the import card that the status does not hold.
struct ImportState {
    std::uint64_t closed = 0;    ///< scene_serial of the scene whose card was closed
    std::string folder;          ///< of the file
    std::size_t neighbours = 0;  ///< snapshots in that folder, this one among them
};

}  // namespace orrery
