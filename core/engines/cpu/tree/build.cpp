// SPDX-License-Identifier: MIT
// Tree build: divides sorted keys level by level into octree cells, then computes centres of mass, bounding boxes and
// quadrupoles bottom-up, MAC thresholds, and the groups of bodies that share a walk.
#include "core/engines/cpu/tree/build.hpp"

#include <algorithm>
#include <cmath>

#include "core/engines/cpu/tuning.hpp"
#include "core/physics/opening.hpp"
#include "core/spatial/keys.hpp"

namespace orrery {
namespace {

constexpr std::size_t kCellsPerTask = 64;  // cells per task
constexpr std::size_t kPadding = 16;       // cells beyond the end that a vector load may read

template <class Body>
void for_cells(Pool& pool, std::size_t first, std::size_t last, const Body& body) {
    const std::size_t tasks = (last - first + kCellsPerTask - 1) / kCellsPerTask;
    const auto run = [&](std::uint64_t task) {
        for (std::size_t i = first + task * kCellsPerTask; i < std::min(last, first + (task + 1) * kCellsPerTask); ++i)
            body(i);
    };
    if (tasks <= 1) return tasks == 1 ? run(0) : void();
    pool.parallel_for(0, tasks, run);
}

}  // namespace

template <class Real>
void Tree<Real>::build(Pool& pool, std::span<const std::uint64_t> keys, std::span<const Vec4<Real>> bodies, int leaf) {
    keys_ = keys, bodies_ = bodies;
    leaves_ = 0;
    links_.assign(1, {});
    ranges_.assign(1, {0, static_cast<std::uint32_t>(keys.size())});
    level_start_.assign({0, 1});
    for (int level = 0; divide_level(pool, level, leaf) > 0; ++level) level_start_.push_back(links_.size());
}

/// Appends the children of all cells of a level; returns their number.
template <class Real>
std::size_t Tree<Real>::divide_level(Pool& pool, int level, int leaf) {
    const std::size_t first = level_start_[static_cast<std::size_t>(level)], last = links_.size();
    borders_.resize(last - first);
    for_cells(pool, first, last, [&](std::size_t cell) {
        const BodySpan range = ranges_[cell];
        const bool whole = range.count <= static_cast<std::uint32_t>(leaf) || level == kKeyLevels;
        links_[cell] = {range.first, range.count | CellLink::kLeaf};
        if (whole) return;
        const Borders borders = borders_[cell - first] = divide(range, level);
        std::uint32_t children = 0;
        for (int k = 0; k < 8; ++k) children += borders[k] != borders[k + 1];
        links_[cell].count = children;
    });
    std::size_t next = last;
    for (std::size_t cell = first; cell < last; ++cell) {
        if (links_[cell].leaf())
            ++leaves_;
        else
            links_[cell].first = static_cast<std::uint32_t>(next), next += links_[cell].count;
    }
    links_.resize(next), ranges_.resize(next);
    for_cells(pool, first, last, [&](std::size_t cell) {
        if (links_[cell].leaf()) return;
        const Borders& borders = borders_[cell - first];
        std::size_t child = links_[cell].first;
        for (int k = 0; k < 8; ++k)
            if (borders[k] != borders[k + 1]) ranges_[child++] = {borders[k], borders[k + 1] - borders[k]};
    });
    return next - last;
}

/// The boundaries between the eight octants of a cell.
template <class Real>
typename Tree<Real>::Borders Tree<Real>::divide(BodySpan range, int level) const {
    const std::uint32_t end = range.first + range.count;
    Borders borders;
    borders[0] = range.first, borders[8] = end;
    if (range.count < cpu::kSearchFrom) {
        std::uint32_t at = range.first;
        for (unsigned part = 1; part < 8; ++part) {
            while (at < end && octant(keys_[at], level) < part) ++at;
            borders[part] = at;
        }
        return borders;
    }
    for (const unsigned part : {4u, 2u, 6u, 1u, 3u, 5u, 7u}) {
        const unsigned step = part & -part;  // halfway between two known boundaries
        const auto from = keys_.begin() + borders[part - step], to = keys_.begin() + borders[part + step];
        const auto before = [&](std::uint64_t key) { return octant(key, level) < part; };
        borders[part] = static_cast<std::uint32_t>(std::partition_point(from, to, before) - keys_.begin());
    }
    return borders;
}

template <class Real>
void Tree<Real>::fill_moments(Pool& pool, int order) {
    const std::size_t cells = links_.size(), padded = cells + kPadding;
    centres_.resize(cells), low_.resize(cells), high_.resize(cells);
    x_.resize(padded), y_.resize(padded), z_.resize(padded), threshold_.resize(padded), extent_.resize(padded);
    if (order == 2) quadrupoles_.resize(cells);
    for (std::size_t level = level_start_.size() - 1; level-- > 0;)
        for_cells(pool, level_start_[level], level_start_[level + 1], [&](std::size_t cell) { fill(cell, order); });
}

template <class Real>
void Tree<Real>::fill(std::size_t cell, int order) {
    const CellLink link = links_[cell];
    const Vec4<Real>* const parts = link.leaf() ? &bodies_[link.first] : &centres_[link.first];
    const std::size_t count = link.parts();
    MassSum<Real> sum{xyz(parts[0])};
    Vec3<Real> low = link.leaf() ? sum.about : low_[link.first], high = link.leaf() ? low : high_[link.first];
    for (std::size_t i = 0; i < count; ++i) {
        sum.add(parts[i]);
        const Vec3<Real> l = link.leaf() ? xyz(parts[i]) : low_[link.first + i];
        const Vec3<Real> h = link.leaf() ? l : high_[link.first + i];
        low = {std::min(low.x, l.x), std::min(low.y, l.y), std::min(low.z, l.z)};
        high = {std::max(high.x, h.x), std::max(high.y, h.y), std::max(high.z, h.z)};
    }
    const Vec4<Real> centre = sum.centre();
    centres_[cell] = centre, low_[cell] = low, high_[cell] = high;
    x_[cell] = centre.x, y_[cell] = centre.y, z_[cell] = centre.z;
    if (order != 2) return;
    Quadrupole<Real> quadrupole;
    for (std::size_t i = 0; i < count; ++i) {
        add_at(quadrupole, xyz(parts[i]) - xyz(centre), parts[i].w);
        if (!link.leaf()) add(quadrupole, quadrupoles_[link.first + i]);
    }
    quadrupoles_[cell] = quadrupole;
}

template <class Real>
void Tree<Real>::set_thresholds(Pool& pool, const WalkMac& rule, Real blur) {
    for_cells(pool, 0, links_.size(), [&](std::size_t cell) {
        const Vec3<Real> size = high_[cell] - low_[cell];
        const Real extent = extent_[cell] = std::max({size.x, size.y, size.z}) + blur;
        if (rule.kind == WalkMac::kGeometric) {
            const Vec3<Real> off = xyz(centres_[cell]) - Real(0.5) * (low_[cell] + high_[cell]);
            const Real radius = opening_radius(extent, std::sqrt(dot(off, off)), static_cast<Real>(rule.value));
            threshold_[cell] = radius * radius;
        } else {
            const int order = rule.kind == WalkMac::kMonopole ? 1 : 2;
            threshold_[cell] = relative_threshold(centres_[cell].w, extent, static_cast<Real>(rule.value), order);
        }
    });
}

template <class Real>
std::vector<BodySpan> Tree<Real>::groups(std::uint32_t most) const {
    constexpr std::uint32_t kNone = ~0u;
    std::vector<BodySpan> found;
    std::vector<std::uint32_t> waiting{0};  // cells to visit, the next one last: at most 7 per level
    std::uint32_t sibling = kNone;          // the cell that may join the last group
    while (!waiting.empty()) {
        const std::uint32_t cell = waiting.back();
        waiting.pop_back();
        const BodySpan range = ranges_[cell];
        const CellLink link = links_[cell];
        const bool joins = cell == sibling;
        sibling = kNone;
        if (range.count <= most) {
            if (joins && found.back().count + range.count <= most)
                found.back().count += range.count;
            else
                found.push_back(range);
            sibling = cell + 1;  // never a child of another parent: all waiting cells are then nearer to the root
        } else if (link.leaf()) {
            for (std::uint32_t i = 0; i < range.count; i += most)
                found.push_back({range.first + i, std::min(most, range.count - i)});
        } else {
            for (std::uint32_t k = link.count; k-- > 0;) waiting.push_back(link.first + k);
        }
    }
    return found;
}

template <class Real>
WalkTree<Real> Tree<Real>::view(const Vec4<Real>* low) const {
    return {bodies_.data(), low,         x_.data(),    y_.data(),     z_.data(),       threshold_.data(),
            extent_.data(), low_.data(), high_.data(), links_.data(), centres_.data(), quadrupoles_.data()};
}

template class Tree<float>;
template class Tree<double>;

}  // namespace orrery
