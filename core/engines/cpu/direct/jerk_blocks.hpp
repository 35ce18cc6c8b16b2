// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "core/base/pool.hpp"
#include "core/engines/cpu/simd.hpp"
#include "core/engines/views.hpp"
#include "core/physics/gravity.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery {

/// Forces and jerks on some bodies from all bodies, in blocks of rows. Used by `direct`, and by `half` when not all
/// bodies are due, because the pairs then do not form a triangle.
template <class Real>
class JerkBlocks {
public:
    /// Returns the number of items.
    std::uint64_t begin(BodyView<Host, Real> bodies, JerkView<Host, Real> motion, const Gravity& gravity) {
        bodies_ = bodies, motion_ = motion, gravity_ = gravity;
        blocks_ = (motion.row_count + kBlock - 1) / kBlock;
        part_ = part_of(blocks_, ranks_);
        return part_.count() + (ranks_ ? 1 : 0);
    }
    void share(Ranks& ranks) { ranks_ = &ranks; }

    void run(std::uint64_t first, std::uint64_t last, Pool& pool) {
        const std::uint64_t end = std::min(last, part_.count());
        if (first < end)
            pool.parallel_for(part_.first + first, part_.first + end,
                              [this](std::uint64_t block) { run_block(block); });
        if (last > part_.count()) exchange();
    }

private:
    static constexpr std::uint64_t kBlock = 16;  // rows; small, because with block time steps few may be due

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

    void exchange() {
        struct Row {
            Vec4<Real> acceleration, jerk;
        };
        std::vector<Row> rows(motion_.row_count);
        for (std::size_t i = part_.first * kBlock; i < std::min<std::size_t>(rows.size(), part_.last * kBlock); ++i)
            rows[i] = {bodies_.acceleration[motion_.rows[i]], motion_.jerk[motion_.rows[i]]};
        gather_parts(*ranks_, std::span{rows}, blocks_, kBlock);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            bodies_.acceleration[motion_.rows[i]] = rows[i].acceleration;
            motion_.jerk[motion_.rows[i]] = rows[i].jerk;
        }
    }

    BodyView<Host, Real> bodies_{};
    JerkView<Host, Real> motion_{};
    Gravity gravity_;
    Ranks* ranks_ = nullptr;
    std::uint64_t blocks_ = 0;
    RankPart part_;  // this rank's part of the blocks
};

}  // namespace orrery
