// SPDX-License-Identifier: MIT
// What a walk has found for a group, and its evaluation. Compiled once per instruction set.
#if defined(ORRERY_CORE_ENGINES_CPU_TREE_LISTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_CORE_ENGINES_CPU_TREE_LISTS_INL_H_
#undef ORRERY_CORE_ENGINES_CPU_TREE_LISTS_INL_H_
#else
#define ORRERY_CORE_ENGINES_CPU_TREE_LISTS_INL_H_
#endif

#include <hwy/highway.h>

#include "core/engines/cpu/inverse_cube-inl.h"
#include "core/engines/cpu/tree_walk.hpp"
#include "core/physics/opening.hpp"

HWY_BEFORE_NAMESPACE();
namespace orrery::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

enum class Terms { kMonopole, kQuadrupole };

/// Cells and bodies that pull a group. A full list is evaluated: the group's bodies in vectors, two at a time in
/// registers, each entry of the list broadcast to them. Sums over one list are partial sums, added to the total
/// afterwards, against rounding.
template <class Real>
class Lists {
public:
    explicit Lists(const GroupWalk<Real>& work) : work_{work} {
        const std::size_t lanes = hn::Lanes(D{});
        rows_ = (work.group.count + lanes - 1) / lanes * lanes;
        for (std::size_t i = 0; i < rows_; ++i) {  // rows beyond the end repeat the last one; nobody reads them
            const Vec4<Real>& body =
                work.tree.bodies[work.group.first + std::min<std::size_t>(i, work.group.count - 1)];
            x_[i] = body.x, y_[i] = body.y, z_[i] = body.z;
            for (auto& sum : sums_) sum[i] = 0;
        }
    }

    Box<Real> box() const {
        const Vec4<Real>* const bodies = work_.tree.bodies + work_.group.first;
        Vec3<Real> low = xyz(bodies[0]), high = low;
        for (std::size_t i = 1; i < work_.group.count; ++i) {
            low = {std::min(low.x, bodies[i].x), std::min(low.y, bodies[i].y), std::min(low.z, bodies[i].z)};
            high = {std::max(high.x, bodies[i].x), std::max(high.y, bodies[i].y), std::max(high.z, bodies[i].z)};
        }
        return {Real(0.5) * (low + high), Real(0.5) * (high - low)};
    }

    template <class DI, class M>
    HWY_INLINE void take_cells(DI di, hn::Vec<DI> index, M taken) {
        hn::StoreU(hn::Compress(index, taken), di, cells_ + cell_count_);
        cell_count_ += hn::CountTrue(di, taken);
        if (cell_count_ >= kCells) empty_cells();
    }

    void take_bodies(BodyRange range) {
        while (range.count > 0) {
            const std::uint32_t part = std::min(range.count, kBodies - body_count_);
            if (range_count_ > 0 && ranges_[range_count_ - 1].first + ranges_[range_count_ - 1].count == range.first)
                ranges_[range_count_ - 1].count += part;
            else
                ranges_[range_count_++] = {range.first, part};
            body_count_ += part;
            range.first += part, range.count -= part;
            if (body_count_ == kBodies || range_count_ == kRanges) empty_bodies();
        }
    }

    /// Evaluates what is left and writes the group's sums.
    WalkCounts finish() {
        if (cell_count_ > 0) empty_cells();
        if (body_count_ > 0) empty_bodies();
        // The potential's loop met the body itself too, at 1/ε, alone or in a cell: taken away again by the loop's own
        // arithmetic, so that a body alone has none.
        const D d;
        const V softening2 = hn::Set(d, work_.softening2);
        const Real own = softened() ? hn::GetLane(Cube::inverse(d, softening2, Cube::root(d, softening2))) : Real(0);
        const auto scale = static_cast<Real>(Cube::kScale);
        for (std::size_t i = 0; i < work_.group.count; ++i)
            work_.sums[i] = {scale * sums_[0][i], scale * sums_[1][i], scale * sums_[2][i],
                             sums_[3][i] - work_.tree.bodies[work_.group.first + i].w * own};
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
    struct Rows {
        V x, y, z;
    };
    static constexpr std::size_t kCells = 512, kRanges = 256;
    static constexpr std::uint32_t kBodies = 2048;

    bool softened() const { return work_.softening2 > kTouching<Real>; }

    template <Softened kSoftened, Potentials kPotentials, Terms kTerms>
    HWY_INLINE void add_cell(D d, Index index, const Rows& row, V softening2, Sums& sums) const {
        const Vec4<Real>& cell = work_.tree.centres[index];
        const V dx = hn::Sub(hn::Set(d, cell.x), row.x);
        const V dy = hn::Sub(hn::Set(d, cell.y), row.y);
        const V dz = hn::Sub(hn::Set(d, cell.z), row.z);
        const V distance2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::MulAdd(dz, dz, softening2)));
        const V y = root_of<kSoftened>(d, distance2), mass = hn::Set(d, cell.w);
        V pull = pull_of(mass, y, Cube::core(d, distance2, y));
        if constexpr (kPotentials == Potentials::kYes)
            sums.w = hn::MulAdd(mass, Cube::inverse(d, distance2, y), sums.w);
        if constexpr (kTerms == Terms::kQuadrupole) {  // core/physics/multipole.hpp: add_quadrupole()
            const Quadrupole<Real>& q = work_.tree.quadrupoles[index];
            const V xx = hn::Set(d, q.xx), yy = hn::Set(d, q.yy), zz = hn::Set(d, q.zz);
            const V xy = hn::Set(d, q.xy), xz = hn::Set(d, q.xz), yz = hn::Set(d, q.yz);
            const V trace = hn::Set(d, q.trace());
            const V qx = hn::MulAdd(xx, dx, hn::MulAdd(xy, dy, hn::Mul(xz, dz)));
            const V qy = hn::MulAdd(xy, dx, hn::MulAdd(yy, dy, hn::Mul(yz, dz)));
            const V qz = hn::MulAdd(xz, dx, hn::MulAdd(yz, dy, hn::Mul(zz, dz)));
            const V p = hn::MulAdd(qx, dx, hn::MulAdd(qy, dy, hn::Mul(qz, dz)));
            const V inverse = Cube::inverse(d, distance2, y), y2 = hn::Mul(inverse, inverse);
            const V along = hn::MulSub(hn::Mul(hn::Set(d, Real(2.5)), p), y2, hn::Mul(hn::Set(d, Real(0.5)), trace));
            const V y5 = hn::Mul(hn::Mul(hn::Mul(y2, y2), inverse), hn::Set(d, Real(1 / Cube::kScale)));
            pull = hn::MulAdd(along, y5, pull);
            sums.x = hn::NegMulAdd(y5, qx, sums.x);
            sums.y = hn::NegMulAdd(y5, qy, sums.y);
            sums.z = hn::NegMulAdd(y5, qz, sums.z);
            if constexpr (kPotentials == Potentials::kYes) {
                const V deep =
                    hn::MulSub(hn::Mul(hn::Set(d, Real(0.5)), p), y2, hn::Mul(hn::Set(d, Real(1) / 6), trace));
                sums.w = hn::MulAdd(hn::Mul(deep, y2), inverse, sums.w);
            }
        }
        sums.x = hn::MulAdd(pull, dx, sums.x);
        sums.y = hn::MulAdd(pull, dy, sums.y);
        sums.z = hn::MulAdd(pull, dz, sums.z);
    }

    template <Softened kSoftened, Potentials kPotentials>
    HWY_INLINE void add_body(D d, const Vec4<Real>& body, const Rows& row, V softening2, Sums& sums) const {
        const V dx = hn::Sub(hn::Set(d, body.x), row.x);
        const V dy = hn::Sub(hn::Set(d, body.y), row.y);
        const V dz = hn::Sub(hn::Set(d, body.z), row.z);
        const V distance2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::MulAdd(dz, dz, softening2)));
        const V y = root_of<kSoftened>(d, distance2), mass = hn::Set(d, body.w);
        const V pull = pull_of(mass, y, Cube::core(d, distance2, y));
        sums.x = hn::MulAdd(pull, dx, sums.x);
        sums.y = hn::MulAdd(pull, dy, sums.y);
        sums.z = hn::MulAdd(pull, dz, sums.z);
        if constexpr (kPotentials == Potentials::kYes)
            sums.w = hn::MulAdd(mass, Cube::inverse(d, distance2, y), sums.w);
    }

    HWY_INLINE Rows rows(D d, std::size_t i) const {
        return {hn::Load(d, x_ + i), hn::Load(d, y_ + i), hn::Load(d, z_ + i)};
    }
    template <Potentials kPotentials>
    HWY_INLINE void add(D d, const Sums& sums, std::size_t i) {
        hn::Store(hn::Add(hn::Load(d, sums_[0] + i), sums.x), d, sums_[0] + i);
        hn::Store(hn::Add(hn::Load(d, sums_[1] + i), sums.y), d, sums_[1] + i);
        hn::Store(hn::Add(hn::Load(d, sums_[2] + i), sums.z), d, sums_[2] + i);
        if constexpr (kPotentials == Potentials::kYes)
            hn::Store(hn::Add(hn::Load(d, sums_[3] + i), sums.w), d, sums_[3] + i);
    }

    /// Calls entry(row, sums) … for one and two vectors of rows at a time; `each` goes over the list.
    template <Potentials kPotentials, class Each>
    HWY_INLINE void for_rows(const Each& each) {
        const D d;
        const std::size_t lanes = hn::Lanes(d);
        const V zero = hn::Zero(d);
        std::size_t i = 0;
        for (; i + 2 * lanes <= rows_; i += 2 * lanes) {
            const Rows row[2] = {rows(d, i), rows(d, i + lanes)};
            Sums a{zero, zero, zero, zero}, b = a;
            each([&](const auto& meet) { meet(row[0], a), meet(row[1], b); });
            add<kPotentials>(d, a, i), add<kPotentials>(d, b, i + lanes);
        }
        if (i < rows_) {
            const Rows row = rows(d, i);
            Sums a{zero, zero, zero, zero};
            each([&](const auto& meet) { meet(row, a); });
            add<kPotentials>(d, a, i);
        }
    }

    template <Softened kSoftened, Potentials kPotentials, Terms kTerms>
    void pull_by_cells() {
        const D d;
        const V softening2 = hn::Set(d, work_.softening2);
        for_rows<kPotentials>([&](const auto& with_rows) {
            for (std::size_t k = 0; k < cell_count_; ++k)
                with_rows([&](const Rows& row, Sums& sums) {
                    add_cell<kSoftened, kPotentials, kTerms>(d, cells_[k], row, softening2, sums);
                });
        });
    }

    template <Softened kSoftened, Potentials kPotentials>
    void pull_by_bodies() {
        const D d;
        const V softening2 = hn::Set(d, work_.softening2);
        for_rows<kPotentials>([&](const auto& with_rows) {
            for (std::size_t r = 0; r < range_count_; ++r) {
                const Vec4<Real>* const first = work_.tree.bodies + ranges_[r].first;
                for (const Vec4<Real>* body = first; body != first + ranges_[r].count; ++body)
                    with_rows([&](const Rows& row, Sums& sums) {
                        add_body<kSoftened, kPotentials>(d, *body, row, softening2, sums);
                    });
            }
        });
    }

    template <Softened kSoftened, Potentials kPotentials>
    void cells_of() {
        work_.quadrupoles ? pull_by_cells<kSoftened, kPotentials, Terms::kQuadrupole>()
                          : pull_by_cells<kSoftened, kPotentials, Terms::kMonopole>();
    }

    void empty_cells() {
        using enum Softened;
        if (work_.potential)
            softened() ? cells_of<kYes, Potentials::kYes>() : cells_of<kNo, Potentials::kYes>();
        else
            softened() ? cells_of<kYes, Potentials::kNo>() : cells_of<kNo, Potentials::kNo>();
        counts_.cells += cell_count_;
        cell_count_ = 0;
    }

    void empty_bodies() {
        using enum Softened;
        if (work_.potential)
            softened() ? pull_by_bodies<kYes, Potentials::kYes>() : pull_by_bodies<kNo, Potentials::kYes>();
        else
            softened() ? pull_by_bodies<kYes, Potentials::kNo>() : pull_by_bodies<kNo, Potentials::kNo>();
        counts_.bodies += body_count_;
        body_count_ = 0, range_count_ = 0;
    }

    const GroupWalk<Real>& work_;
    WalkCounts counts_;
    std::size_t rows_, cell_count_ = 0, range_count_ = 0;
    std::uint32_t body_count_ = 0;
    HWY_ALIGN Real x_[kMostGroup], y_[kMostGroup], z_[kMostGroup];
    HWY_ALIGN Real sums_[4][kMostGroup];
    BodyRange ranges_[kRanges];
    Index cells_[kCells + 16];  // a vector is written whole
};

}  // namespace orrery::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
