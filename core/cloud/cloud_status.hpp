// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

namespace orrery {

/// Statistics of a cloud that is shown in place of a simulation.
struct CloudStatus {
    bool on = false;
    std::uint64_t bodies = 0;      ///< in the file
    std::uint64_t shown = 0;       ///< drawn
    std::uint64_t stands_for = 0;  ///< bodies represented by the drawn ones: all in the cells in the frame
    double most = 1;               ///< most bodies represented by one that is drawn
    double spacing = 0;            ///< as in CloudCut; 0 if all bodies in the frame are drawn
    bool reading = false;          ///< finer cells are still being read
    bool full = false;             ///< refinement stopped at the limit on bodies
    std::size_t cells = 0;         ///< in the frame
    std::size_t memory = 0;        ///< bytes of the cells in memory
    friend bool operator==(const CloudStatus&, const CloudStatus&) = default;
};

}  // namespace orrery
