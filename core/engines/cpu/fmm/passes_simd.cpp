// SPDX-License-Identifier: MIT
// Upward pass (P2M, M2M) and downward pass (L2L, L2P) of one family, compiled by Highway once per instruction set and
// dispatched at run time.
#include <algorithm>
#include <cmath>

#include "core/engines/cpu/fmm/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engines/cpu/fmm/passes_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/engines/cpu/fmm/expansions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Real, int P>
class Passes {
public:
    explicit Passes(const FmmView<Real>& view) : view_{view} {}

    void upward(std::uint32_t number) const {
        Family<Real>& family = view_.families[number];
        for (std::uint32_t lane = 0; lane < kFamily; ++lane) {
            if (family.range[lane].count == 0) {
                clear_moments(number, lane);
                continue;
            }
            if (family.child[lane] == 0)
                upward_leaf(number, lane);
            else
                upward_children(number, lane);
            family.spread[lane] = family.mass[lane] > 0 ? std::sqrt(family.second[lane] / family.mass[lane]) : Real(0);
            const Vec3<Real> centre = centre_of(family, lane);
            const Vec3<Real> low = centre - family.low[lane], high = family.high[lane] - centre;
            const Vec3<Real> far{std::max(low.x, high.x), std::max(low.y, high.y), std::max(low.z, high.z)};
            family.radius[lane] = std::min(family.radius[lane], std::sqrt(dot(far, far))) + view_.blur;
        }
    }

    void downward_pass(std::uint32_t number) const {
        const Family<Real>& family = view_.families[number];
        for (std::uint32_t lane = 0; lane < kFamily; ++lane) {
            if (family.range[lane].count == 0) continue;
            if (family.child[lane] == 0)
                move_bodies(number, lane);
            else
                move_children(number, lane);
        }
    }

private:
    using D = hn::ScalableTag<Real>;  // lanes are bodies
    using V = hn::Vec<D>;
    using Body = Expansions<P, D>;
    using DC = hn::CappedTag<Real, kFamily>;  // lanes are cells
    using Cells = Expansions<P, DC>;

    static Vec3<Real> centre_of(const Family<Real>& family, std::uint32_t lane) {
        return {family.x[lane], family.y[lane], family.z[lane]};
    }
    Real* moment(std::uint32_t family, int term) const {
        return view_.moments + (std::size_t{family} * moments_of(P) + static_cast<std::size_t>(term)) * kFamily;
    }
    Real* local(std::uint32_t family, int term) const {
        return view_.locals + (std::size_t{family} * terms_up_to(P) + static_cast<std::size_t>(term)) * kFamily;
    }
    void clear_moments(std::uint32_t family, std::uint32_t lane) const {
        for (int k = 0; k < Body::kMoments; ++k) moment(family, k)[lane] = 0;
    }

    /// Calls each(body, mask) for vectors of bodies; lanes outside the mask hold other bodies or none.
    template <class Each>
    static HWY_INLINE void for_bodies(BodySpan range, const Each& each) {
        const D d;
        const std::size_t lanes = hn::Lanes(d);
        for (std::size_t i = 0; i < range.count; i += lanes) each(range.first + i, hn::FirstN(d, range.count - i));
    }
    template <class M>
    HWY_INLINE V load(int plane, std::size_t at, M mask) const {
        return hn::IfThenElseZero(mask, hn::LoadU(D(), view_.place[plane] + at));
    }

    void upward_leaf(std::uint32_t number, std::uint32_t lane) const {
        const D d;
        Family<Real>& family = view_.families[number];
        const BodySpan range = family.range[lane];
        const Real first[3] = {view_.place[0][range.first], view_.place[1][range.first], view_.place[2][range.first]};
        V mass = hn::Zero(d), moved[3] = {mass, mass, mass}, plain[3] = {mass, mass, mass};
        V low[3], high[3];
        for (int k = 0; k < 3; ++k) low[k] = high[k] = hn::Zero(d);
        for_bodies(range, [&](std::size_t i, auto mask) HWY_ATTR {
            const V m = load(3, i, mask);
            mass = hn::Add(mass, m);
            for (int k = 0; k < 3; ++k) {
                const V off = hn::IfThenElseZero(mask, hn::Sub(load(k, i, mask), hn::Set(d, first[k])));
                moved[k] = hn::MulAdd(m, off, moved[k]), plain[k] = hn::Add(plain[k], off);
                low[k] = hn::Min(low[k], off), high[k] = hn::Max(high[k], off);
            }
        });
        const Real total = hn::GetLane(hn::SumOfLanes(d, mass));
        Real centre[3], box[2][3];
        for (int k = 0; k < 3; ++k) {
            const Real off = total > 0 ? hn::GetLane(hn::SumOfLanes(d, moved[k])) / total
                                       : hn::GetLane(hn::SumOfLanes(d, plain[k])) / static_cast<Real>(range.count);
            centre[k] = first[k] + off;
            box[0][k] = first[k] + hn::GetLane(hn::MinOfLanes(d, low[k])),
            box[1][k] = first[k] + hn::GetLane(hn::MaxOfLanes(d, high[k]));
        }
        family.x[lane] = centre[0], family.y[lane] = centre[1], family.z[lane] = centre[2];
        family.mass[lane] = total;
        family.low[lane] = {box[0][0], box[0][1], box[0][2]}, family.high[lane] = {box[1][0], box[1][1], box[1][2]};
        typename Body::Moments moments;
        for (V& each : moments.at) each = hn::Zero(d);
        V second = hn::Zero(d), far = second;
        for_bodies(range, [&](std::size_t i, auto mask) HWY_ATTR {
            V off[3];
            for (int k = 0; k < 3; ++k)
                off[k] = hn::IfThenElseZero(mask, hn::Sub(load(k, i, mask), hn::Set(d, centre[k])));
            const V m = load(3, i, mask);
            const V r2 = hn::MulAdd(off[0], off[0], hn::MulAdd(off[1], off[1], hn::Mul(off[2], off[2])));
            far = hn::Max(far, r2), second = hn::MulAdd(m, r2, second);
            Body::add_body(moments, m, Body::powers(d, off[0], off[1], off[2]));
        });
        family.radius[lane] = std::sqrt(hn::GetLane(hn::MaxOfLanes(d, far)));
        family.second[lane] = hn::GetLane(hn::SumOfLanes(d, second));
        for (int k = 0; k < Body::kMoments; ++k)
            moment(number, k)[lane] = hn::GetLane(hn::SumOfLanes(d, moments.at[k]));
    }

    void upward_children(std::uint32_t number, std::uint32_t lane) const {
        Family<Real>& family = view_.families[number];
        const std::uint32_t below = family.child[lane];
        const Family<Real>& children = view_.families[below];
        MassSum<Real> sum{centre_of(children, 0)};
        Vec3<Real> low = children.low[0], high = children.high[0];
        for (std::uint32_t k = 0; k < kFamily && children.range[k].count > 0; ++k) {
            sum.add({children.x[k], children.y[k], children.z[k], children.mass[k]});
            const Vec3<Real> l = children.low[k], h = children.high[k];
            low = {std::min(low.x, l.x), std::min(low.y, l.y), std::min(low.z, l.z)};
            high = {std::max(high.x, h.x), std::max(high.y, h.y), std::max(high.z, h.z)};
        }
        const Vec4<Real> centre = sum.centre();
        Real far = 0, second = 0;
        for (std::uint32_t k = 0; k < kFamily && children.range[k].count > 0; ++k) {
            const Vec3<Real> off = centre_of(children, k) - xyz(centre);
            const Real r2 = dot(off, off);
            far = std::max(far, std::sqrt(r2) + children.radius[k]);
            second += children.second[k] + children.mass[k] * r2;
        }
        family.x[lane] = centre.x, family.y[lane] = centre.y, family.z[lane] = centre.z;
        family.mass[lane] = centre.w;
        family.low[lane] = low, family.high[lane] = high;
        family.radius[lane] = far, family.second[lane] = second;
        shift_moments(number, lane, below);
    }

    void shift_moments(std::uint32_t number, std::uint32_t lane, std::uint32_t below) const {
        const DC d;
        const Family<Real>& children = view_.families[below];
        typename Cells::Moments sum;
        for (auto& each : sum.at) each = hn::Zero(d);
        for (std::size_t k = 0; k < kFamily; k += hn::Lanes(d)) {
            const auto powers = between(d, children, k, view_.families[number], lane);
            typename Cells::Moments from;
            for (int t = 0; t < Cells::kMoments; ++t) from.at[t] = hn::Load(d, moment(below, t) + k);
            Cells::add_shifted(sum, from, powers);
        }
        for (int t = 0; t < Cells::kMoments; ++t) moment(number, t)[lane] = hn::GetLane(hn::SumOfLanes(d, sum.at[t]));
    }

    /// powers() of the offsets of children from their parent; 0 for lanes without a cell.
    static HWY_INLINE typename Cells::Terms between(DC d, const Family<Real>& children, std::size_t first,
                                                    const Family<Real>& family, std::uint32_t lane) {
        const Vec3<Real> from = centre_of(family, lane);
        std::size_t there = 0;
        while (there < kFamily && children.range[there].count > 0) ++there;
        const auto mask = hn::FirstN(d, there > first ? there - first : 0);
        const auto off = [&](const Real* at, Real middle) HWY_ATTR {
            return hn::IfThenElseZero(mask, hn::Sub(hn::Load(d, at + first), hn::Set(d, middle)));
        };
        return Cells::powers(d, off(children.x, from.x), off(children.y, from.y), off(children.z, from.z));
    }

    void move_children(std::uint32_t number, std::uint32_t lane) const {
        const DC d;
        const std::uint32_t below = view_.families[number].child[lane];
        typename Cells::Terms from, to;
        for (int t = 0; t < Cells::kTerms; ++t) from.at[t] = hn::Set(d, local(number, t)[lane]);
        for (std::size_t k = 0; k < kFamily; k += hn::Lanes(d)) {
            const auto powers = between(d, view_.families[below], k, view_.families[number], lane);
            for (int t = 0; t < Cells::kTerms; ++t) to.at[t] = hn::Load(d, local(below, t) + k);
            Cells::add_moved(to, from, powers);
            for (int t = 0; t < Cells::kTerms; ++t) hn::Store(to.at[t], d, local(below, t) + k);
        }
    }

    void move_bodies(std::uint32_t number, std::uint32_t lane) const {
        const D d;
        const Family<Real>& family = view_.families[number];
        const Vec3<Real> centre = centre_of(family, lane);
        typename Body::Terms locals;
        for (int t = 0; t < Body::kTerms; ++t) locals.at[t] = hn::Set(d, local(number, t)[lane]);
        for_bodies(family.range[lane], [&](std::size_t i, auto mask) HWY_ATTR {
            const auto off = [&](int plane, Real middle) HWY_ATTR {
                return hn::IfThenElseZero(mask, hn::Sub(load(plane, i, mask), hn::Set(d, middle)));
            };
            const auto field =
                Body::field(d, locals, Body::powers(d, off(0, centre.x), off(1, centre.y), off(2, centre.z)));
            const auto add = [&](int plane, V sum) HWY_ATTR {
                Real* const to = view_.field[plane] + i;
                hn::BlendedStore(hn::Add(hn::LoadU(d, to), sum), mask, d, to);
            };
            add(0, field.x), add(1, field.y), add(2, field.z);
            if (view_.potential) add(3, field.potential);
        });
    }

    const FmmView<Real>& view_;
};

template <class Real>
void run_upward(const FmmView<Real>& view, std::uint32_t family) {
    with_order(view.order, [&]<int P>() HWY_ATTR { Passes<Real, P>{view}.upward(family); });
}
template <class Real>
void run_downward(const FmmView<Real>& view, std::uint32_t family) {
    with_order(view.order, [&]<int P>() HWY_ATTR { Passes<Real, P>{view}.downward_pass(family); });
}

void upward_float(const FmmView<float>& view, std::uint32_t family) { run_upward(view, family); }
void upward_double(const FmmView<double>& view, std::uint32_t family) { run_upward(view, family); }
void downward_float(const FmmView<float>& view, std::uint32_t family) { run_downward(view, family); }
void downward_double(const FmmView<double>& view, std::uint32_t family) { run_downward(view, family); }

}  // namespace orrery::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery {

HWY_EXPORT(upward_float);
HWY_EXPORT(upward_double);
HWY_EXPORT(downward_float);
HWY_EXPORT(downward_double);

void upward_pass(const FmmView<float>& view, std::uint32_t family) { HWY_DYNAMIC_DISPATCH(upward_float)(view, family); }
void upward_pass(const FmmView<double>& view, std::uint32_t family) {
    HWY_DYNAMIC_DISPATCH(upward_double)(view, family);
}
void downward_pass(const FmmView<float>& view, std::uint32_t family) {
    HWY_DYNAMIC_DISPATCH(downward_float)(view, family);
}
void downward_pass(const FmmView<double>& view, std::uint32_t family) {
    HWY_DYNAMIC_DISPATCH(downward_double)(view, family);
}

}  // namespace orrery
#endif
