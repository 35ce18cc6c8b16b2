// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

namespace orrery {

/// How much is seen of a cloud that is shown in place of a simulation.
struct CloudStatus {
    bool on = false;
    std::uint64_t bodies = 0;      ///< in the file
    std::uint64_t shown = 0;       ///< drawn
    std::uint64_t stands_for = 0;  ///< that these stand for: those in the cells in the picture
    double most = 1;               ///< that one of them stands for, at most
    double spacing = 0;            ///< as CloudCut has it: 0 where all bodies in the picture are drawn
    bool reading = false;          ///< finer cells are still being read
    bool full = false;             ///< finer ones are left out for the number of bodies
    std::size_t cells = 0;         ///< in the picture
    std::size_t memory = 0;        ///< bytes of what is kept
    friend bool operator==(const CloudStatus&, const CloudStatus&) = default;
};

}  // namespace orrery
