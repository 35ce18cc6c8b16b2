// SPDX-License-Identifier: MIT
// Arithmetic of one pair of moving bodies for the CPU's vector loops. Compiled once per instruction set, as Highway
// requires.
#if defined(ORRERY_CORE_ENGINES_CPU_JERK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_CORE_ENGINES_CPU_JERK_INL_H_
#undef ORRERY_CORE_ENGINES_CPU_JERK_INL_H_
#else
#define ORRERY_CORE_ENGINES_CPU_JERK_INL_H_
#endif

#include <hwy/highway.h>

#include "core/physics/gravity.hpp"

HWY_BEFORE_NAMESPACE();
namespace orrery::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class V>
struct Three {
    V x, y, z;
};

template <class V>
HWY_INLINE V dot(const Three<V>& a, const Three<V>& b) {
    return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::Mul(a.z, b.z)));
}
template <class V>
HWY_INLINE Three<V> operator-(const Three<V>& a, const Three<V>& b) {
    return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
/// sum + factor v
template <class V>
HWY_INLINE Three<V> with(const Three<V>& sum, V factor, const Three<V>& v) {
    return {hn::MulAdd(factor, v.x, sum.x), hn::MulAdd(factor, v.y, sum.y), hn::MulAdd(factor, v.z, sum.z)};
}
/// sum - factor v
template <class V>
HWY_INLINE Three<V> without(const Three<V>& sum, V factor, const Three<V>& v) {
    return {hn::NegMulAdd(factor, v.x, sum.x), hn::NegMulAdd(factor, v.y, sum.y), hn::NegMulAdd(factor, v.z, sum.z)};
}

/// Two bodies with separation x and relative velocity v, and D = x² + ε². The acceleration of the first is m·x/D^(3/2),
/// its jerk m·turn/D^(3/2), its potential -m/√D; those of the second follow from the other mass and the opposite sign.
template <class V>
struct MovingPair {
    V inverse, inverse2;  ///< 1/√D and 1/D, or 0 for a pair that must be skipped
    Three<V> turn;        ///< v - 3 (x·v)/D x (Aarseth 2003, eq. 2.10)
};

/// The root is exact: integrators that need jerks are of fourth order, and an estimate would limit their accuracy.
template <class D, class V>
HWY_INLINE MovingPair<V> moving_pair(D d, const Three<V>& x, const Three<V>& v, V softening2) {
    using Real = hn::TFromD<D>;
    const V distance2 = hn::Add(dot(x, x), softening2), touching = hn::Set(d, kTouching<Real>);
    const V inverse = hn::IfThenElseZero(hn::Gt(distance2, touching),
                                         hn::Div(hn::Set(d, Real(1)), hn::Sqrt(hn::Max(distance2, touching))));
    const V inverse2 = hn::Mul(inverse, inverse);
    const V along = hn::Mul(hn::Mul(hn::Set(d, Real(3)), dot(x, v)), inverse2);
    return {inverse, inverse2, without(v, along, x)};
}

}  // namespace orrery::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
