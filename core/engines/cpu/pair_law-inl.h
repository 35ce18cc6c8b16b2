// SPDX-License-Identifier: MIT
// The laws of core/physics/pair_law.hpp for the CPU's vector loops. Compiled once per instruction set, as Highway
// requires.
#if defined(ORRERY_CORE_ENGINES_CPU_PAIR_LAW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_CORE_ENGINES_CPU_PAIR_LAW_INL_H_
#undef ORRERY_CORE_ENGINES_CPU_PAIR_LAW_INL_H_
#else
#define ORRERY_CORE_ENGINES_CPU_PAIR_LAW_INL_H_
#endif

#include <hwy/highway.h>

#include "core/engines/cpu/inverse_cube-inl.h"
#include "core/physics/pair_law.hpp"

HWY_BEFORE_NAMESPACE();
namespace orrery::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class V>
struct PairTerms {
    V pull, depth;
};

/// Vector form of pair_term(), 0 where bodies coincide; `distance2` is unsoftened.
template <class D, PairLaw kLaw>
class LawOf {
    using V = hn::Vec<D>;
    using Real = hn::TFromD<D>;

public:
    LawOf(D d, const PairConstants<Real>& c)
        : softening2_{hn::Set(d, c.softening2)},
          h_{hn::Set(d, c.h)},
          per_h_{hn::Set(d, c.per_h)},
          sigma2_{hn::Set(d, c.sigma2)},
          cut_off2_{hn::Set(d, c.cut_off2)},
          cut_energy_{hn::Set(d, c.cut_energy)} {}

    HWY_INLINE PairTerms<V> operator()(D d, V distance2, V one, V other) const {
        const auto apart = hn::Gt(distance2, hn::Set(d, kTouching<Real>));
        const V softened2 = hn::Add(distance2, softening2_);
        PairTerms<V> term;
        if constexpr (kLaw == PairLaw::kSpline)
            term = spline(d, softened2);
        else if constexpr (kLaw == PairLaw::kCoulomb)
            term = coulomb(d, softened2, hn::Mul(one, other));
        else
            term = lennard_jones(d, softened2, hn::Mul(one, other));
        return {hn::IfThenElseZero(apart, term.pull), hn::IfThenElseZero(apart, term.depth)};
    }

private:
    static HWY_INLINE V number(D d, double x) { return hn::Set(d, static_cast<Real>(x)); }
    static HWY_INLINE V reciprocal_root(D d, V x) { return InverseCube<D>::inverse(d, x, InverseCube<D>::root(d, x)); }
    /// a + b x.
    static HWY_INLINE V line(D d, double a, double b, V x) { return hn::MulAdd(number(d, b), x, number(d, a)); }

    HWY_INLINE PairTerms<V> spline(D d, V distance2) const {
        const V y = reciprocal_root(d, distance2), u = hn::Mul(hn::Mul(distance2, y), per_h_), u2 = hn::Mul(u, u);
        const V per_h3 = hn::Mul(per_h_, hn::Mul(per_h_, per_h_)), per_u = hn::Mul(h_, y);
        const V part = hn::Mul(number(d, 1.0 / 15), per_u);
        const V inner = hn::MulAdd(u2, line(d, -38.4, 32, u), number(d, 32.0 / 3));
        const V cubic = hn::MulAdd(u, hn::MulAdd(u, line(d, 38.4, -32.0 / 3, u), number(d, -48)), number(d, 64.0 / 3));
        const V outer = hn::NegMulAdd(part, hn::Mul(per_u, per_u), cubic);
        const V deep = hn::NegMulAdd(u2, hn::MulAdd(u2, line(d, -9.6, 6.4, u), number(d, 16.0 / 3)), number(d, 2.8));
        const V far = hn::MulAdd(u, hn::MulAdd(u, line(d, 9.6, -32.0 / 15, u), number(d, -16)), number(d, 32.0 / 3));
        const V shallow = hn::NegMulAdd(u2, far, hn::Sub(number(d, 3.2), part));
        const auto within = hn::Lt(u, number(d, 1)), core = hn::Lt(u, number(d, 0.5));
        const V pull = hn::Mul(per_h3, hn::IfThenElse(core, inner, outer));
        const V depth = hn::Mul(per_h_, hn::IfThenElse(core, deep, shallow));
        return {hn::IfThenElse(within, pull, hn::Mul(y, hn::Mul(y, y))), hn::IfThenElse(within, depth, y)};
    }

    HWY_INLINE PairTerms<V> lennard_jones(D d, V distance2, V both) const {
        const V y2 = hn::Div(number(d, 1), distance2), q = hn::Mul(sigma2_, y2), q3 = hn::Mul(q, hn::Mul(q, q));
        const V near = hn::IfThenElseZero(hn::Lt(distance2, cut_off2_), both);
        const V pull = hn::Mul(hn::Mul(hn::Mul(number(d, 24), q3), y2), line(d, 1, -2, q3));
        const V depth = hn::NegMulAdd(hn::Mul(number(d, 4), q3), hn::Sub(q3, number(d, 1)), cut_energy_);
        return {hn::Mul(near, pull), hn::Mul(near, depth)};
    }

    HWY_INLINE PairTerms<V> coulomb(D d, V distance2, V product) const {
        const V y = reciprocal_root(d, distance2), y2 = hn::Mul(y, y), s2 = hn::Mul(sigma2_, y2), s4 = hn::Mul(s2, s2);
        const V repulsion = hn::Mul(hn::Abs(product), hn::Mul(s4, s4));
        return {hn::Neg(hn::Mul(hn::Mul(y, y2), hn::Add(product, repulsion))),
                hn::Neg(hn::Mul(y, hn::MulAdd(repulsion, number(d, 1.0 / kIonExponent), product)))};
    }

    V softening2_, h_, per_h_, sigma2_, cut_off2_, cut_energy_;
};

/// Gravity has separate loops.
template <class D>
class LawOf<D, PairLaw::kGravity> {
public:
    LawOf(D, const PairConstants<hn::TFromD<D>>&) {}
};

}  // namespace orrery::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
