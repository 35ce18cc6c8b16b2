// SPDX-License-Identifier: MIT
#include "app/commands/check_truth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/spatial/keys.hpp"

namespace orrery {
namespace {

constexpr std::size_t kLeaf = 16, kGroup = 64;
constexpr std::size_t kMostCompared = 8192, kMostExpanded = 2048;
constexpr int kDeepest = 60;  // bodies that share a cell at this depth coincide in double precision

Vec3d least(Vec3d a, Vec3d b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
Vec3d most(Vec3d a, Vec3d b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }
double longest(Vec3d v) { return std::max({v.x, v.y, v.z}); }

/// The error of the acceleration by a unit mass when its potential is expanded to this order in u, the difference of
/// both bodies' positions in their cells, whose centres are `apart`: 1/|R + u| = Σ_l (−1)^l |u|^l P_l(cos)/R^(l+1),
/// with the softening as a fourth coordinate of R. The products of multipole and local terms up to this order together
/// give exactly this truncated series.
Vec3d missing_of_expansion(Vec3d apart, Vec3d u, double softening2, int order) {
    const Vec3d d = apart + u;
    const double inverse = 1 / std::sqrt(dot(d, d) + softening2), R = std::sqrt(dot(apart, apart) + softening2);
    Vec3d sum = inverse * inverse * inverse * d;
    const Vec3d along = (1 / R) * apart;
    const double s = dot(along, u), u2 = dot(u, u);
    // |u|^l P_l and its gradient, by Legendre's recursion.
    double before = 1, now = s, scale = -1 / (R * R);
    Vec3d slope_before{}, slope = along;
    for (int l = 1; l <= order; ++l) {
        sum = sum + scale * slope;
        const double n = l + 1;
        const double next = ((2 * n - 1) * s * now - (n - 1) * u2 * before) / n;
        const Vec3d next_slope =
            (1 / n) * ((2 * n - 1) * (now * along + s * slope) - (n - 1) * (2 * before * u + u2 * slope_before));
        before = now, now = next, slope_before = slope, slope = next_slope;
        scale /= -R;
    }
    return sum;
}

}  // namespace

double PlainTree::relative(std::span<const Sums> parts) {
    Sums all;
    for (const Sums& sums : parts) all.off += sums.off, all.size += sums.size;
    return all.size > 0 ? std::sqrt(all.off / all.size) : 0;
}

double PlainTree::Cell::extent() const { return longest(high - low); }

PlainTree::PlainTree(std::span<const Vec4d> bodies, std::span<const Vec4d> truth, const Gravity& gravity, int alignment)
    : bodies_{bodies}, truth_{truth}, gravity_{gravity}, order_(bodies.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    Vec3d low = xyz(bodies[0]), high = low;
    for (const Vec4d& body : bodies) low = least(low, xyz(body)), high = most(high, xyz(body));
    for (const Vec4d& a : truth) mean_acceleration_ += length(xyz(a)) / gravity.constant;
    mean_acceleration_ /= static_cast<double>(truth.size());
    const double half = 0.5 * longest(high - low), room = 0.25 * (alignment % kAsOnDevice) * half;
    const Vec3d middle =
        alignment == kAsOnDevice ? low + half * Vec3d{1, 1, 1} : 0.5 * (low + high) + room * Vec3d{0.9, -0.7, 0.4};
    cube_side_ = 2 * (half + room), cube_low_ = middle - (half + room) * Vec3d{1, 1, 1};
    build(0, bodies.size(), middle, half + room, 0);
}

std::size_t PlainTree::build(std::size_t first, std::size_t count, Vec3d middle, double half, int level) {
    Cell cell{.first = first, .count = count};
    if (count > kLeaf && level < kDeepest) {
        auto begin = order_.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = begin + static_cast<std::ptrdiff_t>(count);
        for (int octant = 0; octant < 8; ++octant) {
            const auto in_octant = [&](std::size_t i) {
                const Vec4d& b = bodies_[i];
                return (b.x > middle.x) + 2 * (b.y > middle.y) + 4 * (b.z > middle.z) == octant;
            };
            const auto next = std::partition(begin, end, in_octant);
            if (next == begin) continue;
            const auto to = [&](int bit) { return (octant & bit) != 0 ? half / 2 : -half / 2; };
            cell.parts.push_back(build(static_cast<std::size_t>(begin - order_.begin()),
                                       static_cast<std::size_t>(next - begin), middle + Vec3d{to(1), to(2), to(4)},
                                       half / 2, level + 1));
            begin = next;
        }
    }
    fill(cell);
    cells_.push_back(std::move(cell));
    const Cell& made = cells_.back();
    if (made.count <= kGroup || made.parts.empty()) {  // this cell becomes a group in place of those within it
        while (!groups_.empty() && cells_[groups_.back()].first >= first) groups_.pop_back();
        groups_.push_back(cells_.size() - 1);
    }
    return cells_.size() - 1;
}

void PlainTree::fill(Cell& cell) const {
    MassSum<double> sum{xyz(bodies_[order_[cell.first]])};
    cell.low = cell.high = sum.about;
    for (std::size_t k = cell.first; k < cell.first + cell.count; ++k) {
        const Vec4d& body = bodies_[order_[k]];
        sum.add(body);
        cell.low = least(cell.low, xyz(body)), cell.high = most(cell.high, xyz(body));
    }
    cell.centre = sum.centre();
    for (std::size_t k = cell.first; k < cell.first + cell.count; ++k) {
        const Vec3d off = xyz(bodies_[order_[k]]) - xyz(cell.centre);
        add_at(cell.quadrupole, off, bodies_[order_[k]].w);
        cell.radius = std::max(cell.radius, length(off));
    }
}

double PlainTree::opening(const Cell& cell, const TreeChoice& choice) const {
    if (choice.relative()) return relative_threshold(cell.centre.w, cell.extent(), choice.alpha(), choice.order);
    const Vec3d off = xyz(cell.centre) - 0.5 * (cell.low + cell.high);
    return opening_radius(cell.extent(), length(off), choice.theta());
}

PlainTree::Sums PlainTree::group_error(const Cell& group, const TreeChoice& choice,
                                       std::span<const double> opening) const {
    const CentredBox<double> box{0.5 * (group.low + group.high), 0.5 * (group.high - group.low)};
    // Structure of arrays, so that compilers vectorise over bodies.
    std::array<double, kGroup> x{}, y{}, z{}, found_x{}, found_y{}, found_z{};
    const std::size_t members = std::min(group.count, kGroup);
    for (std::size_t k = 0; k < members; ++k) {
        const Vec4d& body = bodies_[order_[group.first + k]];
        x[k] = body.x, y[k] = body.y, z[k] = body.z;
    }
    double smallest = length(xyz(truth_[order_[group.first]])), mean = 0;
    for (std::size_t k = 0; k < members; ++k) {
        const double a = length(xyz(truth_[order_[group.first + k]]));
        smallest = std::min(smallest, a), mean += a / static_cast<double>(members);
    }
    const double G = gravity_.constant, softening2 = gravity_.softening * gravity_.softening;
    const double acceleration = group_acceleration(smallest / G, mean / G, mean_acceleration_);
    const auto accepted = [&](std::size_t index) {
        const Cell& cell = cells_[index];
        const double d2 = distance2(box, xyz(cell.centre));
        if (!choice.relative()) return accept_geometric(d2, opening[index]);
        return accept_relative(d2, std::sqrt(d2), opening[index], acceleration, choice.order) &&
               !overlap(box, cell.low, cell.high);
    };
    std::vector<std::size_t> waiting{cells_.size() - 1};
    while (!waiting.empty()) {
        const Cell& cell = cells_[waiting.back()];
        const bool take = accepted(waiting.back());
        waiting.pop_back();
        if (!take && !cell.parts.empty()) {
            waiting.insert(waiting.end(), cell.parts.begin(), cell.parts.end());
            continue;
        }
        const auto add = [&](std::size_t k, Vec3d term) {
            found_x[k] += term.x, found_y[k] += term.y, found_z[k] += term.z;
        };
        const auto add_point = [&](const Vec4d& mass) {
            for (std::size_t k = 0; k < members; ++k) {  // a body's own term is 0
                const Vec3d d = xyz(mass) - Vec3d{x[k], y[k], z[k]};
                const double r2 = dot(d, d) + softening2, inverse = r2 > kTouching<double> ? 1 / std::sqrt(r2) : 0;
                add(k, mass.w * inverse * inverse * inverse * d);
            }
        };
        if (take) {
            add_point(cell.centre);
            for (std::size_t k = 0; k < members && choice.order == 2; ++k) {
                const Vec3d d = xyz(cell.centre) - Vec3d{x[k], y[k], z[k]};
                const double r2 = dot(d, d) + softening2, inverse = r2 > kTouching<double> ? 1 / std::sqrt(r2) : 0;
                Vec4d term{};
                add_quadrupole(term, d, cell.quadrupole, inverse);
                add(k, xyz(term));
            }
        } else {
            for (std::size_t j = cell.first; j < cell.first + cell.count; ++j) add_point(bodies_[order_[j]]);
        }
    }
    Sums sums;
    for (std::size_t k = 0; k < members; ++k) {
        const Vec3d a = xyz(truth_[order_[group.first + k]]), off = G * Vec3d{found_x[k], found_y[k], found_z[k]} - a;
        sums.off += dot(off, off), sums.size += dot(a, a);
    }
    return sums;
}

double PlainTree::error(const TreeChoice& choice, Pool& pool) const {
    std::vector<double> radii;
    for (const Cell& cell : cells_) radii.push_back(opening(cell, choice));
    const std::size_t stride = (bodies_.size() + kMostCompared - 1) / kMostCompared;
    std::vector<Sums> by_group(groups_.size());
    pool.parallel_for(0, (groups_.size() + stride - 1) / stride,
                      [&](std::uint64_t i) { by_group[i] = group_error(cells_[groups_[i * stride]], choice, radii); });
    return relative(by_group);
}

/// For each cell, the cells that act on it through an expansion.
std::vector<std::vector<std::size_t>> PlainTree::meetings(double theta) const {
    const double softening2 = gravity_.softening * gravity_.softening;
    const auto far = [&](const Cell& a, const Cell& b) {
        const Vec3d apart = xyz(a.centre) - xyz(b.centre);
        return a.radius + b.radius <= theta * std::sqrt(dot(apart, apart) + softening2);
    };
    std::vector<std::vector<std::size_t>> found(cells_.size());
    std::vector<std::pair<std::size_t, std::size_t>> waiting{{cells_.size() - 1, cells_.size() - 1}};
    while (!waiting.empty()) {
        const auto [target, source] = waiting.back();
        waiting.pop_back();
        const Cell &a = cells_[target], &b = cells_[source];
        if (target == source) {
            for (const std::size_t one : a.parts)
                for (const std::size_t other : a.parts) waiting.emplace_back(one, other);
        } else if (far(a, b)) {
            found[target].push_back(source);
        } else if (!a.parts.empty() && (b.parts.empty() || a.radius >= b.radius)) {
            for (const std::size_t part : a.parts) waiting.emplace_back(part, source);
        } else {
            for (const std::size_t part : b.parts) waiting.emplace_back(target, part);
        }
    }
    return found;
}

/// Error of the acceleration by the bodies of `from` at `place`, relative to the centre of a cell at distance `apart`;
/// without G.
Vec3d PlainTree::expansion_missing(const Cell& from, Vec3d apart, Vec3d place, int order) const {
    Vec3d sum{};
    for (std::size_t j = from.first; j < from.first + from.count; ++j) {
        const Vec4d& other = bodies_[order_[j]];
        const Vec3d u = place - (xyz(other) - xyz(from.centre));
        sum = sum + other.w * missing_of_expansion(apart, u, gravity_.softening * gravity_.softening, order);
    }
    return sum;
}

double PlainTree::expansion_error(double theta, int order, Pool& pool) const {
    const std::vector<std::vector<std::size_t>> sources = meetings(theta);
    const std::size_t stride = (bodies_.size() + kMostExpanded - 1) / kMostExpanded;
    std::vector<Sums> by_body((bodies_.size() + stride - 1) / stride);
    pool.parallel_for(0, by_body.size(), [&](std::uint64_t sample) {
        const std::size_t k = sample * stride;
        const Vec4d &body = bodies_[order_[k]], &truth = truth_[order_[k]];
        Vec3d off{};
        for (std::size_t at = cells_.size() - 1;;) {
            const Cell& cell = cells_[at];
            for (const std::size_t source : sources[at]) {
                const Cell& from = cells_[source];
                off = off +
                      expansion_missing(from, xyz(cell.centre) - xyz(from.centre), xyz(body) - xyz(cell.centre), order);
            }
            if (cell.parts.empty()) break;
            at = *std::ranges::find_if(cell.parts, [&](std::size_t part) {
                return cells_[part].first <= k && k < cells_[part].first + cells_[part].count;
            });
        }
        off = gravity_.constant * off;
        by_body[sample] = {dot(off, off), dot(xyz(truth), xyz(truth))};
    });
    return relative(by_body);
}

/// The bodies in the order of their keys on the Hilbert curve in the root's cube.
std::vector<std::size_t> PlainTree::along_curve() const {
    const KeyGrid<double> grid = key_grid(cube_low_, cube_side_);
    std::vector<std::pair<std::uint64_t, std::size_t>> keys;
    for (std::size_t i = 0; i < bodies_.size(); ++i) keys.emplace_back(key_of(grid, xyz(bodies_[i])), i);
    std::ranges::sort(keys);
    std::vector<std::size_t> order;
    for (const auto& [key, body] : keys) order.push_back(body);
    return order;
}

double PlainTree::group_expansion_error(double theta, int order, Pool& pool) const {
    constexpr std::size_t kMostOfGroup = 32;
    const std::vector<std::size_t> curve = along_curve();
    const std::size_t groups = (curve.size() + kMostOfGroup - 1) / kMostOfGroup,
                      stride = (curve.size() + kMostExpanded - 1) / kMostExpanded;
    const double softening2 = gravity_.softening * gravity_.softening;
    std::vector<Sums> by_group((groups + stride - 1) / stride);
    pool.parallel_for(0, by_group.size(), [&](std::uint64_t sample) {
        const std::size_t first = curve.size() * sample * stride / groups,
                          last = curve.size() * (sample * stride + 1) / groups;
        Vec3d low = xyz(bodies_[curve[first]]), high = low;
        for (std::size_t k = first; k < last; ++k)
            low = least(low, xyz(bodies_[curve[k]])), high = most(high, xyz(bodies_[curve[k]]));
        const Vec3d middle = 0.5 * (low + high);
        double radius = 0;
        for (std::size_t k = first; k < last; ++k) radius = std::max(radius, length(xyz(bodies_[curve[k]]) - middle));
        std::vector<Vec3d> off(last - first);
        std::vector<std::size_t> waiting{cells_.size() - 1};
        while (!waiting.empty()) {
            const Cell& from = cells_[waiting.back()];
            waiting.pop_back();
            const Vec3d apart = middle - xyz(from.centre);
            if (from.radius + radius >= theta * std::sqrt(dot(apart, apart) + softening2)) {
                waiting.insert(waiting.end(), from.parts.begin(), from.parts.end());
                continue;
            }
            for (std::size_t k = first; k < last; ++k)
                off[k - first] =
                    off[k - first] + expansion_missing(from, apart, xyz(bodies_[curve[k]]) - middle, order);
        }
        for (std::size_t k = first; k < last; ++k) {
            const Vec3d missed = gravity_.constant * off[k - first];
            by_group[sample].off += dot(missed, missed);
            by_group[sample].size += dot(xyz(truth_[curve[k]]), xyz(truth_[curve[k]]));
        }
    });
    return relative(by_group);
}

}  // namespace orrery
