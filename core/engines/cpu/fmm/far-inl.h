// SPDX-License-Identifier: MIT
// Far field: interactions of cells through their expansions (M2L). Compiled once per instruction set.
#if defined(ORRERY_CORE_ENGINES_CPU_FMM_FAR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_CORE_ENGINES_CPU_FMM_FAR_INL_H_
#undef ORRERY_CORE_ENGINES_CPU_FMM_FAR_INL_H_
#else
#define ORRERY_CORE_ENGINES_CPU_FMM_FAR_INL_H_
#endif

#include <hwy/highway.h>

#include "core/engines/cpu/fmm/expansions-inl.h"
#include "core/engines/cpu/fmm/kernels.hpp"
#include "core/engines/cpu/inverse_cube-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Computes the interactions of one cell with the families in its list, lane by lane. The cell's own local expansion
/// stays in vectors until the list ends.
template <class Real, int P>
class FarField {
public:
    FarField(const FmmView<Real>& view, FmmCell cell)
        : view_{view}, family_{cell / kFamily}, lane_{cell % kFamily}, softening2_{hn::Set(D(), view.softening2)} {
        const D d;
        const Family<Real>& of = view.families[family_];
        x_ = hn::Set(d, of.x[lane_]), y_ = hn::Set(d, of.y[lane_]), z_ = hn::Set(d, of.z[lane_]);
        Cells::load_odd(d, view.moments + place(family_, Cells::kMoments, 0) + lane_, odd_);
        for (V& each : gained_.at) each = hn::Zero(d);
    }

    /// `lanes`: bit mask of the cells of the family that interact.
    void add(std::uint32_t family, std::uint32_t lanes) {
        const D d;
        const Family<Real>& other = view_.families[family];
        for (std::size_t k = 0; k < kFamily; k += hn::Lanes(d)) {
            const std::uint8_t bits[8] = {static_cast<std::uint8_t>(lanes >> k)};
            if (hn::Lanes(d) < kFamily && (bits[0] & ((1u << hn::Lanes(d)) - 1)) == 0) continue;
            const V dx = hn::Sub(x_, hn::Load(d, other.x + k)), dy = hn::Sub(y_, hn::Load(d, other.y + k)),
                    dz = hn::Sub(z_, hn::Load(d, other.z + k));
            const V distance2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::MulAdd(dz, dz, softening2_)));
            const V root = InverseCube<D>::inverse(d, distance2, InverseCube<D>::root(d, distance2));
            typename Cells::Others& next = others_[count_++];
            next.derivatives = Cells::derivatives(d, dx, dy, dz, hn::IfThenElseZero(hn::LoadMaskBits(d, bits), root));
            next.moments = view_.moments + place(family, Cells::kMoments, 0) + k;
            next.locals = view_.locals + place(family, Cells::kTerms, 0) + k;
            if (count_ == kOthers) interact();
        }
    }

    void finish() {
        if (count_ > 0) interact();
        Real* const to = view_.locals + place(family_, Cells::kTerms, 0) + lane_;
        for (int k = view_.potential ? 0 : 1; k < Cells::kTerms; ++k)
            to[k * static_cast<int>(kFamily)] += hn::GetLane(hn::SumOfLanes(D(), gained_.at[k]));
    }

private:
    using D = hn::CappedTag<Real, kFamily>;
    using V = hn::Vec<D>;
    using Cells = Expansions<P, D>;
    /// Batch size. A larger batch of high order would not fit into the cache.
    static constexpr int kOthers = P < 7 ? 4 : 3;

    void interact() {
        Cells::interact(D(), odd_, gained_, others_, count_, view_.potential);
        count_ = 0;
    }

    static std::size_t place(std::uint32_t family, int terms, int term) {
        return (std::size_t{family} * static_cast<std::size_t>(terms) + static_cast<std::size_t>(term)) * kFamily;
    }

    const FmmView<Real>& view_;
    const std::uint32_t family_, lane_;
    V softening2_, x_, y_, z_;
    typename Cells::Moments odd_;
    typename Cells::Terms gained_;
    typename Cells::Others others_[kOthers];
    int count_ = 0;
};

}  // namespace orrery::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
