// SPDX-License-Identifier: MIT
// The interaction lists of a group, filled by its walk, and their evaluation. Compiled once per instruction set.
#if defined(ORRERY_CORE_ENGINES_CPU_TREE_LISTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_CORE_ENGINES_CPU_TREE_LISTS_INL_H_
#undef ORRERY_CORE_ENGINES_CPU_TREE_LISTS_INL_H_
#else
#define ORRERY_CORE_ENGINES_CPU_TREE_LISTS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "core/engines/cpu/inverse_cube-inl.h"
#include "core/engines/cpu/tree/walk.hpp"
#include "core/physics/opening.hpp"

HWY_BEFORE_NAMESPACE();
namespace orrery::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Cells and bodies that attract a group. A full list is evaluated: the group's bodies are held in vectors, two in
/// registers at a time, and each list entry is broadcast against them. The sums over one list are partial sums, added
/// to the total afterwards, to limit rounding.
template <class Real>
class Lists {
public:
    explicit Lists(const GroupWalk<Real>& work) : work_{work} {
        const std::size_t lanes = hn::Lanes(D{});
        rows_ = (work.group.count + lanes - 1) / lanes * lanes;
        for (std::size_t i = 0; i < rows_; ++i) {  // padding rows repeat the last one and are never read
            const std::size_t at = work.group.first + std::min<std::size_t>(i, work.group.count - 1);
            const Vec4<Real>& body = work.rows[at];
            place_[0][i] = body.x, place_[1][i] = body.y, place_[2][i] = body.z;
            mass_[i] = body.w, self_[i] = static_cast<Index>(work.places ? work.places[at] : at);
            if (work.rows_low) {
                const Vec4<Real>& low = work.rows_low[at];
                place_[3][i] = low.x, place_[4][i] = low.y, place_[5][i] = low.z;
            }
            for (auto& sum : sums_) sum[i] = 0;
        }
    }

    CentredBox<Real> box() const {
        const Vec4<Real>* const bodies = work_.rows + work_.group.first;
        Vec3<Real> low = xyz(bodies[0]), high = low;
        for (std::size_t i = 1; i < work_.group.count; ++i) {
            low = {std::min(low.x, bodies[i].x), std::min(low.y, bodies[i].y), std::min(low.z, bodies[i].z)};
            high = {std::max(high.x, bodies[i].x), std::max(high.y, bodies[i].y), std::max(high.z, bodies[i].z)};
        }
        return {Real(0.5) * (low + high), Real(0.5) * (high - low)};
    }

    template <class DI, class M>
    HWY_INLINE void accept_cells(DI di, hn::Vec<DI> index, M accepted) {
        hn::StoreU(hn::Compress(index, accepted), di, cells_ + cell_count_);
        cell_count_ += hn::CountTrue(di, accepted);
        if (cell_count_ >= kCells) flush_cells();
    }

    void accept_bodies(BodySpan range) {
        while (range.count > 0) {
            const std::uint32_t part = std::min(range.count, kBodies - body_count_);
            if (range_count_ > 0 && ranges_[range_count_ - 1].first + ranges_[range_count_ - 1].count == range.first)
                ranges_[range_count_ - 1].count += part;
            else
                ranges_[range_count_++] = {range.first, part};
            body_count_ += part;
            range.first += part, range.count -= part;
            if (body_count_ == kBodies || range_count_ == kRanges) flush_bodies();
        }
    }

    /// Evaluates the remaining entries and writes the group's sums.
    WalkCounts finish() {
        if (cell_count_ > 0) flush_cells();
        if (body_count_ > 0) flush_bodies();
        for (std::size_t i = 0; i < work_.group.count; ++i)
            work_.sums[i] = {sums_[0][i], sums_[1][i], sums_[2][i], sums_[3][i]};
        return counts_;
    }

private:
    using D = hn::ScalableTag<Real>;
    using V = hn::Vec<D>;
    using Cube = InverseCube<D>;
    using Index = hwy::MakeUnsigned<Real>;
    struct Sums {
        V x, y, z, w;
    };
    using Whole = Position<Split::kNo, V>;
    static constexpr std::size_t kCells = 512, kRanges = 256;
    static constexpr std::uint32_t kBodies = 2048;

    /// kTouching in the units of the walk.
    static constexpr Real kTouch = kTouching<Real> * kTreeZoom<Real> * kTreeZoom<Real>;

    bool softened() const { return work_.softening2 > kTouch; }
    /// As root_of(), with this threshold.
    template <Softened kSoftened>
    static HWY_INLINE V root(D d, V distance2) {
        const V y = Cube::root(d, distance2);
        if constexpr (kSoftened == Softened::kYes) return y;
        return hn::IfThenElseZero(hn::Gt(distance2, hn::Set(d, kTouch)), y);
    }

    /// The mass of a body in every lane except its own, because a body has no potential in its own field; for rows from
    /// `at` on.
    HWY_INLINE V mass_beside(D d, Real mass, std::size_t body, std::size_t at) const {
        const hn::RebindToUnsigned<D> di;
        const auto self = hn::Eq(hn::Load(di, self_ + at), hn::Set(di, static_cast<Index>(body)));
        return hn::IfThenZeroElse(hn::RebindMask(d, self), hn::Set(d, mass));
    }
    /// The same for a cell whose bodies all coincide, the only kind that may be accepted although it contains a row: a
    /// row at that position is one of its bodies.
    HWY_INLINE V mass_beside(D d, const Vec4<Real>& cell, const Whole& row, std::size_t at) const {
        const auto here = hn::And(hn::Eq(row.x, hn::Set(d, cell.x)),
                                  hn::And(hn::Eq(row.y, hn::Set(d, cell.y)), hn::Eq(row.z, hn::Set(d, cell.z))));
        const V mass = hn::Set(d, cell.w);
        return hn::IfThenElse(here, hn::Sub(mass, hn::Load(d, mass_ + at)), mass);
    }
    template <Potentials kPotentials>
    HWY_INLINE V mass_of_cell(D d, Index index, const Whole& row, std::size_t at) const {
        const Vec4<Real>& cell = work_.tree.centres[index];
        if constexpr (kPotentials == Potentials::kYes)
            if (!(work_.tree.extent[index] > 0)) return mass_beside(d, cell, row, at);
        return hn::Set(d, cell.w);
    }

    static HWY_INLINE Whole broadcast(D d, const Vec4<Real>& at) {
        return {hn::Set(d, at.x), hn::Set(d, at.y), hn::Set(d, at.z)};
    }
    static HWY_INLINE Position<Split::kYes, V> broadcast(D d, const Vec4<Real>& at, const Vec4<Real>& low) {
        return {hn::Set(d, at.x),  hn::Set(d, at.y),  hn::Set(d, at.z),
                hn::Set(d, low.x), hn::Set(d, low.y), hn::Set(d, low.z)};
    }

    /// Adds the acceleration of a row by a mass at `other`. These sums lack the factor kScale.
    template <Softened kSoftened, Potentials kPotentials, class At>
    HWY_INLINE static void add_mass(D d, const At& other, V mass, const At& row, V softening2, Sums& sums) {
        const auto [dx, dy, dz] = difference(other, row);
        const V distance2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::MulAdd(dz, dz, softening2)));
        const V y = root<kSoftened>(d, distance2);
        const V factor = pair_factor(mass, y, Cube::core(d, distance2, y));
        sums.x = hn::MulAdd(factor, dx, sums.x);
        sums.y = hn::MulAdd(factor, dy, sums.y);
        sums.z = hn::MulAdd(factor, dz, sums.z);
        if constexpr (kPotentials == Potentials::kYes)
            sums.w = hn::MulAdd(mass, Cube::inverse(d, distance2, y), sums.w);
    }

    /// The same for a cell with its quadrupole (add_quadrupole() in core/physics/multipole.hpp); these sums do not lack
    /// kScale.
    template <Softened kSoftened, Potentials kPotentials>
    HWY_INLINE void add_quadrupole(D d, Index index, const Whole& row, std::size_t at, V softening2, Sums& sums) const {
        const Vec4<Real>& cell = work_.tree.centres[index];
        const Quadrupole<Real>& q = work_.tree.quadrupoles[index];
        const auto [dx, dy, dz] = difference(broadcast(d, cell), row);
        const V distance2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::MulAdd(dz, dz, softening2)));
        const V y = Cube::inverse(d, distance2, root<kSoftened>(d, distance2));
        const V mass = mass_of_cell<kPotentials>(d, index, row, at), y2 = hn::Mul(y, y), y3 = hn::Mul(y, y2),
                y5 = hn::Mul(y3, y2);
        const V xx = hn::Set(d, q.xx), yy = hn::Set(d, q.yy), zz = hn::Set(d, q.zz);
        const V xy = hn::Set(d, q.xy), xz = hn::Set(d, q.xz), yz = hn::Set(d, q.yz);
        const V half_trace = hn::Set(d, Real(0.5) * q.trace());
        const V qx = hn::MulAdd(xx, dx, hn::MulAdd(xy, dy, hn::Mul(xz, dz)));
        const V qy = hn::MulAdd(xy, dx, hn::MulAdd(yy, dy, hn::Mul(yz, dz)));
        const V qz = hn::MulAdd(xz, dx, hn::MulAdd(yz, dy, hn::Mul(zz, dz)));
        const V p = hn::Mul(hn::MulAdd(qx, dx, hn::MulAdd(qy, dy, hn::Mul(qz, dz))), y2);
        const V factor = hn::MulAdd(mass, y3, hn::Mul(y5, hn::MulSub(hn::Set(d, Real(2.5)), p, half_trace)));
        sums.x = hn::MulAdd(factor, dx, hn::NegMulAdd(y5, qx, sums.x));
        sums.y = hn::MulAdd(factor, dy, hn::NegMulAdd(y5, qy, sums.y));
        sums.z = hn::MulAdd(factor, dz, hn::NegMulAdd(y5, qz, sums.z));
        if constexpr (kPotentials == Potentials::kYes) {
            const V deep = hn::MulSub(hn::Set(d, Real(0.5)), p, hn::Mul(hn::Set(d, Real(1) / 3), half_trace));
            sums.w = hn::MulAdd(mass, y, hn::MulAdd(deep, y3, sums.w));
        }
    }

    template <Split kSplit>
    HWY_INLINE Position<kSplit, V> rows(D d, std::size_t i) const {
        const auto load = [&](std::size_t plane) { return hn::Load(d, place_[plane] + i); };
        if constexpr (kSplit == Split::kYes)
            return {load(0), load(1), load(2), load(3), load(4), load(5)};
        else
            return {load(0), load(1), load(2)};
    }
    template <Potentials kPotentials>
    HWY_INLINE void add(D d, const Sums& sums, Real by, std::size_t i) {
        const V factor = hn::Set(d, by);
        hn::Store(hn::MulAdd(sums.x, factor, hn::Load(d, sums_[0] + i)), d, sums_[0] + i);
        hn::Store(hn::MulAdd(sums.y, factor, hn::Load(d, sums_[1] + i)), d, sums_[1] + i);
        hn::Store(hn::MulAdd(sums.z, factor, hn::Load(d, sums_[2] + i)), d, sums_[2] + i);
        if constexpr (kPotentials == Potentials::kYes)
            hn::Store(hn::Add(sums.w, hn::Load(d, sums_[3] + i)), d, sums_[3] + i);
    }

    /// Calls each(with_rows) for two vectors of rows at a time, and for a last single one. `each` iterates over a list
    /// and passes with_rows() a function that evaluates an entry for the rows from a given index on. `by`: the factor
    /// that these sums lack.
    template <Potentials kPotentials, Split kSplit, class Each>
    HWY_INLINE void for_rows(Real by, const Each& each) {
        const D d;
        const std::size_t lanes = hn::Lanes(d);
        const V zero = hn::Zero(d);
        std::size_t i = 0;
        for (; i + 2 * lanes <= rows_; i += 2 * lanes) {
            const Position<kSplit, V> row[2] = {rows<kSplit>(d, i), rows<kSplit>(d, i + lanes)};
            Sums a{zero, zero, zero, zero}, b = a;
            each([&](const auto& interact) { interact(row[0], i, a), interact(row[1], i + lanes, b); });
            add<kPotentials>(d, a, by, i), add<kPotentials>(d, b, by, i + lanes);
        }
        if (i < rows_) {
            const Position<kSplit, V> row = rows<kSplit>(d, i);
            Sums a{zero, zero, zero, zero};
            each([&](const auto& interact) { interact(row, i, a); });
            add<kPotentials>(d, a, by, i);
        }
    }

    template <Softened kSoftened, Potentials kPotentials>
    void acceleration_by_cells() {
        const D d;
        const V softening2 = hn::Set(d, work_.softening2);
        constexpr auto scale = static_cast<Real>(Cube::kScale);
        if (work_.quadrupoles)
            for_rows<kPotentials, Split::kNo>(1, [&](const auto& with_rows) {
                for (std::size_t k = 0; k < cell_count_; ++k)
                    with_rows([&](const Whole& row, std::size_t at, Sums& sums) {
                        add_quadrupole<kSoftened, kPotentials>(d, cells_[k], row, at, softening2, sums);
                    });
            });
        else
            for_rows<kPotentials, Split::kNo>(scale, [&](const auto& with_rows) {
                for (std::size_t k = 0; k < cell_count_; ++k) {
                    const Vec4<Real>& cell = work_.tree.centres[cells_[k]];
                    with_rows([&](const Whole& row, std::size_t at, Sums& sums) {
                        const V mass = mass_of_cell<kPotentials>(d, cells_[k], row, at);
                        add_mass<kSoftened, kPotentials>(d, broadcast(d, cell), mass, row, softening2, sums);
                    });
                }
            });
    }

    template <Softened kSoftened, Potentials kPotentials, Split kSplit>
    void acceleration_by_bodies() {
        const D d;
        const V softening2 = hn::Set(d, work_.softening2);
        constexpr auto scale = static_cast<Real>(Cube::kScale);
        const auto selves = std::minmax_element(self_, self_ + work_.group.count);
        for_rows<kPotentials, kSplit>(scale, [&](const auto& with_rows) {
            for (std::size_t r = 0; r < range_count_; ++r) {
                for (std::size_t i = ranges_[r].first; i != ranges_[r].first + ranges_[r].count; ++i) {
                    const Vec4<Real>& body = work_.tree.bodies[i];
                    const Position<kSplit, V> other = [&] {
                        if constexpr (kSplit == Split::kYes)
                            return broadcast(d, body, work_.tree.low[i]);
                        else
                            return broadcast(d, body);
                    }();
                    const bool own = kPotentials == Potentials::kYes && i >= *selves.first && i <= *selves.second;
                    with_rows([&](const Position<kSplit, V>& row, std::size_t at, Sums& sums) {
                        const V mass = own ? mass_beside(d, body.w, i, at) : hn::Set(d, body.w);
                        add_mass<kSoftened, kPotentials>(d, other, mass, row, softening2, sums);
                    });
                }
            }
        });
    }

    /// Calls work.operator()<…>() with the template arguments for this walk's arithmetic.
    template <class Work>
    void dispatch(const Work& work) {
        using enum Softened;
        if (work_.potential)
            softened() ? work.template operator()<kYes, Potentials::kYes>()
                       : work.template operator()<kNo, Potentials::kYes>();
        else
            softened() ? work.template operator()<kYes, Potentials::kNo>()
                       : work.template operator()<kNo, Potentials::kNo>();
    }

    void flush_cells() {
        dispatch([this]<Softened kS, Potentials kP>() { acceleration_by_cells<kS, kP>(); });
        counts_.cells += cell_count_;
        cell_count_ = 0;
    }

    void flush_bodies() {
        dispatch([this]<Softened kS, Potentials kP>() {
            if constexpr (sizeof(Real) == sizeof(float))
                if (work_.tree.low) return acceleration_by_bodies<kS, kP, Split::kYes>();
            acceleration_by_bodies<kS, kP, Split::kNo>();
        });
        counts_.bodies += body_count_;
        body_count_ = 0, range_count_ = 0;
    }

    const GroupWalk<Real>& work_;
    WalkCounts counts_;
    std::size_t rows_, cell_count_ = 0, range_count_ = 0;
    std::uint32_t body_count_ = 0;
    HWY_ALIGN Real place_[6][kMostGroup];  // x, y, z and their low parts
    HWY_ALIGN Real sums_[4][kMostGroup], mass_[kMostGroup];
    HWY_ALIGN Index self_[kMostGroup];  // positions of the rows in the tree
    BodySpan ranges_[kRanges];
    Index cells_[kCells + 16];  // whole vectors are stored
};

}  // namespace orrery::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
