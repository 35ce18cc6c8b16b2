// SPDX-License-Identifier: MIT
#include "core/engines/cpu/fmm/share.hpp"

#include <algorithm>

namespace orrery {
namespace {

/// Cost of the downward pass for a body, in pairs of bodies:
///   orrery bench plummer --engines fmm --backend cpu --bodies 262144 --threads 2 --accuracy 1e-3 --json
/// (order 5: 1485 pairs a body in 165 ms, with expansions as few_pairs(); the downward pass 19 ms).
constexpr double kPairsOfBody = 170;

}  // namespace

void FmmShare::divide(std::span<const std::uint32_t> ends, int order) {
    ends_.assign(ends.begin(), ends.end());
    order_ = order;
    const std::uint32_t bodies = ends.back();
    if (!ranks_) {
        blocks_ = {0, ends.size()}, bodies_ = {0, bodies};
        return;
    }
    if (costs_.ends.empty() || costs_.ends.back() != bodies) costs_ = {{bodies}, {0, static_cast<double>(bodies)}};
    const auto all = static_cast<std::size_t>(ranks_->count()), own = static_cast<std::size_t>(ranks_->rank());
    block_ends_.assign(all, ends.size()), body_ends_.assign(all, bodies);
    std::size_t block = 0;
    double before = 0;  // cost of the blocks before `block`
    for (std::size_t rank = 0; rank + 1 < all; ++rank) {
        const double target = costs_.before.back() * static_cast<double>(rank + 1) / static_cast<double>(all);
        while (block < ends.size()) {
            const double after = cost_before(ends[block]);
            if (after - target > target - before) break;  // the cut before this block is nearer
            before = after, ++block;
        }
        block_ends_[rank] = block, body_ends_[rank] = block > 0 ? ends[block - 1] : 0;
    }
    blocks_ = {own > 0 ? block_ends_[own - 1] : 0, block_ends_[own]};
    bodies_ = {own > 0 ? body_ends_[own - 1] : 0, body_ends_[own]};
}

double FmmShare::cost_before(std::uint32_t body) const {
    const auto at = static_cast<std::size_t>(std::ranges::lower_bound(costs_.ends, body) -
                                             costs_.ends.begin());  // ends at or after
    const double first = at > 0 ? costs_.ends[at - 1] : 0, share = (body - first) / (costs_.ends[at] - first);
    return costs_.before[at] + share * (costs_.before[at + 1] - costs_.before[at]);
}

FmmCounts FmmShare::finish(std::span<const PartPair> tiles, std::span<const FmmCounts> counts) {
    std::vector<FmmCounts> of_block(ends_.size());
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        // Both sides of a pair were counted, so the counts of two blocks are even.
        const std::uint64_t parts = tiles[i].a == tiles[i].b ? 1 : 2;
        for (const std::uint32_t block : {tiles[i].a, tiles[i].b}) {
            of_block[block].bodies += counts[i].bodies / parts, of_block[block].cells += counts[i].cells / parts;
            if (parts == 1) break;
        }
    }
    if (ranks_) gather(*ranks_, std::span{of_block}, [&](int r) { return block_ends_[static_cast<std::size_t>(r)]; });
    FmmCounts sum;
    costs_ = {ends_, {0}};
    for (std::size_t block = 0; block < of_block.size(); ++block) {
        const FmmCounts& each = of_block[block];
        sum.bodies += each.bodies, sum.cells += each.cells;
        const std::uint32_t bodies = ends_[block] - (block > 0 ? ends_[block - 1] : 0);
        costs_.before.push_back(costs_.before.back() + static_cast<double>(each.bodies) +
                                static_cast<double>(few_pairs(order_) * each.cells) + kPairsOfBody * bodies);
    }
    return sum;
}

}  // namespace orrery
