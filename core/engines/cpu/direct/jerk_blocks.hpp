// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include "core/base/pool.hpp"
#include "core/engines/cpu/simd.hpp"
#include "core/engines/views.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {

/// Forces and jerks of all bodies on some of them, in blocks of rows: used by `direct`, and by `half` when not all
/// bodies are due, because there is no triangle of pairs then.
template <class Real>
class JerkBlocks {
public:
    /// Returns the number of items.
    std::uint64_t begin(BodyView<Host, Real> bodies, JerkView<Host, Real> motion, const Gravity& gravity) {
        bodies_ = bodies, motion_ = motion, gravity_ = gravity;
        return (motion.row_count + kBlock - 1) / kBlock;
    }

    void run(std::uint64_t first, std::uint64_t last, Pool& pool) const {
        pool.parallel_for(first, last, [this](std::uint64_t block) { run_block(block); });
    }

private:
    static constexpr std::uint64_t kBlock = 16;  // rows: with block time steps there may be few

    void run_block(std::uint64_t block) const {
        const auto softening = static_cast<Real>(gravity_.softening);
        const std::uint64_t row = block * kBlock;
        jerk_rows(JerkRows<Real>{.bodies = bodies_.position_mass,
                                 .velocity = motion_.velocity,
                                 .acceleration = bodies_.acceleration,
                                 .jerk = motion_.jerk,
                                 .rows = motion_.rows + row,
                                 .row_count = std::min<std::size_t>(kBlock, motion_.row_count - row),
                                 .columns = bodies_.count,
                                 .softening2 = softening * softening,
                                 .constant = static_cast<Real>(gravity_.constant)});
    }

    BodyView<Host, Real> bodies_{};
    JerkView<Host, Real> motion_{};
    Gravity gravity_;
};

}  // namespace orrery
