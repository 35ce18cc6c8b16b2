// SPDX-License-Identifier: MIT
// Accelerations of the previous evaluation, the error scale of the relative acceptance criterion.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/pool.hpp"
#include "core/base/vec.hpp"
#include "core/engines/cpu/tree/build.hpp"
#include "core/engines/cpu/tree/walk.hpp"
#include "core/engines/report.hpp"
#include "core/engines/views.hpp"
#include "core/physics/opening.hpp"
#include "core/ranks/ranks.hpp"
#include "core/spatial/curve_order.hpp"

namespace orrery {

/// |a|, computed without overflow if the components do not overflow.
template <class Real>
Real length_of(const Vec4<Real>& a) {
    const Real x = std::abs(a.x), y = std::abs(a.y), z = std::abs(a.z), most = std::max({x, y, z});
    if (!(most > 0)) return x + y + z;  // 0, or NaN
    return most * std::sqrt((x / most) * (x / most) + (y / most) * (y / most) + (z / most) * (z / most));
}

/// Magnitudes of the accelerations of the last whole evaluation, with which relative criteria compare. They are
/// computed from the accelerations as stored, so that restore() reproduces them bitwise.
template <class Real>
class PreviousAccelerations {
public:
    /// Magnitudes of the evaluation under way, by body.
    std::vector<Real>& next() { return next_; }
    /// True if there is a previous evaluation of this number of bodies.
    bool covers(std::size_t bodies) const { return previous_.size() == bodies; }

    /// Makes next() the last whole evaluation, computed under this gravitational constant in units of 2^power.
    void remember(Pool& pool, double constant, int power) {
        previous_.swap(next_);
        next_.resize(previous_.size());
        constant_ = constant, power_ = power;
        if (!(constant > 0)) return previous_.clear();  // without gravity there is nothing to compare with
        std::vector<double> sums((previous_.size() + kBlock - 1) / kBlock);
        pool.parallel_for(0, sums.size(), [&](std::uint64_t b) {
            double sum = 0;
            for (std::size_t i = b * kBlock; i < std::min(previous_.size(), (b + 1) * kBlock); ++i) sum += previous_[i];
            sums[b] = sum;
        });
        double all = 0;
        for (const double sum : sums) all += sum;
        mean_ = static_cast<Real>(all / static_cast<double>(previous_.size()));
    }
    /// Takes over only the values of `bodies`, computed under the same constant. The mean is unchanged.
    void update(std::span<const std::uint32_t> bodies) {
        for (const std::uint32_t body : bodies) previous_[body] = next_[body];
    }
    void restore(Pool& pool, const Vec4<Real>* accelerations, std::size_t count, double constant) {
        next_.resize(count);
        pool.parallel_for(0, (count + kBlock - 1) / kBlock, [&](std::uint64_t b) {
            for (std::size_t i = b * kBlock; i < std::min<std::size_t>(count, (b + 1) * kBlock); ++i)
                next_[i] = length_of(accelerations[i]);
        });
        remember(pool, constant, 0);
    }
    void forget() { previous_.clear(); }

    /// Call before group(): converts to the units of this evaluation, in which G is 1 and an acceleration is 2^power.
    void set_units(int power) { unit_ = static_cast<Real>(std::ldexp(1 / constant_, power_ - power)); }
    Real operator[](std::uint32_t body) const { return previous_[body]; }
    /// group_acceleration() in the units of set_units(), given the least and the mean acceleration of a group.
    Real group(Real least, Real mean) const {
        const Real a = unit_ * group_acceleration(least, mean, mean_);
        // A lost body makes all of them NaN. The step will be refused, so avoid opening every cell first.
        return std::isfinite(a) ? a : std::numeric_limits<Real>::max();
    }
    /// heavy_acceleration() of one body, in the same units.
    Real heavy(std::uint32_t body) const {
        const Real a = unit_ * heavy_acceleration(previous_[body]);
        return std::isfinite(a) ? a : std::numeric_limits<Real>::max();
    }
    /// group() of the bodies at [range.first, range.first + range.count) of an order.
    Real group(std::span<const std::uint32_t> order, BodySpan range) const {
        Real least = previous_[order[range.first]], sum = 0;
        for (std::uint32_t i = 0; i < range.count; ++i) {
            const Real a = previous_[order[range.first + i]];
            least = std::min(least, a), sum += a;
        }
        return group(least, sum / static_cast<Real>(range.count));
    }

private:
    static constexpr std::size_t kBlock = 16384;
    std::vector<Real> previous_, next_;  // |acceleration| by body
    double constant_ = 1;                // gravitational constant under which they were computed
    int power_ = 0;                      // their unit is 2^this
    Real mean_ = 0, unit_ = 1;
};

// Selection of the due bodies of block time steps from the groups of a tree.

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

/// Implements TreePower::cells() for a tree over bodies in this order.
template <class Real>
std::vector<TreeCell> tree_cells(const Tree<Real>& tree, const CurveOrder<Real>& order, std::size_t most) {
    const double unit = std::ldexp(1.0, order.length_exponent());
    std::vector<TreeCell> result;
    const auto starts = tree.level_start();
    for (int level = 0; level < tree.levels() && starts[static_cast<std::size_t>(level) + 1] <= most; ++level)
        for (std::size_t cell = starts[static_cast<std::size_t>(level)];
             cell < starts[static_cast<std::size_t>(level) + 1]; ++cell) {
            const BodySpan range = tree.range(cell);
            const Vec3<Real> low = cell_corner(order.keys()[range.first], level, order.low(), order.side());
            const double side = order.side() / std::ldexp(1.0, level);
            const auto corner = [&](double more) {
                return Vec3f{static_cast<float>(unit * (low.x + more)), static_cast<float>(unit * (low.y + more)),
                             static_cast<float>(unit * (low.z + more))};
            };
            result.push_back({corner(0), corner(side), level, range.count, tree.link(cell).leaf()});
        }
    return result;
}

/// Implements TreePower::labels() for the same tree.
template <class Real>
bool tree_labels(Pool& pool, const Tree<Real>& tree, const CurveOrder<Real>& order, std::size_t bodies, TreeLabel label,
                 float* out) {
    if (tree.cells() == 0 || order.order().size() != bodies) return false;
    const auto starts = tree.level_start();
    for (std::size_t level = 0; level + 1 < starts.size(); ++level)
        pool.parallel_for(starts[level], starts[level + 1], [&](std::uint64_t cell) {
            if (!tree.link(cell).leaf()) return;
            const BodySpan range = tree.range(cell);
            const auto number = static_cast<float>(label == TreeLabel::kLeaf ? range.first : level);
            for (std::uint32_t i = 0; i < range.count; ++i) out[order.order()[range.first + i]] = number;
        });
    return true;
}

/// Gathers of(order[i]) of all i on every rank; rank r has those from ends[r − 1], or 0, up to ends[r]. Collective.
template <class T, class Of>
void gather_in_order(Ranks& ranks, std::span<const std::uint32_t> order, std::span<const std::size_t> ends,
                     const Of& of) {
    const auto rank = static_cast<std::size_t>(ranks.rank());
    std::vector<T> sorted(order.size());
    for (std::size_t i = rank > 0 ? ends[rank - 1] : 0; i < ends[rank]; ++i) sorted[i] = of(order[i]);
    gather(ranks, std::span{sorted}, [&](int r) { return ends[static_cast<std::size_t>(r)]; });
    for (std::size_t i = 0; i < sorted.size(); ++i) of(order[i]) = sorted[i];
}

}  // namespace orrery
