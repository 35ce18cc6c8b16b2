// SPDX-License-Identifier: MIT
// Which terms the Cartesian expansions of an order P have, and which of them meet when one is moved to another centre.
#pragma once
#include <array>
#include <cstddef>

#include "core/physics/multi_index.hpp"

namespace orrery {

inline constexpr int kMostOrder = 8;

/// Calls work.operator()<P>() for the order P. Expansions are compiled for each, but for 7.
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

/// Moments of a cell: those of degree below P without the dipole.
ORRERY_HD constexpr int moments_of(int order) { return order < 3 ? 1 : terms_up_to(order - 1) - 3; }
ORRERY_HD constexpr MultiIndex moment_index(int moment) { return multi_index(moment == 0 ? 0 : moment + 3); }
/// The axis by which a term is made of those of lower degree with the fewest operations.
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

/// Calls use(product) where `Rest{}(to, from)` exists, which is the number of `power`.
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

/// Of moments about another centre; `minus` holds.
template <int P>
inline constexpr auto kMomentShifts = term_products<moments_of(P)>([](int to, int from) {
    return moment_index(to) - moment_index(from);
});
/// Of a local expansion about another centre; without signs.
template <int P>
inline constexpr auto kLocalMoves = term_products<terms_up_to(P)>([](int to, int from) {
    return multi_index(from) - multi_index(to);
});

}  // namespace orrery
