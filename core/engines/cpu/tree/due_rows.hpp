// SPDX-License-Identifier: MIT
// Selection of the due bodies of block time steps from the groups of a tree.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/vec.hpp"
#include "core/engines/cpu/tree/walk.hpp"
#include "core/engines/views.hpp"

namespace orrery {

/// Bodies whose forces are to be computed: sorted along the curve, and in groups that share a walk. Non-owning.
template <class Real>
struct WalkRows {
    std::span<const std::uint32_t> order;  ///< index of the body at each sorted position
    const Vec4<Real>*bodies, *low;         ///< in the tree's units; low: null, or as BodyView::low
    const std::uint32_t* places;           ///< positions of the rows among all sorted bodies; null: the rows are all
                                           ///< bodies
    std::span<const BodySpan> groups;
    /// For each group, the range of all sorted bodies whose accelerations set the error scale. A single body of a close
    /// pair would be too permissive: the error could move the pair.
    std::span<const BodySpan> neighbours;
};

/// Selects the due rows; every group keeps its due bodies.
template <class Real>
class DueRows {
public:
    WalkRows<Real> pick(const WalkRows<Real>& all, DueView<Host> due) {
        is_due_.resize(all.order.size());
        for (const std::uint32_t body : std::span{due.rows, due.count}) is_due_[body] = 1;
        order_.clear(), bodies_.clear(), low_.clear(), places_.clear(), groups_.clear(), neighbours_.clear();
        for (const BodySpan group : all.groups) {
            const std::size_t first = order_.size();
            for (std::uint32_t i = group.first; i < group.first + group.count; ++i) {
                if (is_due_[all.order[i]] == 0) continue;
                order_.push_back(all.order[i]), bodies_.push_back(all.bodies[i]), places_.push_back(i);
                if (all.low) low_.push_back(all.low[i]);
            }
            if (order_.size() == first) continue;
            groups_.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(order_.size() - first)});
            neighbours_.push_back(group);
        }
        for (const std::uint32_t body : order_) is_due_[body] = 0;
        return {order_, bodies_.data(), all.low ? low_.data() : nullptr, places_.data(), groups_, neighbours_};
    }

private:
    std::vector<std::uint8_t> is_due_;  // by body; all 0 between calls
    std::vector<std::uint32_t> order_, places_;
    std::vector<Vec4<Real>> bodies_, low_;
    std::vector<BodySpan> groups_, neighbours_;
};

}  // namespace orrery
