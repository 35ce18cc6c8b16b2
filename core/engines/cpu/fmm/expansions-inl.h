// SPDX-License-Identifier: MIT
// Cartesian expansions of Σ m/√(r² + ε²) up to a degree P (Dehnen 2002, J. Comput. Phys. 179, 27, §3; of the softened
// kernel, so no term is dropped as harmonic). Each lane of a vector has a pair of cells, a cell or a body. Compiled
// once per instruction set.
//
// Moments of a cell about its centre of mass: M_k = (−1)^|k| Σ m d^k/k!, |k| < P, without the dipole, which is zero.
// Local expansion about a centre: Φ(δ) = Σ L_n δ^n/n!, |n| ≤ P, whose gradient is the acceleration. M2L, with D_k the
// derivatives of 1/√(x² + ε²): L_n = Σ_k M_k D_{n+k}, |n| + |k| ≤ P, without M_k of |k| = P. The forces of two cells on
// each other are then equal and opposite.
#if defined(ORRERY_CORE_ENGINES_CPU_FMM_EXPANSIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_CORE_ENGINES_CPU_FMM_EXPANSIONS_INL_H_
#undef ORRERY_CORE_ENGINES_CPU_FMM_EXPANSIONS_INL_H_
#else
#define ORRERY_CORE_ENGINES_CPU_FMM_EXPANSIONS_INL_H_
#endif

#include <hwy/highway.h>

#include <utility>

#include "core/engines/cpu/fmm/cells.hpp"
#include "core/physics/expansion_terms.hpp"

HWY_BEFORE_NAMESPACE();
namespace orrery::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <int P, class D>
class Expansions {
public:
    using V = hn::Vec<D>;
    using Real = hn::TFromD<D>;
    static constexpr int kTerms = terms_up_to(P), kMoments = moments_of(P);

    struct Terms {
        V at[kTerms];
    };
    struct Moments {
        V at[kMoments];
    };

    /// x^k/k! for |k| ≤ P.
    static HWY_INLINE Terms powers(D d, V x, V y, V z) {
        const V axis[3] = {x, y, z};
        Terms t;
        t.at[0] = hn::Set(d, Real(1));
        for_terms<1, kTerms>([&]<int kI>() HWY_ATTR {
            constexpr MultiIndex i = multi_index(kI);
            constexpr int a = lowest_axis(i);
            const V product = hn::Mul(axis[a], t.at[i.raised(a, -1).number()]);
            t.at[kI] = i.of(a) == 1 ? product : hn::Mul(product, hn::Set(d, Real(1) / i.of(a)));
        });
        return t;
    }

    /// D_k for |k| ≤ P at separation (x, y, z), by the recursion of McMurchie & Davidson (1978). The recursion is in
    /// units of 1/inverse = √(r² + ε²), which keeps its numbers near 1; the units are applied at the end. All are 0
    /// where `inverse` is 0.
    static HWY_INLINE Terms derivatives(D d, V x, V y, V z, V inverse) {
        const V axis[3] = {hn::Mul(x, inverse), hn::Mul(y, inverse), hn::Mul(z, inverse)};
        Terms t;
        t.at[0] = hn::Set(d, Real(odd_factorial(P)));
        for_terms<1, P + 1>([&]<int kLast>() HWY_ATTR {  // completes the degrees up to kLast
            for_terms<0, terms_up_to(kLast) - 1>([&]<int kBack>() HWY_ATTR {
                constexpr int kI = terms_up_to(kLast) - 1 - kBack;  // descending: reads terms of the previous step
                constexpr MultiIndex i = multi_index(kI);
                constexpr int a = lowest_axis(i);
                const V first = hn::Mul(axis[a], t.at[i.raised(a, -1).number()]);
                if constexpr (i.of(a) == 1)
                    t.at[kI] = first;
                else if constexpr (i.of(a) == 2)
                    t.at[kI] = hn::Add(first, t.at[i.raised(a, -2).number()]);
                else
                    t.at[kI] = hn::MulAdd(hn::Set(d, Real(i.of(a) - 1)), t.at[i.raised(a, -2).number()], first);
            });
            t.at[0] = hn::Set(d, Real(odd_factorial(P - kLast)));
        });
        V unit = inverse;
        for_terms<0, P + 1>([&]<int kDegree>() HWY_ATTR {
            for_terms<terms_up_to(kDegree - 1), terms_up_to(kDegree)>(
                [&]<int kI>() HWY_ATTR { t.at[kI] = hn::Mul(t.at[kI], unit); });
            unit = hn::Mul(unit, inverse);
        });
        return t;
    }

    /// Adds a body's contribution to moments (P2M), given powers() of its offset from the centre.
    static HWY_INLINE void add_body(Moments& sum, V mass, const Terms& powers) {
        for_terms<0, kMoments>([&]<int kM>() HWY_ATTR {
            constexpr MultiIndex k = moment_index(kM);
            sum.at[kM] = k.degree() % 2 == 0 ? hn::MulAdd(mass, powers.at[k.number()], sum.at[kM])
                                             : hn::NegMulAdd(mass, powers.at[k.number()], sum.at[kM]);
        });
    }

    /// Shifts moments to another centre (M2M), given powers() of the offset of the old centre from the new one.
    static HWY_INLINE void add_shifted(Moments& to, const Moments& from, const Terms& powers) {
        for (const TermProduct& p : kMomentShifts<P>)
            to.at[p.to] = p.minus ? hn::NegMulAdd(powers.at[p.power], from.at[p.from], to.at[p.to])
                                  : hn::MulAdd(powers.at[p.power], from.at[p.from], to.at[p.to]);
    }

    /// Broadcasts the moments of one cell, which are kFamily apart, with the sign of odd degrees flipped.
    static HWY_INLINE void load_odd(D d, const Real* moments, Moments& odd) {
        for_terms<0, kMoments>([&]<int kM>() HWY_ATTR {
            const Real moment = moments[kM * kFamily];
            constexpr bool kEven = moment_index(kM).degree() % 2 == 0;
            odd.at[kM] = hn::Set(d, kEven ? moment : -moment);
        });
    }

    /// Cells b that interact with a cell a, one in each lane. Their moments and local terms are kFamily apart.
    struct Others {
        Terms derivatives;  ///< at a − b
        const Real* moments;
        Real* locals;
    };
    /// Mutual interaction (M2L) of cell a, the same in all lanes, with `others`. `odd_a`: moments of a from load_odd().
    /// The outer loop is over blocks of terms, the inner one over `others`: the unrolled code of all terms of a high
    /// order does not fit into the instruction cache.
    static HWY_INLINE void interact(D d, const Moments& odd_a, Terms& locals_a, const Others* others, int count,
                                    bool potential) {
        if (potential) interact_degree<0>(d, odd_a, locals_a, others, count);
        for_terms<1, P + 1>([&]<int kDegree>()
                                HWY_ATTR { interact_degree<kDegree>(d, odd_a, locals_a, others, count); });
    }

    /// Shifts a local expansion to another centre (L2L) and adds it, given powers() of the offset of the new centre.
    static HWY_INLINE void add_moved(Terms& to, const Terms& from, const Terms& powers) {
        for (const TermProduct& p : kLocalMoves<P>)
            to.at[p.to] = hn::MulAdd(from.at[p.from], powers.at[p.power], to.at[p.to]);
    }

    struct Field {
        V x, y, z, potential;  ///< potential: Σ m/√(r² + ε²)
    };
    /// Evaluates a local expansion (L2P), given powers() of the point's offset.
    static HWY_INLINE Field field(D d, const Terms& locals, const Terms& powers) {
        V sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
        for_terms<0, kTerms>([&]<int kI>() HWY_ATTR {
            constexpr MultiIndex i = multi_index(kI);
            sums[3] = hn::MulAdd(locals.at[kI], powers.at[kI], sums[3]);
            if constexpr (i.degree() < P)
                for_terms<0, 3>([&]<int kAxis>() HWY_ATTR {
                    sums[kAxis] = hn::MulAdd(locals.at[i.raised(kAxis).number()], powers.at[kI], sums[kAxis]);
                });
        });
        return {sums[0], sums[1], sums[2], sums[3]};
    }

private:
    static constexpr int kRows = 3;  // number of local terms whose sums are in registers at a time

    /// Number of moments with |k| + degree ≤ P.
    static constexpr int used_moments(int degree) {
        int count = 0;
        while (count < kMoments && moment_index(count).degree() + degree <= P) ++count;
        return count;
    }

    template <int kFrom, int kTo, class Each>
    static HWY_INLINE void for_terms(const Each& each) {
        if constexpr (kFrom < kTo) [&]<int... kI>(std::integer_sequence<int, kI...>) HWY_ATTR {
                (each.template operator()<kFrom + kI>(), ...);
            }
        (std::make_integer_sequence<int, kTo - kFrom>{});
    }

    template <int kDegree>
    static HWY_INLINE void interact_degree(D d, const Moments& odd_a, Terms& locals_a, const Others* others,
                                           int count) {
        constexpr int kFirst = terms_up_to(kDegree - 1), kEnd = terms_up_to(kDegree);
        for_terms<0, (kEnd - kFirst + kRows - 1) / kRows>([&]<int kBlock>() HWY_ATTR {
            constexpr int kFrom = kFirst + kBlock * kRows;
            constexpr int kHere = kEnd - kFrom < kRows ? kEnd - kFrom : kRows;
            interact_rows<kDegree, kFrom, kHere>(d, odd_a, locals_a, others, count,
                                                 std::make_integer_sequence<int, used_moments(kDegree)>{});
        });
    }

    static consteval int derivative(int term, int moment) {
        return (multi_index(term) + moment_index(moment)).number();
    }

    template <bool kOdd>
    static HWY_INLINE void interact_terms(V& a, V& b, V moment_a, V moment_b, V derivative) {
        a = hn::MulAdd(moment_b, derivative, a);
        b = kOdd ? hn::NegMulAdd(moment_a, derivative, b) : hn::MulAdd(moment_a, derivative, b);
    }

    /// Computes kHere local terms from kFrom on. A fold over all moments, because one template per product takes
    /// minutes to compile.
    template <int kDegree, int kFrom, int kHere, int... kM>
    static HWY_INLINE void interact_rows(D d, const Moments& odd_a, Terms& locals_a, const Others* others, int count,
                                         std::integer_sequence<int, kM...>) {
        static_assert(kHere <= kRows && kRows == 3);
        constexpr bool kOdd = kDegree % 2 != 0;
        constexpr int k1 = kHere > 1 ? 1 : 0, k2 = kHere > 2 ? 2 : 0;
        V a[kHere], b[kHere], of_a = hn::Undefined(d), of_b = of_a;
        for (int i = 0; i < kHere; ++i) a[i] = locals_a.at[kFrom + i];
        for (const Others* other = others; other != others + count; ++other) {
            Real* const locals_b = other->locals + kFrom * static_cast<int>(kFamily);
            const V* const derivatives = other->derivatives.at;
            for (int i = 0; i < kHere; ++i) b[i] = hn::Load(d, locals_b + i * static_cast<int>(kFamily));
            ((of_a = odd_a.at[kM], of_b = hn::Load(d, other->moments + kM * kFamily),
              interact_terms<kOdd>(a[0], b[0], of_a, of_b, derivatives[derivative(kFrom, kM)]),
              k1 != 0 ? interact_terms<kOdd>(a[k1], b[k1], of_a, of_b, derivatives[derivative(kFrom + k1, kM)])
                      : void(),
              k2 != 0 ? interact_terms<kOdd>(a[k2], b[k2], of_a, of_b, derivatives[derivative(kFrom + k2, kM)])
                      : void()),
             ...);
            for (int i = 0; i < kHere; ++i) hn::Store(b[i], d, locals_b + i * static_cast<int>(kFamily));
        }
        for (int i = 0; i < kHere; ++i) locals_a.at[kFrom + i] = a[i];
    }
};

}  // namespace orrery::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
