// SPDX-License-Identifier: MIT
// The part of an evaluation of `fmm` that one of several ranks computes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/engines/cpu/fmm/kernels.hpp"
#include "core/engines/cpu/fmm/schedule.hpp"
#include "core/engines/cpu/tree/walk.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery {

/// Consecutive blocks along the curve, cut so that the ranks' costs are nearly equal. A rank computes all tiles that
/// contain one of its blocks, in the order of a single rank, so its bodies get the bits of a single rank; what a tile
/// adds to a block of another rank is discarded, and that rank computes the tile too. Without ranks everything is own.
class FmmShare {
public:
    void share(Ranks& ranks) { ranks_ = &ranks; }
    bool shares() const { return ranks_ != nullptr; }

    /// Divides the blocks, given the end of each along the curve. Costs are those of the last evaluation of as many
    /// bodies, which have moved little since, or the same for every body.
    void divide(std::span<const std::uint32_t> ends, int order);
    /// True if all of these bodies are in blocks of this rank, or, for cells above the blocks, some of them.
    bool owns(BodySpan bodies) const {
        return bodies.first < bodies_.last && bodies.first + bodies.count > bodies_.first;
    }
    bool computes(PartPair tile) const { return owns_block(tile.a) || owns_block(tile.b); }
    /// Ends of all ranks' bodies along the curve.
    std::span<const std::size_t> body_ends() const { return body_ends_; }

    /// Gathers the interactions of each block: a tile of two blocks counts half for either. `counts`: of the tiles that
    /// this rank computes. Collective. Returns the sum over all blocks.
    FmmCounts finish(std::span<const PartPair> tiles, std::span<const FmmCounts> counts);
    Ranks& ranks() const { return *ranks_; }

private:
    bool owns_block(std::uint32_t block) const { return block >= blocks_.first && block < blocks_.last; }
    /// Cost of the bodies before this position along the curve, of all of them in the last evaluation.
    double cost_before(std::uint32_t body) const;

    Ranks* ranks_ = nullptr;
    RankPart blocks_, bodies_;             // of this rank
    std::vector<std::size_t> block_ends_;  // by rank; the same for body_ends_
    std::vector<std::size_t> body_ends_;
    std::vector<std::uint32_t> ends_;  // by block: end along the curve
    int order_ = 0;
    struct Costs {
        std::vector<std::uint32_t> ends;
        std::vector<double> before;  // cost of all blocks before each, and of all
    } costs_;                        // of the last evaluation
};

}  // namespace orrery
