// SPDX-License-Identifier: MIT
// Dual tree traversal of the fast multipole method. Compiled once per instruction set.
#if defined(ORRERY_CORE_ENGINES_CPU_FMM_INTERACTIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_CORE_ENGINES_CPU_FMM_INTERACTIONS_INL_H_
#undef ORRERY_CORE_ENGINES_CPU_FMM_INTERACTIONS_INL_H_
#else
#define ORRERY_CORE_ENGINES_CPU_FMM_INTERACTIONS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "core/engines/cpu/fmm/far-inl.h"
#include "core/engines/cpu/fmm/kernels.hpp"
#include "core/engines/cpu/fmm/near-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// If two cells are not well separated, the larger one is split, and the other is tested against its children, a family
/// in one vector. The interactions found are then evaluated cell by cell.
template <class Real, int P>
class DualTraversal {
public:
    DualTraversal(const FmmView<Real>& view, FmmScratch<Real>& scratch, const std::vector<bool>* blocks,
                  std::vector<FmmPair>* left)
        : view_{view}, scratch_{scratch}, blocks_{blocks}, left_{left} {}

    FmmCounts operator()(FmmPair pair) {
        scratch_.waiting.push_back(pair);
        while (!scratch_.waiting.empty()) {
            const FmmPair next = scratch_.waiting.back();
            scratch_.waiting.pop_back();
            next.a == next.b ? divide_self(next.a) : divide(next.a, next.b);
        }
        evaluate();
        return counts_;
    }

private:
    using D = hn::CappedTag<Real, kFamily>;
    using V = hn::Vec<D>;
    /// Upper bound of an inverse distance up to which no derivative of the highest order leaves the range of float.
    static constexpr Real kMostInverse =
        sizeof(Real) == sizeof(float) ? Real(0x1p11) : std::numeric_limits<Real>::max();
    static constexpr std::uint32_t kAllLanes = (1u << kFamily) - 1;
    static constexpr std::uint64_t kFewPairs = few_pairs(P);

    std::uint32_t child(FmmCell cell) const { return view_.families[cell / kFamily].child[cell % kFamily]; }
    BodySpan range(FmmCell cell) const { return view_.families[cell / kFamily].range[cell % kFamily]; }
    Real radius(FmmCell cell) const { return view_.families[cell / kFamily].radius[cell % kFamily]; }
    std::uint64_t pairs(FmmCell a, FmmCell b) const { return std::uint64_t{range(a).count} * range(b).count; }
    bool whole(FmmCell cell) const { return child(cell) == 0 || (blocks_ && (*blocks_)[cell]); }

    void divide_self(FmmCell cell) {
        if (whole(cell)) return blocks_ ? left_->push_back({cell, cell}) : add_bodies(cell, range(cell));
        const std::uint32_t below = child(cell);
        const auto count = static_cast<std::uint32_t>(__builtin_popcount(view_.families[below].lanes));
        for (std::uint32_t k = 0; k < count; ++k) {
            const FmmCell each = below * kFamily + k;
            scratch_.waiting.push_back({each, each});
            if (k + 1 < count) test_family(each, below, kAllLanes & ~((2u << k) - 1));
        }
    }

    void divide(FmmCell a, FmmCell b) {
        const bool whole_a = whole(a), whole_b = whole(b);
        if (whole_a && whole_b) return blocks_ ? left_->push_back({a, b}) : add_pair(a, b);
        if (!blocks_ && pairs(a, b) <= kFewPairs) return add_pair(a, b);
        if (whole_b || (!whole_a && radius(a) > radius(b))) std::swap(a, b);
        test_family(a, child(b), kAllLanes);
    }

    /// Tests a cell against a family: well-separated cells interact through their expansions, the others are queued.
    void test_family(FmmCell cell, std::uint32_t number, std::uint32_t lanes) {
        const Family<Real>& family = view_.families[number];
        lanes &= family.lanes;
        std::uint32_t far = far_lanes(cell, family) & lanes, rest = lanes & ~far;
        const std::uint32_t count = range(cell).count;
        if (!blocks_ && count <= kFewPairs)
            for (std::uint32_t bits = far; bits != 0; bits &= bits - 1) {
                const auto k = static_cast<std::uint32_t>(__builtin_ctz(bits));
                if (std::uint64_t{count} * family.range[k].count > kFewPairs) continue;
                far ^= 1u << k;
                add_pair(cell, number * kFamily + k);
            }
        if (far != 0) add_family(cell, number, far);
        for (; rest != 0; rest &= rest - 1) {
            const auto k = static_cast<std::uint32_t>(__builtin_ctz(rest));
            scratch_.waiting.push_back({cell, number * kFamily + k});
        }
    }

    /// Lanes of a family whose cells are well separated from a cell, judged by the errors on both sides: with R² = r² +
    /// ε², (ρ + ρ')/R ≤ θ, and M' ((σ' + ρ)/R)^P/R² ≤ least, where ρ is a radius, σ a spread and M a mass. That is the
    /// error of Dehnen (2014, eq. 11) with the spread in place of multipole powers.
    HWY_INLINE std::uint32_t far_lanes(FmmCell cell, const Family<Real>& family) const {
        const D d;
        const Family<Real>& own = view_.families[cell / kFamily];
        const std::uint32_t lane = cell % kFamily;
        const V x = hn::Set(d, own.x[lane]), y = hn::Set(d, own.y[lane]), z = hn::Set(d, own.z[lane]);
        const V radius = hn::Set(d, own.radius[lane]), softening2 = hn::Set(d, view_.softening2);
        const V theta = hn::Set(d, static_cast<Real>(view_.rule.theta));
        std::uint32_t found = 0;
        for (std::size_t k = 0; k < kFamily; k += hn::Lanes(d)) {
            const V dx = hn::Sub(x, hn::Load(d, family.x + k)), dy = hn::Sub(y, hn::Load(d, family.y + k)),
                    dz = hn::Sub(z, hn::Load(d, family.z + k));
            const V distance2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::MulAdd(dz, dz, softening2)));
            const V inverse = InverseCube<D>::inverse(d, distance2, InverseCube<D>::root(d, distance2));
            const V radii = hn::Load(d, family.radius + k);
            auto far = hn::And(hn::Le(hn::Mul(hn::Add(radius, radii), inverse), theta),
                               hn::Le(inverse, hn::Set(d, kMostInverse)));
            if (view_.rule.relative) {
                const V by_them =
                    error(hn::Load(d, family.mass + k), hn::Add(hn::Load(d, family.spread + k), radius), inverse);
                const V by_cell =
                    error(hn::Set(d, own.mass[lane]), hn::Add(hn::Set(d, own.spread[lane]), radii), inverse);
                far = hn::And(far, hn::Le(by_them, hn::Set(d, own.least[lane])));
                far = hn::And(far, hn::Le(by_cell, hn::Load(d, family.least + k)));
            }
            std::uint8_t bits[8] = {};
            hn::StoreMaskBits(d, far, bits);
            found |= std::uint32_t{bits[0]} << k;
        }
        return found;
    }

    static HWY_INLINE V error(V mass, V size, V inverse) {
        const V angle = hn::Mul(size, inverse);
        V power = angle;
        for (int k = 1; k < P; ++k) power = hn::Mul(power, angle);
        return hn::Mul(hn::Mul(mass, hn::Mul(inverse, inverse)), power);
    }

    template <class Entry>
    static void append(typename FmmScratch<Real>::Chain& chain, std::vector<Entry>& all, const Entry& entry) {
        const auto at = static_cast<std::uint32_t>(all.size());
        all.push_back(entry);
        (chain.first == scratch_end ? chain.first : all[chain.last].next) = at;
        chain.last = at;
    }
    static constexpr std::uint32_t scratch_end = FmmScratch<Real>::kEnd;

    void add_family(FmmCell cell, std::uint32_t family, std::uint32_t lanes) {
        auto& chain = scratch_.families_of[cell];
        if (chain.first == scratch_end) scratch_.with_families.push_back(cell);
        append(chain, scratch_.families, {family, lanes, scratch_end});
        counts_.cells += 2 * static_cast<std::uint64_t>(__builtin_popcount(lanes));
    }
    /// Of the two, the later along the curve has the columns: within two blocks, columns then always belong to the same
    /// one.
    void add_pair(FmmCell a, FmmCell b) {
        range(a).first > range(b).first ? add_bodies(a, range(b)) : add_bodies(b, range(a));
    }
    void add_bodies(FmmCell columns, BodySpan rows) {
        auto& chain = scratch_.bodies_of[columns];
        if (chain.first == scratch_end) scratch_.with_bodies.push_back(columns);
        append(chain, scratch_.bodies, {rows, scratch_end});
    }

    void evaluate() {
        for (const FmmCell cell : scratch_.with_families) {
            FarField<Real, P> field{view_, cell};
            for (std::uint32_t i = scratch_.families_of[cell].first; i != scratch_end; i = scratch_.families[i].next)
                field.add(scratch_.families[i].family, scratch_.families[i].lanes);
            field.finish();
            scratch_.families_of[cell] = {};
        }
        NearField<Real> near{view_};
        for (const FmmCell cell : scratch_.with_bodies) {
            const BodySpan columns = range(cell);
            near.begin(columns);
            bool alone = false;
            for (std::uint32_t i = scratch_.bodies_of[cell].first; i != scratch_end; i = scratch_.bodies[i].next) {
                const BodySpan rows = scratch_.bodies[i].rows;
                rows.first == columns.first ? void(alone = true) : near.add_rows(rows);
            }
            near.finish();
            if (alone) near.alone(columns);
            scratch_.bodies_of[cell] = {};
        }
        counts_.bodies += near.pairs();
        scratch_.with_families.clear(), scratch_.with_bodies.clear();
        scratch_.families.clear(), scratch_.bodies.clear();
    }

    const FmmView<Real>& view_;
    FmmScratch<Real>& scratch_;
    const std::vector<bool>* const blocks_;
    std::vector<FmmPair>* const left_;
    FmmCounts counts_;
};

template <class Real>
FmmCounts run_traversal(const FmmView<Real>& view, FmmScratch<Real>& scratch, FmmPair pair,
                        const std::vector<bool>* blocks, std::vector<FmmPair>* left) {
    return with_order(view.order, [&]<int P>() HWY_ATTR {
        return DualTraversal<Real, P>{view, scratch, blocks, left}(pair);
    });
}

}  // namespace orrery::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
