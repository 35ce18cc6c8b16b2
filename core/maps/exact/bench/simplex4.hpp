// SPDX-License-Identifier: MIT
// Three maps of the 4-simplex i ≤ j ≤ k ≤ l < n as functors of one index, for hosts and devices: the bounding box, λ
// and a recursive partition.
#pragma once
#include "exact_maps.hpp"

namespace orrery::exact::bench {

ORRERY_EXACT_HD constexpr bool useful(Quadruple q, std::uint32_t n) {
    return q.i <= q.j && q.j <= q.k && q.k <= q.l && q.l < n;
}

/// The whole hypercube: 23 of 24 indices have no work for large n.
struct Box4 {
    static constexpr const char* name = "bounding box";
    static std::uint64_t count(std::uint64_t n) { return n * n * n * n; }
    ORRERY_EXACT_HD Quadruple operator()(std::uint64_t index, std::uint32_t n) const {
        const auto at = [n](std::uint64_t& rest) {
            const auto digit = static_cast<std::uint32_t>(rest % n);
            rest /= n;
            return digit;
        };
        const std::uint32_t i = at(index), j = at(index), k = at(index);
        return {i, j, k, static_cast<std::uint32_t>(index)};
    }
};

/// λ: the layer by two square roots and an integer repair, then the triple; nothing is wasted.
struct Lambda4 {
    static constexpr const char* name = "lambda";
    static std::uint64_t count(std::uint64_t n) { return quadruple_count(n); }
    ORRERY_EXACT_HD Quadruple operator()(std::uint64_t index, std::uint32_t) const { return quadruple_at(index); }
};

/// Halving: of the quadruples of n = h + r elements, h = ⌊n/2⌋, four, three, two, one or none have their members below
/// h. The parts follow one another, each a product of simplices of h and of r elements. Mixed parts are products whose
/// factors are found by a division and lower maps; the pure ones are halved again. Nothing is wasted.
struct Recursive4 {
    static constexpr const char* name = "recursive";
    static std::uint64_t count(std::uint64_t n) { return quadruple_count(n); }
    ORRERY_EXACT_HD Quadruple operator()(std::uint64_t index, std::uint32_t n) const {
        std::uint32_t base = 0;
        while (n > 1) {
            const std::uint32_t h = n / 2, r = n - h, high = base + h;
            if (index < quadruple_count(h)) {  // four below
                n = h;
                continue;
            }
            index -= quadruple_count(h);
            if (index < triple_count(h) * r) {
                const Triple t = triple_at(index / r);
                return {base + t.i, base + t.j, base + t.k, high + static_cast<std::uint32_t>(index % r)};
            }
            index -= triple_count(h) * r;
            if (index < pair_count(h) * pair_count(r)) {
                const Pair low = pair_at(index / pair_count(r)), top = pair_at(index % pair_count(r));
                return {base + low.col, base + low.row, high + top.col, high + top.row};
            }
            index -= pair_count(h) * pair_count(r);
            if (index < h * triple_count(r)) {
                const Triple t = triple_at(index / h);
                return {base + static_cast<std::uint32_t>(index % h), high + t.i, high + t.j, high + t.k};
            }
            index -= h * triple_count(r);
            base = high, n = r;
        }
        return {base, base, base, base};
    }
};

}  // namespace orrery::exact::bench
