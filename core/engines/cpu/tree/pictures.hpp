// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/pool.hpp"
#include "core/engines/cpu/tree/build.hpp"
#include "core/engines/report.hpp"
#include "core/spatial/curve_order.hpp"

namespace orrery {

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

}  // namespace orrery
