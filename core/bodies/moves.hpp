// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery {

/// Operations on each body between two force evaluations.
struct Move {
    enum class Op {
        kKick,    ///< v += dt·a
        kDrift,   ///< x += dt·v
        kStepEnd  ///< end of a step: if many steps are queued, the state is checked for non-finite values
    } op;
    double dt = 0;
    friend bool operator==(const Move&, const Move&) = default;
};

/// The moves after each of several consecutive evaluations.
using MoveCycle = std::vector<std::vector<Move>>;

/// The first body that became non-finite.
struct LostBody {
    std::uint64_t ends = 0;  ///< number of completed steps before the one that lost it
    std::size_t body = 0;
};

}  // namespace orrery
