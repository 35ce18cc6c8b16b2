// SPDX-License-Identifier: MIT
// The octree of `tree-locks` and the operations of one thread on it, for any kind of thread: kernels call them on the
// device, the CPU engine from host threads. `Atomic` provides the atomic operations of either.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/base/bits.hpp"
#include "core/base/hd.hpp"
#include "core/base/vec.hpp"
#include "core/physics/multipole.hpp"
#include "core/spatial/keys.hpp"

namespace orrery::cuda {

// Integer formulas of `tree-locks`: positions in the octree, links, room. Pure functions with the same results on host
// and device.

/// The root is at level 0. A cell of this level is one cell of the finest grid: it is not subdivided, but is a bag of
/// any number of bodies.
inline constexpr int kBagLevel = kKeyLevels;

// A link is the content of one of a cell's eight octants: bodies are numbered from 0, cells from the number of bodies
// on.
inline constexpr std::int32_t kEmpty = -1;
inline constexpr std::int32_t kLocked = -2;  ///< a thread is about to replace a body by a cell
inline constexpr std::uint64_t kMostLinks = 0x7fffffff;

/// The octant in which a position lies within its cell at `level` (below kBagLevel).
ORRERY_HD constexpr unsigned octant_of(GridPoint at, int level) {
    const int bit = kKeyLevels - 1 - level;
    return (at.x >> bit & 1) << 2 | (at.y >> bit & 1) << 1 | (at.z >> bit & 1);
}

/// Level of the smallest cell that contains both positions; kBagLevel if no cell separates them.
ORRERY_HD inline int level_of_both(GridPoint a, GridPoint b) {
    return kKeyLevels - bit_width((a.x ^ b.x) | (a.y ^ b.y) | (a.z ^ b.z));
}

/// Lowest corner of the cell at `level` that contains `at`, in units of the finest grid.
ORRERY_HD constexpr GridPoint corner_of(GridPoint at, int level) {
    const int shift = kKeyLevels - level;
    return {at.x >> shift << shift, at.y >> shift << shift, at.z >> shift << shift};
}

/// An opened cell leaves the stack and pushes at most eight. Bags are not pushed.
inline constexpr int kStackRoom = 7 * kBagLevel + 1;

/// Sort key of a body in a bag: sorting groups the bodies by bag, and orders them by index within a bag.
ORRERY_HD constexpr std::uint64_t bag_entry(std::uint32_t cell, std::uint32_t body) {
    return std::uint64_t{cell} << 32 | body;
}
ORRERY_HD constexpr std::uint32_t cell_of_entry(std::uint64_t entry) { return static_cast<std::uint32_t>(entry >> 32); }
ORRERY_HD constexpr std::uint32_t body_of_entry(std::uint64_t entry) { return static_cast<std::uint32_t>(entry); }

/// Initial room for cells. A tree of scattered bodies has fewer cells than bodies; one of close pairs has up to
/// kBagLevel per body.
constexpr std::uint64_t first_room(std::uint64_t bodies) { return bodies < 64 ? 64 : bodies; }
/// Room for cells after a build that needed `wanted` cells and failed. Cells without room were left out with everything
/// below them, so that the true number may be even higher.
constexpr std::uint64_t more_room(std::uint64_t room, std::uint64_t wanted) {
    return wanted > 2 * room ? wanted : 2 * room;
}

template <class Real>
struct LocksBounds {
    Vec3<Real> low, high;
    Real mass;

    ORRERY_HD static LocksBounds none() {
        const Real far = std::numeric_limits<Real>::max();
        return {{far, far, far}, {-far, -far, -far}, 0};
    }
    ORRERY_HD static LocksBounds of(const Vec4<Real>& body) { return {xyz(body), xyz(body), body.w}; }
    ORRERY_HD LocksBounds operator+(const LocksBounds& b) const {
        const auto least = [](Real p, Real q) { return q < p ? q : p; };
        const auto most = [](Real p, Real q) { return q > p ? q : p; };
        return {{least(low.x, b.low.x), least(low.y, b.low.y), least(low.z, b.low.z)},
                {most(high.x, b.high.x), most(high.y, b.high.y), most(high.z, b.high.z)},
                mass + b.mass};
    }
};

/// Coordinates and masses of cells are those of the scene times powers of two, which is exact, such that the largest
/// coordinate and the mass of all bodies are about 1: sums and squares then fit a float, whatever the scene's units.
template <class Real>
struct LocksUnits {
    KeyGrid<Real> grid;  ///< of coordinates in the scene's units
    Vec3<Real> low;      ///< corner of the root, in the scene's units
    double side;         ///< of the root, in the scene's units
    Real per_length, per_mass;
    Real softening2;  ///< in units of the tree
    double acceleration,
        potential;               ///< the tree's units in units of the scene, without G: beyond float in small scenes
    Real reach2[kBagLevel + 1];  ///< (l/θ)² of each level, in units of the tree: more distant cells are accepted

    ORRERY_HD GridPoint place(const Vec4<Real>& body) const { return grid(xyz(body)); }
    /// Also applies to low parts, whose w is 0.
    ORRERY_HD Vec4<Real> scaled(const Vec4<Real>& body) const {
        return {per_length * body.x, per_length * body.y, per_length * body.z, per_mass * body.w};
    }
};

/// The power of two that scales x into [1/2, 1); 1 if x is not positive and finite.
template <class Real>
ORRERY_HD Real power_per_unit(Real x) {
    if (!(x > 0) || x > std::numeric_limits<Real>::max()) return 1;
    int exponent;
    frexp(x, &exponent);
    const int most = sizeof(Real) == 4 ? 120 : 1000, power = -exponent;
    return Real(ldexp(Real(1), power > most ? most : power < -most ? -most : power));
}

/// With split positions (BodyView::low), cells and their centres are computed from the high parts, with an error of up
/// to half a unit in the last place of the largest coordinate. Cells are treated as larger by this fraction of the
/// root's side, so that at θ = 1 no cell is accepted whose centre is uncertain by more than a hundredth of its
/// distance.
template <class Real>
inline constexpr double kLocksBlur = 64 * static_cast<double>(std::numeric_limits<Real>::epsilon());

/// The acceptance criterion: a cell is accepted beyond its side over θ or, as in the thesis, beyond the distance
/// `cutoff`, a length of the scene, whatever the size of the cell. The unused one is 0.
struct LocksOpening {
    double theta = 0, cutoff = 0;
};

/// `blur`: kLocksBlur, or 0 if positions are not split.
template <class Real>
ORRERY_HD LocksUnits<Real> locks_units(const LocksBounds<Real>& b, double softening, const LocksOpening& opening,
                                       double blur = 0) {
    LocksUnits<Real> u{};
    const auto larger = [](Real p, Real q) { return p > q ? p : q; };
    const auto farthest = [&](Real low, Real high) { return larger(low < 0 ? -low : low, high < 0 ? -high : high); };
    u.low = b.low;
    u.grid = key_grid(b.low, larger(b.high.x - b.low.x, larger(b.high.y - b.low.y, b.high.z - b.low.z)));
    u.side = u.grid.per_length > 0 ? kKeyCells / double(u.grid.per_length) : 0;
    u.per_length = power_per_unit(
        larger(farthest(b.low.x, b.high.x), larger(farthest(b.low.y, b.high.y), farthest(b.low.z, b.high.z))));
    u.per_mass = power_per_unit(b.mass);
    const double length = u.per_length, mass = u.per_mass, soft = softening * length;
    u.softening2 = Real(soft * soft);
    u.acceleration = length * length / mass;
    u.potential = length / mass;
    const double cutoff = opening.cutoff * length, root = cutoff > 0 ? 0 : u.side * length / opening.theta;
    double part = 1;
    for (Real& reach2 : u.reach2) {
        const double reach = cutoff > 0 ? cutoff : (part + blur) * root, square = reach * reach;
        const double most = double(std::numeric_limits<Real>::max());
        reach2 = Real(square < most ? square : most);
        part /= 2;
    }
    return u;
}

/// Counters of the kernels, which the host reads.
struct LocksCounts {
    std::uint32_t cells;                         ///< requested, including those for which there was no room
    std::uint32_t bagged;                        ///< bodies in bags
    std::uint32_t overflow;                      ///< not 0: there was no room for some cells
    std::uint32_t boxed;                         ///< number of blocks of the first kernel that have finished
    std::uint32_t summed;                        ///< number of warps' shares of the third kernel that have been taken
    unsigned long long with_bodies, with_cells;  ///< interactions of the walk
};

/// The arrays of the tree. Bodies and cells share one range of links.
template <class Real>
struct LocksTree {
    const Vec4<Real>* bodies;  ///< in the scene's units and order
    std::uint32_t count;       ///< number of bodies
    std::uint32_t room;        ///< room for cells
    std::int32_t* children;    ///< eight per cell; in a sorted bag, its first entry and its end
    std::uint8_t* level;       ///< of a cell
    std::uint32_t* witness;    ///< any body in the cell
    std::uint32_t* bodies_in;  ///< number of bodies in the cell; 0 until its centre of mass is ready
    Vec4<Real>* centre;        ///< centre of mass, in units of the tree; w: the mass
    std::uint64_t* bagged;     ///< bag_entry() of each body in a bag
    LocksCounts* counts;
    const LocksUnits<Real>* units;

    ORRERY_HD bool is_cell(std::int32_t link) const { return link >= static_cast<std::int32_t>(count); }
    ORRERY_HD std::uint32_t cell_at(std::int32_t link) const { return static_cast<std::uint32_t>(link) - count; }
    ORRERY_HD std::int32_t link_to(std::uint32_t cell) const { return static_cast<std::int32_t>(count + cell); }
    ORRERY_HD std::int32_t& child(std::uint32_t cell, unsigned octant) const {
        return children[std::uint64_t{cell} * 8 + octant];
    }
};

/// Initialises the tree to an empty root. All of `children` must be kEmpty.
template <class Real>
ORRERY_HD void plant(const LocksTree<Real>& tree) {
    tree.counts->cells = 1, tree.counts->bagged = tree.counts->overflow = tree.counts->summed = 0;
    tree.level[0] = 0, tree.witness[0] = 0;
}

/// State of a body that is being inserted.
struct Insertion {
    std::uint32_t body;
    GridPoint at;
    std::uint32_t cell = 0;
    int level = 0;
};

template <class Atomic, class Real>
ORRERY_HD void put_into_bag(const LocksTree<Real>& tree, std::uint32_t cell, std::uint32_t body) {
    tree.bagged[Atomic::add(tree.counts->bagged, 1u)] = bag_entry(cell, body);
}

/// Creates the cells that separate `other` from the body being inserted, from the one below `in.cell` down to the
/// smallest that contains both. They are not yet visible to other threads. Returns the link to the first cell; if there
/// is no room, returns the link to `other` and sets counts->overflow.
template <class Atomic, class Real>
ORRERY_HD std::int32_t split(const LocksTree<Real>& tree, const Insertion& in, std::int32_t other) {
    const GridPoint there = tree.units->place(tree.bodies[other]);
    const int deepest = level_of_both(in.at, there);
    const auto needed = static_cast<std::uint32_t>(deepest - in.level);
    const std::uint32_t first = Atomic::add(tree.counts->cells, needed);
    if (first >= tree.room || tree.room - first < needed) {
        Atomic::store(tree.counts->overflow, 1u);
        return other;
    }
    for (std::uint32_t k = 0; k < needed; ++k) {
        const int level = in.level + 1 + static_cast<int>(k);
        tree.level[first + k] = static_cast<std::uint8_t>(level);
        tree.witness[first + k] = in.body;
        if (k + 1 < needed) tree.child(first + k, octant_of(in.at, level)) = tree.link_to(first + k + 1);
    }
    const std::uint32_t last = first + needed - 1;
    if (deepest == kBagLevel) {
        put_into_bag<Atomic>(tree, last, static_cast<std::uint32_t>(other));
        put_into_bag<Atomic>(tree, last, in.body);
    } else {
        tree.child(last, octant_of(there, deepest)) = other;
        tree.child(last, octant_of(in.at, deepest)) = static_cast<std::int32_t>(in.body);
    }
    return tree.link_to(first);
}

/// One attempt; returns false if another thread was faster or holds the lock, so that the caller must retry. It
/// releases any lock before it returns, and never waits: threads that run in lockstep, as the lanes of a warp may,
/// cannot block each other. Cells are published with release and read with acquire: a thread that sees a link also sees
/// the cell.
template <class Atomic, class Real>
ORRERY_HD bool try_to_insert(const LocksTree<Real>& tree, Insertion& in) {
    for (;;) {
        if (in.level == kBagLevel) {
            put_into_bag<Atomic>(tree, in.cell, in.body);
            return true;
        }
        std::int32_t& place = tree.child(in.cell, octant_of(in.at, in.level));
        const std::int32_t link = Atomic::load(place);
        if (tree.is_cell(link)) {
            in.cell = tree.cell_at(link), ++in.level;
            continue;
        }
        if (link == kLocked) return false;
        if (link == kEmpty) return Atomic::exchange_if(place, kEmpty, static_cast<std::int32_t>(in.body));
        if (!Atomic::exchange_if(place, link, kLocked)) return false;
        Atomic::store(place, split<Atomic>(tree, in, link));
        return true;  // also without room: the build will be repeated
    }
}

/// Entry k of the sorted bags stores the begin or end of its bag if it is at one of them.
template <class Real>
ORRERY_HD void mark_bag(const LocksTree<Real>& tree, std::uint32_t k, std::uint32_t entries) {
    const std::uint32_t cell = cell_of_entry(tree.bagged[k]);
    if (k == 0 || cell_of_entry(tree.bagged[k - 1]) != cell) tree.child(cell, 0) = static_cast<std::int32_t>(k);
    if (k + 1 == entries || cell_of_entry(tree.bagged[k + 1]) != cell)
        tree.child(cell, 1) = static_cast<std::int32_t>(k + 1);
}

/// True if the centre of mass of the link's target is ready. Always true for bodies and empty links.
template <class Atomic, class Real>
ORRERY_HD bool is_ready(const LocksTree<Real>& tree, std::int32_t link) {
    return !tree.is_cell(link) || Atomic::load(tree.bodies_in[tree.cell_at(link)]) != 0;
}

/// Computes the centre of mass of a cell whose children are ready, adding them in the order of octants. The flag is
/// published with release: a thread that sees it also sees the centre.
template <class Atomic, class Real>
ORRERY_HD void compute_cell_moment(const LocksTree<Real>& tree, std::uint32_t cell) {
    MassSum<Real> sum{};
    std::uint32_t bodies = 0;
    for (unsigned octant = 0; octant < 8; ++octant) {
        const std::int32_t link = tree.child(cell, octant);
        if (link == kEmpty) continue;
        Vec4<Real> part;
        if (tree.is_cell(link)) {
            part = tree.centre[tree.cell_at(link)];
            bodies += Atomic::load(tree.bodies_in[tree.cell_at(link)]);
        } else {
            part = tree.units->scaled(tree.bodies[link]);
            ++bodies;
        }
        if (sum.count == 0) sum.about = xyz(part);
        sum.add(part);
    }
    tree.centre[cell] = sum.centre();
    Atomic::store(tree.bodies_in[cell], bodies);
}

/// Number of bodies before this one in tree order. Each thread descends on its own.
template <class Real>
ORRERY_HD std::uint32_t rank_of(const LocksTree<Real>& tree, std::uint32_t body, GridPoint at) {
    std::uint32_t rank = 0, cell = 0;
    for (int level = 0; level < kBagLevel; ++level) {
        const unsigned mine = octant_of(at, level);
        for (unsigned octant = 0; octant < mine; ++octant) {
            const std::int32_t link = tree.child(cell, octant);
            rank += tree.is_cell(link) ? tree.bodies_in[tree.cell_at(link)] : link == kEmpty ? 0 : 1;
        }
        const std::int32_t link = tree.child(cell, mine);
        if (!tree.is_cell(link)) return rank;
        cell = tree.cell_at(link);
    }
    const auto first = static_cast<std::uint32_t>(tree.child(cell, 0));
    std::uint32_t low = first, high = static_cast<std::uint32_t>(tree.child(cell, 1));
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (tree.bagged[middle] < bag_entry(cell, body))
            low = middle + 1;
        else
            high = middle;
    }
    return rank + low - first;
}

/// A child of an opened cell, as tested by the walk.
template <class Real>
struct LocksPart {
    Vec4<Real> place;     ///< position of the body or centre of mass; w: the mass
    Real reach2;          ///< squared distance beyond which it is accepted; negative: always
    std::int32_t cell;    ///< -1: a body
    std::uint32_t first;  ///< index of its first body in tree order
    std::uint32_t bodies;
};

/// The child behind `link`, which must not be kEmpty. `first`: its first body in tree order, `in_order`. A cell that
/// contains a body of the warp, [begin, end), is opened at any θ: for θ above 1/√3 a body could otherwise be far enough
/// from the centre of mass of its own cell to be attracted by itself.
template <class Real>
ORRERY_HD LocksPart<Real> part_of(const LocksTree<Real>& tree, const Vec4<Real>* in_order, std::int32_t link,
                                  std::uint32_t first, std::uint32_t begin, std::uint32_t end) {
    if (!tree.is_cell(link)) return {in_order[first], Real(-1), -1, first, 1};
    const std::uint32_t cell = tree.cell_at(link), bodies = tree.bodies_in[cell];
    const bool shared = first < end && begin < first + bodies;
    return {tree.centre[cell], shared ? std::numeric_limits<Real>::max() : tree.units->reach2[tree.level[cell]],
            static_cast<std::int32_t>(cell), first, bodies};
}

}  // namespace orrery::cuda
