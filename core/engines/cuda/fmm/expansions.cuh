// SPDX-License-Identifier: MIT
#pragma once
// Cartesian expansions of Σ m/√(r² + ε²) up to a degree P (Dehnen 2002, J. Comput. Phys. 179, 27, §3; of the softened
// kernel, so no term is dropped as harmonic), one per thread. Moments of a cell about its centre of mass: M_k =
// (−1)^|k| Σ m d^k/k!, |k| < P, without the dipole, which is zero. Local expansion about a centre: Φ(δ) = Σ L_n δ^n/n!,
// |n| ≤ P, whose gradient is the acceleration. M2L, with D_k the derivatives of 1/√(x² + ε²): L_n = Σ_k M_k D_{n+k},
// |n| + |k| ≤ P.
#include <utility>

#include "core/base/vec.hpp"
#include "core/physics/expansion_terms.hpp"

namespace orrery::cuda {

/// Factor between lengths of expansions and of the tree. Powers of distances down to 1/kMostInverse, up to those of the
/// highest order, then fit a float.
inline constexpr int kZoom = 1 << 10;
template <class Real>
constexpr Real kMostInverse = sizeof(Real) == 4 ? Real(1 << 11) : Real(1e30);

/// Calls each.operator()<k>() for k = kFrom … kTo − 1.
template <int kFrom, int kTo, class Each>
__device__ __forceinline__ void for_terms(const Each& each) {
    if constexpr (kFrom < kTo) [&]<int... kI>(std::integer_sequence<int, kI...>) {
            (each.template operator()<kFrom + kI>(), ...);
        }
    (std::make_integer_sequence<int, kTo - kFrom>{});
}

template <class Real, int P>
struct Expansions {
    static constexpr int kTerms = terms_up_to(P), kMoments = moments_of(P);
    /// Stored numbers per cell: its moments without the mass, padded to whole vectors.
    static constexpr int kStored = (kMoments - 1 + 3) / 4 * 4;

    /// x^k/k! for |k| ≤ kDegree.
    template <int kDegree>
    __device__ static __forceinline__ void powers(Vec3<Real> x, Real (&t)[terms_up_to(kDegree)]) {
        const Real axis[3] = {x.x, x.y, x.z};
        t[0] = 1;
        for_terms<1, terms_up_to(kDegree)>([&]<int kI>() {
            constexpr MultiIndex i = multi_index(kI);
            constexpr int a = lowest_axis(i);
            t[kI] = axis[a] * t[i.raised(a, -1).number()] * (Real(1) / i.of(a));
        });
    }

    /// D_k for |k| ≤ P at separation x, by the recursion of McMurchie & Davidson (1978). The recursion is in units of
    /// 1/inverse = √(x² + ε²), which keeps its numbers near 1; the units are applied at the end. All are 0 where
    /// `inverse` is 0.
    __device__ static __forceinline__ void derivatives(Vec3<Real> x, Real inverse, Real (&t)[kTerms]) {
        const Real axis[3] = {x.x * inverse, x.y * inverse, x.z * inverse};
        t[0] = Real(odd_factorial(P));
        for_terms<1, P + 1>([&]<int kLast>() {  // completes the degrees up to kLast
            for_terms<0, terms_up_to(kLast) - 1>([&]<int kBack>() {
                constexpr int kI = terms_up_to(kLast) - 1 - kBack;  // descending: reads terms of the previous step
                constexpr MultiIndex i = multi_index(kI);
                constexpr int a = lowest_axis(i);
                const Real first = axis[a] * t[i.raised(a, -1).number()];
                if constexpr (i.of(a) == 1)
                    t[kI] = first;
                else
                    t[kI] = fma(Real(i.of(a) - 1), t[i.raised(a, -2).number()], first);
            });
            t[0] = Real(odd_factorial(P - kLast));
        });
        Real unit = inverse;
        for_terms<0, P + 1>([&]<int kDegree>() {
            for_terms<terms_up_to(kDegree - 1), terms_up_to(kDegree)>([&]<int kI>() { t[kI] *= unit; });
            unit *= inverse;
        });
    }

    /// Adds the field of a cell with these moments to a local expansion (M2L). Without kPotential L_0 is unchanged.
    template <bool kPotential>
    __device__ static __forceinline__ void add_field(Real (&locals)[kTerms], const Real (&moments)[kMoments],
                                                     const Real (&derivatives)[kTerms]) {
        for_terms<kPotential ? 0 : 1, kTerms>([&]<int kN>() {
            constexpr int kUsed = used_moments(multi_index(kN).degree());
            locals[kN] = sum_of<kN>(locals[kN], moments, derivatives, std::make_integer_sequence<int, kUsed>{});
        });
    }

    /// Adds a body's contribution to moments (P2M), given the powers of its offset from the centre.
    __device__ static __forceinline__ void add_body(Real (&sum)[kMoments], Real mass,
                                                    const Real (&t)[terms_up_to(P - 1)]) {
        for_terms<0, kMoments>([&]<int kM>() {
            constexpr MultiIndex k = moment_index(kM);
            sum[kM] = fma(k.degree() % 2 == 0 ? mass : -mass, t[k.number()], sum[kM]);
        });
    }
    /// Shifts moments to another centre (M2M), given the powers of the offset of the old centre from the new one.
    __device__ static __forceinline__ void add_shifted(Real (&to)[kMoments], const Real (&from)[kMoments],
                                                       const Real (&t)[terms_up_to(P - 1)]) {
        for_terms<0, kMoments>([&]<int kTo>() {
            for_terms<0, kTo + 1>([&]<int kFrom>() {
                constexpr MultiIndex rest = moment_index(kTo) - moment_index(kFrom);
                if constexpr (rest.exists())
                    to[kTo] = fma(rest.degree() % 2 == 0 ? from[kFrom] : -from[kFrom], t[rest.number()], to[kTo]);
            });
        });
    }

    /// Evaluates a local expansion at offset x from its centre (L2P): adds the acceleration and, in w, Σ m/√(r² + ε²).
    /// `terms` may be in shared memory.
    template <bool kPotential>
    __device__ static __forceinline__ void add_at(Vec4<Real>& sum, const Real* terms, Vec3<Real> x) {
        constexpr int kDegree = kPotential ? P : P - 1;
        Real t[terms_up_to(kDegree)];
        powers<kDegree>(x, t);
        for_terms<0, terms_up_to(P - 1)>([&]<int kI>() {
            constexpr MultiIndex i = multi_index(kI);
            sum.x = fma(terms[i.raised(0).number()], t[kI], sum.x);
            sum.y = fma(terms[i.raised(1).number()], t[kI], sum.y);
            sum.z = fma(terms[i.raised(2).number()], t[kI], sum.z);
        });
        if constexpr (kPotential) for_terms<0, kTerms>([&]<int kI>() { sum.w = fma(terms[kI], t[kI], sum.w); });
    }

private:
    static constexpr int used_moments(int degree) {
        int count = 0;
        while (count < kMoments && moment_index(count).degree() + degree <= P) ++count;
        return count;
    }
    static consteval int derivative(int term, int moment) {
        return (multi_index(term) + moment_index(moment)).number();
    }
    /// A fold, because one template per product takes minutes to compile.
    template <int kN, int... kM>
    __device__ static __forceinline__ Real sum_of(Real sum, const Real (&moments)[kMoments],
                                                  const Real (&derivatives)[kTerms],
                                                  std::integer_sequence<int, kM...>) {
        ((sum = fma(moments[kM], derivatives[derivative(kN, kM)], sum)), ...);
        return sum;
    }
};

}  // namespace orrery::cuda
