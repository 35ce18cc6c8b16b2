// SPDX-License-Identifier: MIT
// The terms of a Cartesian expansion of order P, and the pairs of terms that contribute when it is shifted to another
// centre.
#pragma once
#include <array>
#include <cstddef>

#include "core/base/hd.hpp"

namespace orrery {

// Numbering of the monomials x^a y^b z^c, and so of the components of Cartesian tensors, by degree.

/// Number of (a, b, c) with a + b + c ≤ degree; 0 for degree −1.
ORRERY_HD constexpr int terms_up_to(int degree) { return (degree + 1) * (degree + 2) * (degree + 3) / 6; }

/// Exponents of x, y and z. Numbered by degree, then by descending a, then by descending b: 1, x, y, z, x², xy, xz, y²,
/// …
struct MultiIndex {
    int a, b, c;

    ORRERY_HD constexpr int degree() const { return a + b + c; }
    ORRERY_HD constexpr int number() const { return terms_up_to(degree() - 1) + (b + c) * (b + c + 1) / 2 + c; }
    /// Exponent of axis 0, 1 or 2.
    ORRERY_HD constexpr int of(int axis) const { return axis == 0 ? a : axis == 1 ? b : c; }
    /// The index with the exponent of an axis raised by `by`, which may be negative.
    ORRERY_HD constexpr MultiIndex raised(int axis, int by = 1) const {
        return {a + (axis == 0 ? by : 0), b + (axis == 1 ? by : 0), c + (axis == 2 ? by : 0)};
    }
    friend ORRERY_HD constexpr MultiIndex operator+(MultiIndex i, MultiIndex j) {
        return {i.a + j.a, i.b + j.b, i.c + j.c};
    }
    friend ORRERY_HD constexpr MultiIndex operator-(MultiIndex i, MultiIndex j) {
        return {i.a - j.a, i.b - j.b, i.c - j.c};
    }
    /// True if no exponent is negative.
    ORRERY_HD constexpr bool exists() const { return a >= 0 && b >= 0 && c >= 0; }
};

/// The inverse of MultiIndex::number().
ORRERY_HD constexpr MultiIndex multi_index(int number) {
    int degree = 0;
    while (terms_up_to(degree) <= number) ++degree;
    int rest = number - terms_up_to(degree - 1), others = 0;
    while ((others + 1) * (others + 2) / 2 <= rest) ++others;
    rest -= others * (others + 1) / 2;
    return {degree - others, others - rest, rest};
}

inline constexpr int kMostOrder = 8;

/// Calls work.operator()<P>() for the order P. Expansions are compiled for each order except 7.
template <class Work>
auto with_order(int order, const Work& work) {
    switch (order) {
        case 1:
            return work.template operator()<1>();
        case 2:
            return work.template operator()<2>();
        case 3:
            return work.template operator()<3>();
        case 4:
            return work.template operator()<4>();
        case 5:
            return work.template operator()<5>();
        case 6:
            return work.template operator()<6>();
        default:
            return work.template operator()<kMostOrder>();
    }
}

/// Number of moments of a cell: those of degree below P, without the dipole.
ORRERY_HD constexpr int moments_of(int order) { return order < 3 ? 1 : terms_up_to(order - 1) - 3; }
ORRERY_HD constexpr MultiIndex moment_index(int moment) { return multi_index(moment == 0 ? 0 : moment + 3); }
/// The axis along which a term is derived from lower degrees with the fewest operations.
ORRERY_HD constexpr int lowest_axis(MultiIndex i) {
    int best = -1;
    for (int axis = 0; axis < 3; ++axis)
        if (i.of(axis) > 0 && (best < 0 || i.of(axis) < i.of(best))) best = axis;
    return best;
}
/// (−1)^k (2k − 1)!!
ORRERY_HD constexpr double odd_factorial(int k) { return k == 0 ? 1 : -(2 * k - 1) * odd_factorial(k - 1); }

/// to += ± from · power.
struct TermProduct {
    short to, from, power;
    bool minus;
};

/// Calls use() for every pair of terms whose remainder `Rest{}(to, from)` is a valid multi-index; `power` is that
/// index's number.
template <class Rest, class Use>
constexpr void for_products(int terms, const Use& use) {
    for (int to = 0; to < terms; ++to)
        for (int from = 0; from < terms; ++from)
            if (const MultiIndex rest = Rest{}(to, from); rest.exists())
                use(TermProduct{static_cast<short>(to), static_cast<short>(from), static_cast<short>(rest.number()),
                                rest.degree() % 2 != 0});
}
template <class Rest>
constexpr std::size_t count_products(int terms) {
    std::size_t count = 0;
    for_products<Rest>(terms, [&](const TermProduct&) { ++count; });
    return count;
}
template <int kTerms, class Rest>
constexpr auto term_products(Rest) {
    std::array<TermProduct, count_products<Rest>(kTerms)> all{};
    std::size_t count = 0;
    for_products<Rest>(kTerms, [&](const TermProduct& product) { all[count++] = product; });
    return all;
}

/// Shift of moments to another centre, with the sign in `minus`.
template <int P>
inline constexpr auto kMomentShifts = term_products<moments_of(P)>([](int to, int from) {
    return moment_index(to) - moment_index(from);
});
/// Shift of a local expansion to another centre; all terms are positive.
template <int P>
inline constexpr auto kLocalMoves = term_products<terms_up_to(P)>([](int to, int from) {
    return multi_index(from) - multi_index(to);
});

}  // namespace orrery
