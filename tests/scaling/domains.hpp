// SPDX-License-Identifier: MIT
// The CPU's octree divided as if each rank owned a piece of its curve: the cells and bodies in the pieces of other
// ranks that the groups of one rank visit, which it would have to receive (locally essential tree, Salmon 1991, thesis,
// Caltech; Dubinski 1996, New Astron. 1, 133).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/base/pool.hpp"
#include "core/bodies/body_system.hpp"
#include "core/engines/cpu/tree/build.hpp"
#include "core/physics/opening.hpp"
#include "core/spatial/curve_order.hpp"

namespace orrery::test {

/// The request of a rank for one group: its bounding box, and the acceleration to which cells are compared.
struct GroupRequest {
    CentredBox<float> box;
    float acceleration;
};

/// Cells and bodies visited by the walks of some groups.
struct Visited {
    std::uint64_t taken = 0, bodies = 0;  ///< total over all walks: accepted cells, bodies of opened leaves
    std::vector<bool> cells, leaves;      ///< by cell: visited by any walk; opened, if a leaf
};

/// Data that one rank receives from others.
struct Received {
    std::uint64_t cells = 0, bodies = 0;
    /// Bytes in single precision. Cell: centre and mass, quadrupole, threshold, extent, corners, link; body.
    static constexpr std::uint64_t kCell = 16 + 24 + 4 + 4 + 24 + 8, kBody = 16;
    std::uint64_t bytes() const { return cells * kCell + bodies * kBody; }
};

/// A tree with quadrupoles and the relative acceptance criterion.
class Domains {
public:
    /// `accelerations` of the bodies, under G = `constant`.
    Domains(const Bodies& bodies, const std::vector<Vec4d>& accelerations, const Gravity& gravity, double accuracy,
            int leaf = 16, std::uint32_t group = 64)
        : pool_{0, false} {
        std::vector<Vec4<float>> at;
        for (const Vec4d& body : bodies.position_mass) at.push_back(convert<float>(body));
        order_.update(pool_, at.data(), nullptr, at.size(), gravity.softening);
        tree_.build(pool_, order_.keys(), order_.bodies(), leaf);
        groups_ = tree_.groups(group);
        tree_.fill_moments(pool_, 2);
        tree_.set_thresholds(pool_, {WalkMac::kQuadrupole, alpha_for(accuracy, 2)}, 0);
        double sum = 0;
        for (const Vec4d& a : accelerations) sum += length(a);
        const auto unit = std::ldexp(1 / gravity.constant, 2 * order_.length_exponent() - order_.mass_exponent());
        for (const BodySpan& span : groups_) requests_.push_back(request(span, accelerations, sum, unit));
    }

    const std::vector<BodySpan>& groups() const { return groups_; }
    std::size_t cells() const { return tree_.cells(); }
    std::size_t bodies() const { return order_.bodies().size(); }
    WalkTree<float> view() const { return tree_.view(nullptr); }
    const GroupRequest& request(std::size_t group) const { return requests_[group]; }

    /// Cells visited by the groups [first, last), or by a single box around all of them.
    Visited visit(std::size_t first, std::size_t last, bool as_one = false) const {
        Visited visited{.cells = std::vector<bool>(tree_.cells()), .leaves = std::vector<bool>(tree_.cells())};
        if (as_one && first < last) {
            walk(around(first, last), visited);
            return visited;
        }
        for (std::size_t group = first; group < last; ++group) walk(requests_[group], visited);
        return visited;
    }

    /// The visited data owned by others: cells that contain only foreign bodies. Cells across a border are built by
    /// every rank from the pieces.
    Received received(const Visited& visited, std::size_t first, std::size_t last) const {
        Received all;
        if (first == last) return all;
        const std::uint32_t begin = groups_[first].first, end = groups_[last - 1].first + groups_[last - 1].count;
        for (std::size_t cell = 0; cell < tree_.cells(); ++cell) {
            const BodySpan range = tree_.range(cell);
            if (!visited.cells[cell] || (range.first < end && range.first + range.count > begin)) continue;
            ++all.cells;
            if (visited.leaves[cell]) all.bodies += range.count;
        }
        return all;
    }

private:
    static double length(const Vec4d& a) { return std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z); }

    GroupRequest request(const BodySpan& span, const std::vector<Vec4d>& accelerations, double sum, double unit) const {
        Vec3<float> low = xyz(order_.bodies()[span.first]), high = low;
        double least = std::numeric_limits<double>::max(), own = 0;
        for (std::uint32_t i = span.first; i < span.first + span.count; ++i) {
            const Vec4<float>& x = order_.bodies()[i];
            low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
            high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
            const double a = length(accelerations[order_.order()[i]]);
            least = std::min(least, a), own += a;
        }
        const double mean = sum / static_cast<double>(accelerations.size());
        return {{0.5f * (low + high), 0.5f * (high - low)},
                static_cast<float>(unit * group_acceleration(least, own / span.count, mean))};
    }

    GroupRequest around(std::size_t first, std::size_t last) const {
        const auto low_of = [&](std::size_t g) { return requests_[g].box.middle - requests_[g].box.half; };
        const auto high_of = [&](std::size_t g) { return requests_[g].box.middle + requests_[g].box.half; };
        Vec3<float> low = low_of(first), high = high_of(first);
        float least = requests_[first].acceleration;
        for (std::size_t g = first; g < last; ++g) {
            const Vec3<float> a = low_of(g), b = high_of(g);
            low = {std::min(low.x, a.x), std::min(low.y, a.y), std::min(low.z, a.z)};
            high = {std::max(high.x, b.x), std::max(high.y, b.y), std::max(high.z, b.z)};
            least = std::min(least, requests_[g].acceleration);
        }
        return {{0.5f * (low + high), 0.5f * (high - low)}, least};
    }

    /// Like Walk in core/engines/cpu/tree/walk_simd.cpp.
    void walk(const GroupRequest& group, Visited& visited) const {
        const WalkTree<float> tree = tree_.view(nullptr);
        std::vector<CellLink> waiting{{0, 1}};
        while (!waiting.empty()) {
            const CellLink parts = waiting.back();
            waiting.pop_back();
            for (std::uint32_t cell = parts.first; cell < parts.first + parts.count; ++cell) {
                visited.cells[cell] = true;
                const Vec3<float> off = outside(group.box, {tree.x[cell], tree.y[cell], tree.z[cell]});
                const float d2 = dot(off, off);
                const bool near = !apart(off, tree.extent[cell]) &&
                                  overlap(group.box, tree.low_corners[cell], tree.high_corners[cell]);
                if (accept_relative(d2, std::sqrt(d2), tree.threshold[cell], group.acceleration, 2) && !near) {
                    ++visited.taken;
                } else if (tree.links[cell].leaf()) {
                    visited.leaves[cell] = true;
                    visited.bodies += tree.links[cell].parts();
                } else {
                    waiting.push_back(tree.links[cell]);
                }
            }
        }
    }

    Pool pool_;
    CurveOrder<float> order_;
    Tree<float> tree_;
    std::vector<BodySpan> groups_;
    std::vector<GroupRequest> requests_;
};

}  // namespace orrery::test
