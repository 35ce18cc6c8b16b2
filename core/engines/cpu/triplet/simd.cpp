// SPDX-License-Identifier: MIT
// All triplets of three tiles, compiled by Highway once per instruction set and dispatched at run time.
#include "core/engines/cpu/triplet/simd.hpp"

#include <algorithm>

#include "core/physics/gravity.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engines/cpu/triplet/simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace orrery::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// One number for each pair of bodies of two tiles, in rows of kTripletMostSide.
template <class Real>
struct PairTable {
    HWY_ALIGN Real at[kTripletMostSide][kTripletMostSide];
};

/// Sides are computed once per pair of bodies, so triplets need no root. The contributions of all triplets along a side
/// are summed per side, and converted to forces at the end.
///
/// Scalar products of two sides are computed from the squares of all three. With split positions they are computed from
/// the side vectors instead: the square of a short side would be lost in the sum, leaving only rounding error.
template <class Real, bool kPotential, bool kSplit>
struct TripletLoop {
    using D = hn::CappedTag<Real, kTripletStep>;
    using V = hn::Vec<D>;

    const TripletTile<Real>& work;
    PairTable<Real> half_ik, inverse_ik, half_jk, inverse_jk;
    PairTable<Real> way_ik[kSplit ? 3 : 1], way_jk[kSplit ? 3 : 1];  // side vectors, for split positions only
    PairTable<Real> push_ij, push_jk, push_ik, energy_ij, energy_ik;

    explicit TripletLoop(const TripletTile<Real>& tile) : work{tile} {}

    struct Way {
        V x, y, z;
    };
    struct Sides {
        V half, inverse;
    };
    static HWY_INLINE V product(const Way& a, const Way& b, V more) {
        return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::MulAdd(a.z, b.z, more)));
    }
    static HWY_INLINE Sides sides(D d, const Way& way, V softening2) {
        const V r2 = product(way, way, softening2);
        const V inverse = hn::Div(hn::Set(d, Real(1)), hn::Sqrt(r2));
        return {hn::Mul(hn::Set(d, Real(0.5)), r2),
                hn::IfThenElseZero(hn::Gt(r2, hn::Set(d, kTouching<Real>)), inverse)};
    }

    const Real* plane(const Real* tile, std::size_t c) const { return tile + c * work.side; }

    /// Displacements along an axis from body `r` of one tile to bodies `c` and following of another.
    HWY_INLINE V along(D d, std::size_t axis, const Real* from, std::size_t r, const Real* to, std::size_t c) const {
        const V way = hn::Sub(hn::Load(d, plane(to, axis) + c), hn::Set(d, plane(from, axis)[r]));
        if constexpr (!kSplit) return way;
        return hn::Add(way, hn::Sub(hn::Load(d, plane(to, 4 + axis) + c), hn::Set(d, plane(from, 4 + axis)[r])));
    }
    HWY_INLINE Way way_to(D d, const Real* from, std::size_t r, const Real* to, std::size_t c) const {
        return {along(d, 0, from, r, to, c), along(d, 1, from, r, to, c), along(d, 2, from, r, to, c)};
    }
    static HWY_INLINE Way load(D d, const PairTable<Real>* way, std::size_t r, std::size_t c) {
        return {hn::Load(d, way[0].at[r] + c), hn::Load(d, way[1].at[r] + c), hn::Load(d, way[2].at[r] + c)};
    }

    /// Computes the sides from each body of one tile to each of another; within one tile only those to later bodies.
    void measure(const Real* from, std::size_t rows, const Real* to, bool same, PairTable<Real>& half,
                 PairTable<Real>& inverse, PairTable<Real>* ways) const {
        const D d;
        const V softening2 = hn::Set(d, work.softening2);
        for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t c = 0; c < work.side; c += hn::Lanes(d)) {
                const Way way = way_to(d, from, r, to, c);
                const Sides s = sides(d, way, softening2);
                hn::Store(s.inverse, d, inverse.at[r] + c);
                if constexpr (kSplit) {
                    hn::Store(way.x, d, ways[0].at[r] + c), hn::Store(way.y, d, ways[1].at[r] + c);
                    hn::Store(way.z, d, ways[2].at[r] + c);
                } else {
                    hn::Store(s.half, d, half.at[r] + c);
                }
            }
            if (same) std::fill_n(inverse.at[r], r + 1, Real(0));
        }
    }

    void run() {
        measure(work.i, work.in_i, work.k, false, half_ik, inverse_ik, way_ik);
        measure(work.j, work.in_j, work.k, work.same_jk, half_jk, inverse_jk, way_jk);
        clear(push_ij), clear(push_jk), clear(push_ik);
        if constexpr (kPotential) clear(energy_ij), clear(energy_ik);
        const D d;
        for (std::size_t i = 0; i < work.in_i; ++i)
            for (std::size_t j = work.same_ij ? i + 1 : 0; j < work.in_j; ++j) interact(d, i, j);
        spread(work.i, work.in_i, work.sum_i, work.j, work.sum_j, push_ij, kPotential ? &energy_ij : nullptr, true);
        spread(work.j, work.in_j, work.sum_j, work.k, work.sum_k, push_jk, nullptr, false);
        spread(work.i, work.in_i, work.sum_i, work.k, work.sum_k, push_ik, kPotential ? &energy_ik : nullptr, false);
    }

    static void clear(PairTable<Real>& table) {
        for (auto& row : table.at) std::fill_n(row, kTripletMostSide, Real(0));
    }

    struct Corners {
        V i, j, k;
    };
    /// Scalar products of the two sides that meet at each body.
    HWY_INLINE Corners corners(D d, const Way& way_ij, const Sides& ij, std::size_t i, std::size_t j,
                               std::size_t k) const {
        if constexpr (kSplit) {
            const Way ik = load(d, way_ik, i, k), jk = load(d, way_jk, j, k);
            const V soft = hn::Set(d, work.softening2 / 2);
            return {product(way_ij, ik, soft), hn::Sub(soft, product(way_ij, jk, hn::Zero(d))), product(ik, jk, soft)};
        } else {
            const V half_b = hn::Load(d, half_jk.at[j] + k), half_c = hn::Load(d, half_ik.at[i] + k);
            const V at_k = hn::Sub(hn::Add(half_b, half_c), ij.half), two = hn::Set(d, Real(2));
            return {hn::MulSub(two, half_c, at_k), hn::MulSub(two, half_b, at_k), at_k};
        }
    }

    /// triplet_push() of core/physics/law.hpp for bodies i and j with every body of the third tile.
    HWY_INLINE void interact(D d, std::size_t i, std::size_t j) {
        const auto between = [&](std::size_t axis) {
            const Real way = plane(work.j, axis)[j] - plane(work.i, axis)[i];
            return hn::Set(d, kSplit ? way + (plane(work.j, 4 + axis)[j] - plane(work.i, 4 + axis)[i]) : way);
        };
        const Way way_ij{between(0), between(1), between(2)};
        const Sides ij = sides(d, way_ij, hn::Set(d, work.softening2));
        const V a = ij.inverse, a2 = hn::Mul(a, a), one = hn::Set(d, Real(1));
        const V mass_i = hn::Set(d, plane(work.i, 3)[i]), mass_j = hn::Set(d, plane(work.j, 3)[j]);
        V push = hn::Zero(d), energy = hn::Zero(d);
        const std::size_t first = work.same_jk ? (j + 1) / hn::Lanes(d) * hn::Lanes(d) : 0;
        for (std::size_t k = first; k < work.in_k; k += hn::Lanes(d)) {
            const V b = hn::Load(d, inverse_jk.at[j] + k), c = hn::Load(d, inverse_ik.at[i] + k);
            const V mass_k = hn::Load(d, plane(work.k, 3) + k);
            const auto [at_i, at_j, at_k] = corners(d, way_ij, ij, i, j, k);
            const V by_k = hn::Mul(b, c), by_i = hn::Mul(c, a), by_j = hn::Mul(a, b);
            const V cos_k = hn::Mul(at_k, by_k), cos_i = hn::Mul(at_i, by_i), cos_j = hn::Mul(at_j, by_j);
            const V s = hn::Mul(a, by_k), s3 = hn::Mul(s, hn::Mul(s, s));
            const V both = hn::Mul(cos_i, cos_j), all = hn::Mul(both, cos_k);
            const V kappa = hn::MulAdd(hn::Set(d, Real(5)), all, one);
            const V on_ij = hn::MulAdd(kappa, a2, hn::Mul(hn::Sub(both, cos_k), by_k));
            const V on_jk = hn::MulAdd(kappa, hn::Mul(b, b), hn::Mul(hn::MulSub(cos_j, cos_k, cos_i), by_i));
            const V on_ik = hn::MulAdd(kappa, hn::Mul(c, c), hn::Mul(hn::MulSub(cos_i, cos_k, cos_j), by_j));
            push = hn::MulAdd(hn::Mul(mass_k, s3), on_ij, push);
            add(d, push_jk.at[j] + k, hn::Mul(mass_i, s3), on_jk);
            add(d, push_ik.at[i] + k, hn::Mul(mass_j, s3), on_ik);
            if constexpr (kPotential) {
                const V e = hn::MulAdd(hn::Set(d, Real(3)), all, one);
                energy = hn::MulAdd(hn::Mul(mass_k, s3), e, energy);
                add(d, energy_ik.at[i] + k, hn::Mul(mass_j, s3), e);
            }
        }
        push_ij.at[i][j] = total(d, push);
        if constexpr (kPotential) energy_ij.at[i][j] = total(d, energy);
    }

    static Real total(D d, V lanes) { return hn::GetLane(hn::SumOfLanes(d, lanes)); }

    static HWY_INLINE void add(D d, Real* at, V factor, V value) {
        hn::Store(hn::MulAdd(factor, value, hn::Load(d, at)), d, at);
    }

    /// Converts pushes along sides to forces on the bodies at their ends. A side's energies go to both its ends, or
    /// only to the column's, so that each body receives each of its triplets once.
    void spread(const Real* from, std::size_t rows, double* row_sum, const Real* to, double* column_sum,
                const PairTable<Real>& push, const PairTable<Real>* energy, bool energy_to_rows) const {
        const D d;
        HWY_ALIGN Real gathered[4][kTripletMostSide] = {};
        for (std::size_t r = 0; r < rows; ++r) {
            const V mass = hn::Set(d, plane(from, 3)[r]);
            V sx = hn::Zero(d), sy = hn::Zero(d), sz = hn::Zero(d), sw = hn::Zero(d);
            for (std::size_t c = 0; c < work.side; c += hn::Lanes(d)) {
                const V p = hn::Load(d, push.at[r] + c), other = hn::Load(d, plane(to, 3) + c);
                const Way way = way_to(d, from, r, to, c);
                const V dx = hn::Mul(p, way.x), dy = hn::Mul(p, way.y), dz = hn::Mul(p, way.z);
                sx = hn::MulAdd(other, dx, sx), sy = hn::MulAdd(other, dy, sy), sz = hn::MulAdd(other, dz, sz);
                add(d, gathered[0] + c, mass, dx), add(d, gathered[1] + c, mass, dy), add(d, gathered[2] + c, mass, dz);
                if constexpr (kPotential) {
                    if (!energy) continue;
                    const V e = hn::Load(d, energy->at[r] + c);
                    sw = hn::MulAdd(other, e, sw);
                    add(d, gathered[3] + c, mass, e);
                }
            }
            row_sum[r] -= double(total(d, sx));
            row_sum[work.side + r] -= double(total(d, sy));
            row_sum[2 * work.side + r] -= double(total(d, sz));
            if (kPotential && energy_to_rows) row_sum[3 * work.side + r] += double(total(d, sw));
        }
        for (std::size_t plane = 0; plane < (kPotential ? 4 : 3); ++plane)
            for (std::size_t c = 0; c < work.side; ++c) column_sum[plane * work.side + c] += double(gathered[plane][c]);
    }
};

template <class Real, bool kSplit>
void run_tile(const TripletTile<Real>& work) {
    if (work.potential)
        TripletLoop<Real, true, kSplit>{work}.run();
    else
        TripletLoop<Real, false, kSplit>{work}.run();
}
void tile_float(const TripletTile<float>& work) { run_tile<float, false>(work); }
void tile_split(const TripletTile<float>& work) { run_tile<float, true>(work); }
void tile_double(const TripletTile<double>& work) { run_tile<double, false>(work); }

}  // namespace orrery::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery {

HWY_EXPORT(tile_float);
HWY_EXPORT(tile_split);
HWY_EXPORT(tile_double);

void triplet_tile(const TripletTile<float>& work) {
    work.split ? HWY_DYNAMIC_DISPATCH(tile_split)(work) : HWY_DYNAMIC_DISPATCH(tile_float)(work);
}
void triplet_tile(const TripletTile<double>& work) { HWY_DYNAMIC_DISPATCH(tile_double)(work); }

}  // namespace orrery
#endif
