// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery {

/// What is done to each body between two evaluations of the forces.
struct Move {
    enum class Op {
        kKick,    ///< v += dt·a
        kDrift,   ///< x += dt·v
        kStepEnd  ///< a step is whole: where many steps are queued, its state is looked at for what is not finite
    } op;
    double dt = 0;
    friend bool operator==(const Move&, const Move&) = default;
};

/// Evaluations one after the other, each with the moves that follow it.
using MoveCycle = std::vector<std::vector<Move>>;

/// The first body that was lost.
struct LostBody {
    std::uint64_t ends = 0;  ///< steps that had ended before the one after which it was found
    std::size_t body = 0;
};

}  // namespace orrery
