// SPDX-License-Identifier: MIT
// Arithmetic of one pair for the CPU's vector loops. Compiled once per instruction set, as Highway requires.
#if defined(ORRERY_CORE_ENGINES_CPU_INVERSE_CUBE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_CORE_ENGINES_CPU_INVERSE_CUBE_INL_H_
#undef ORRERY_CORE_ENGINES_CPU_INVERSE_CUBE_INL_H_
#else
#define ORRERY_CORE_ENGINES_CPU_INVERSE_CUBE_INL_H_
#endif

#include <hwy/highway.h>

#include "core/physics/gravity.hpp"

HWY_BEFORE_NAMESPACE();
namespace orrery::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

enum class Potentials { kNo, kYes };

/// A position, or the difference of two.
template <Split kSplit, class V>
struct Position {
    V x, y, z;
};
template <class V>
struct Position<Split::kYes, V> {
    V x, y, z, low_x, low_y, low_z;
};

/// other − self.
template <class V>
HWY_INLINE Position<Split::kNo, V> difference(const Position<Split::kNo, V>& other,
                                              const Position<Split::kNo, V>& self) {
    return {hn::Sub(other.x, self.x), hn::Sub(other.y, self.y), hn::Sub(other.z, self.z)};
}
template <class V>
HWY_INLINE Position<Split::kNo, V> difference(const Position<Split::kYes, V>& other,
                                              const Position<Split::kYes, V>& self) {
    return {hn::Add(hn::Sub(other.x, self.x), hn::Sub(other.low_x, self.low_x)),
            hn::Add(hn::Sub(other.y, self.y), hn::Sub(other.low_y, self.low_y)),
            hn::Add(hn::Sub(other.z, self.z), hn::Sub(other.low_z, self.low_z))};
}

/// Computes from D = r² + ε² the factor of the acceleration without kScale, m/D^(3/2) = kScale · m · cube, and 1/√D.
/// The factor is m · y · core, in two parts so that both masses of a pair can share the second: see pair_factor().
template <class D>
struct InverseCube;

/// y ≈ 1/√D from the hardware, with relative error δ; then y³·(5/3 − D·y²) = ⅔·D^(-3/2)·(1 − 7.5 δ² + …): this first
/// correction costs only two operations, and turns 14 bits (AVX-512) into 2.8e-8, 11.4 bits (SSE, AVX2) into 1e-6.
template <class D>
requires(sizeof(hn::TFromD<D>) == 4) struct InverseCube<D> {
    using V = hn::Vec<D>;
    static constexpr double kScale = 1.5;

    static HWY_INLINE V root(D d, V distance2) {
        V y = hn::ApproximateReciprocalSqrt(distance2);
#if !HWY_ARCH_X86 || HWY_TARGET == HWY_SCALAR  // at most 8 bits: one Newton step first
        y = hn::Mul(y, hn::NegMulAdd(hn::Mul(hn::Set(d, 0.5f), distance2), hn::Mul(y, y), hn::Set(d, 1.5f)));
#endif
        (void)d;
        return y;
    }
    static HWY_INLINE V core(D d, V distance2, V y) {
        const V y2 = hn::Mul(y, y);
        return hn::Mul(y2, hn::NegMulAdd(distance2, y2, hn::Set(d, 5.0f / 3)));
    }
    static HWY_INLINE V inverse(D d, V distance2, V y) {
        return hn::Mul(y, hn::NegMulAdd(hn::Mul(hn::Set(d, 0.5f), distance2), hn::Mul(y, y), hn::Set(d, 1.5f)));
    }
};

template <class D>
requires(sizeof(hn::TFromD<D>) == 8) struct InverseCube<D> {
    using V = hn::Vec<D>;
    static constexpr double kScale = 1;

    static HWY_INLINE V root(D d, V distance2) { return hn::Div(hn::Set(d, 1.0), hn::Sqrt(distance2)); }
    static HWY_INLINE V core(D, V, V y) { return hn::Mul(y, y); }
    static HWY_INLINE V inverse(D, V, V y) { return y; }
};

/// (m·y)·(y²·…), in this order: y³ alone would leave the range of float at distances beyond 10¹².
template <class V>
HWY_INLINE V pair_factor(V mass, V y, V core) {
    return hn::Mul(hn::Mul(mass, y), core);
}

/// 1/√D, or 0 for a pair that must be skipped.
template <Softened kSoftened, class D, class V>
HWY_INLINE V root_of(D d, V distance2) {
    const V root = InverseCube<D>::root(d, distance2);
    if constexpr (kSoftened == Softened::kYes) return root;
    return hn::IfThenElseZero(hn::Gt(distance2, hn::Set(d, kTouching<hn::TFromD<D>>)), root);
}

}  // namespace orrery::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
