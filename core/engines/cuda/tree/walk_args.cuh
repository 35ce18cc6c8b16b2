// SPDX-License-Identifier: MIT
#pragma once
// Arguments of the tree walk, and the acceptance criterion (MAC) applied to a group's bounding box.
#include <algorithm>

#include "core/engines/cuda/tree/cells.cuh"
#include "core/physics/opening.hpp"

namespace orrery::cuda {

/// Groups that a rank walks. The order of groups differs between builds, but not their bodies, so pieces of the curve
/// are assigned round-robin: dense regions, which have long walks, are spread over all ranks.
struct WalkRanks {
    std::uint32_t rank = 0, count = 1;
    std::uint32_t piece = 1;  ///< bodies per piece
    ORRERY_HD bool mine(std::uint32_t first_body) const { return count == 1 || first_body / piece % count == rank; }
};
inline WalkRanks pieces_of(int rank, int count, std::uint64_t bodies) {
    const auto ranks = static_cast<std::uint32_t>(count);
    return {static_cast<std::uint32_t>(rank), ranks,
            static_cast<std::uint32_t>(std::clamp<std::uint64_t>(bodies / (64 * ranks), 64, 4096))};
}

template <class Real>
struct WalkArgs {
    TreeView<Real> tree;
    std::uint64_t first, last, items;  ///< the share of all groups to walk: [first, last) of `items` parts
    MacKind rule;
    Vec4<Real>* acceleration;
    double G;
    WalkRanks ranks;
    /// Optional second destination of accelerations, in tree order. Without potentials, w holds the index of the
    /// scene's body, encoded by as_real().
    Vec4<Real>* in_order = nullptr;
    /// If not null, only these bodies are evaluated (see DueRows). Groups then have fewer bodies, or none.
    const std::uint32_t *due_before = nullptr, *due_rows = nullptr;
};

/// Stores a 32-bit number in a Real, and reads it back.
template <class Real>
__device__ Real as_real(std::uint32_t number) {
    if constexpr (sizeof(Real) == 4)
        return __uint_as_float(number);
    else
        return __longlong_as_double(number);
}
template <class Real>
__device__ std::uint32_t as_number(Real real) {
    if constexpr (sizeof(Real) == 4)
        return __float_as_uint(real);
    else
        return static_cast<std::uint32_t>(__double_as_longlong(real));
}

/// The bodies of a group, given its number below the sum of groups_of_level. For whole warps, each lane of which has
/// the number of groups of its level and of the levels before.
template <class Real>
__device__ BodyRange group_at(const TreeView<Real>& tree, std::uint64_t group, std::uint32_t of_level,
                              std::uint32_t earlier) {
    // The group belongs to the last non-empty level that begins at or before it.
    const int level = 31 - __clz(static_cast<int>(__ballot_sync(~0u, earlier <= group && of_level > 0)));
    const std::uint64_t place = group - __shfl_sync(~0u, earlier, level) + level * tree.groups_room;
    return tree.groups[place];
}
template <class Real>
__device__ std::uint32_t groups_of_own_level(const TreeView<Real>& tree) {
    return threadIdx.x % 32 < unsigned{kTreeLevels} ? tree.state->groups_of_level[threadIdx.x % 32] : 0;
}

/// True if a group, given by its box and its reference acceleration, accepts a cell.
template <class Real>
__device__ __forceinline__ bool accepts(const TreeView<Real>& tree, MacKind rule, int order,
                                        const CentredBox<Real>& box, Real acceleration_norm, const Vec4<Real>& centre,
                                        Real threshold, Real extent, std::uint32_t cell) {
    const Vec3<Real> off = outside(box, xyz(centre));
    const Real d2 = dot(off, off);
    if (rule == MacKind::kGeometric) return accept_geometric(d2, threshold);
    if (!accept_relative(d2, order == 2 ? sqrt(d2) : Real(0), threshold, acceleration_norm, order)) return false;
    return apart(off, extent) || !overlap(box, tree.lows[cell], tree.highs[cell]);
}

/// Source indices of cells: any cell, and a cell whose bodies all coincide. The index of a body is its position in the
/// tree.
constexpr std::uint32_t kNoBody = ~0u, kOnePlace = ~0u - 1;

/// The mass with which `other` acts on the potential of a row, excluding the row itself. If all bodies of a cell
/// coincide with the row, the row is one of them; no other cell that contains a row acts as a whole.
template <class Real>
__device__ __forceinline__ Real mass_on_row(const Vec4<Real>& other, std::uint32_t acting, const Vec4<Real>& row,
                                            std::uint32_t row_at) {
    if (acting == row_at) return 0;
    const bool here = acting == kOnePlace && row.x == other.x && row.y == other.y && row.z == other.z;
    return here ? other.w - row.w : other.w;
}

/// Computes the bounding box and reference acceleration of a group. For whole warps.
template <class Real>
struct GroupEntry {
    Vec3<Real> low, high;
    Real weakest, of_heavy, norms = 0;

    __device__ GroupEntry() {
        const Real far = std::numeric_limits<Real>::max();
        low = {far, far, far}, high = {-far, -far, -far}, weakest = of_heavy = far;
    }
    __device__ void add(const Vec4<Real>& at) {
        low = {min(low.x, at.x), min(low.y, at.y), min(low.z, at.z)};
        high = {max(high.x, at.x), max(high.y, at.y), max(high.z, at.z)};
    }
    /// Adds body `i` of the tree. `counts`: false for padding, which repeats the last body. The total mass is about 1.
    __device__ void add_norm(const TreeView<Real>& tree, std::uint32_t i, bool counts) {
        const Real acceleration_norm = tree.acceleration_norm[i], mass = tree.bodies[i].w, bodies = Real(tree.count);
        weakest = min(weakest, acceleration_norm);
        norms += counts ? acceleration_norm : 0;
        if (mass >= heavy_from(Real(1), bodies)) of_heavy = min(of_heavy, heavy_acceleration(acceleration_norm));
    }
    __device__ CentredBox<Real> box() const {
        const Vec3<Real> a{warp_min(low.x), warp_min(low.y), warp_min(low.z)},
            b{-warp_min(-high.x), -warp_min(-high.y), -warp_min(-high.z)};
        return {Real(0.5) * (a + b), Real(0.5) * (b - a)};
    }
    __device__ Real acceleration(std::uint32_t bodies, Real mean_of_all) const {
        const Real a = group_acceleration(warp_min(weakest), warp_sum(norms) / Real(bodies), mean_of_all);
        // If a body is not finite, neither are the forces, so do not open every cell.
        return a != a ? std::numeric_limits<Real>::max() : min(a, warp_min(of_heavy));
    }
};

}  // namespace orrery::cuda
