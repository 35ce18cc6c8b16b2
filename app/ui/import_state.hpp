// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace orrery {

/// State of the import card that Status does not contain.
struct ImportState {
    std::uint64_t closed = 0;    ///< scene_serial of the scene whose card was closed
    std::string folder;          ///< folder of the file
    std::size_t neighbours = 0;  ///< number of snapshots in that folder, including this one
};

}  // namespace orrery
