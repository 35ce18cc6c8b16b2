// SPDX-License-Identifier: MIT
#pragma once
#include "core/base/bits.hpp"
#include "core/maps/hadouken.hpp"
#include "core/maps/simplex3.hpp"

namespace orrery {

/// H for 3-simplices: halving, by bits alone, after the recursive orthotopes of arXiv 1610.07394 and 2208.11617. The
/// form is our own derivation. The papers halve the simplex into one orthotope and copies of half the side, and pad
/// it; here nothing is padded and no block is wasted:
///
/// A tetrahedron of n = 2h layers is two tetrahedra of h layers, at either end, and two prisms between them: a triangle
/// i ≤ j below h with any k above, and any i below with a triangle j ≤ k above. Two triangles of h rows are a rectangle
/// of h × (h + 1), so the prisms are one box of h × h × (h + 1). All the way down there are n/(2h) boxes of each side
/// h = 1, 2, 4 … n/2, side by side n/2 blocks wide, and n triples on the diagonal in the end.
///
/// Other m are cut at their binary digits: a tetrahedron of 2^k layers, its prisms with the rest, and the rest.
struct Hadouken3 {
    static constexpr std::string_view name = "hadouken3", root = "";
    ORRERY_HD static constexpr Grid3 grid(std::uint32_t side) { return {tetrahedral(side), 1, 1}; }

    ORRERY_HD TileTriple operator()(Block3 block, std::uint32_t side) const {
        if (side <= kNarrowLayers) return on_line(static_cast<std::uint32_t>(block.x), side);
        return on_line(block.x, std::uint64_t{side});
    }

    /// Block w of the line, for any m.
    template <class U>
    ORRERY_HD static TileTriple on_line(U w, U side) {
        for (U base = 0; base < side;) {
            const U here = bit_floor(side - base), rest = side - base - here;
            if (w < triples_before(here)) return moved(base, whole(w, here));
            w -= triples_before(here);
            if (w < tiles_before(here) * rest) {  // the one division: 0 times for a power of two
                const Tile low = Hadouken::on_line(w / rest, here);
                return triple<U>(base + low.col, base + low.row, base + here + w % rest);
            }
            w -= tiles_before(here) * rest;
            if (w < here * tiles_before(rest)) {
                const Tile high = Hadouken::on_line(w >> log2(here), rest);
                return triple<U>(base + (w & (here - 1)), base + here + high.col, base + here + high.row);
            }
            w -= here * tiles_before(rest);
            base += here;
        }
        return triple(side, side, side);  // no such block: no work
    }

    /// Grid rows of the core, n/2 blocks wide: the boxes' and two of the diagonal.
    ORRERY_HD static constexpr std::uint32_t core_rows(std::uint32_t n) { return (n * n + 3 * n - 4) / 3 + 2; }

    /// The core, for n = 2^k > 1. Before boxes of side h lie Σ g(g + 1) = (h² + 3h − 4)/3 rows.
    template <class U>
    ORRERY_HD static TileTriple core(U x, U row, U n) {
        const U v = 3 * row + 4;
        int log_h = log2(v) / 2;  // h² ≤ v < 4h², of which h² + 3h ≤ v is wanted
        if (v < ((U{1} << log_h) + 3) << log_h) --log_h;
        const U h = U{1} << log_h, local = (v - ((h + 3) << log_h)) / 3;
        if (h == n) return triple(x + local * (n / 2), x + local * (n / 2), x + local * (n / 2));
        const U a = x & (h - 1), begin = 2 * (x - a), y = local & (h - 1), z = local >> log_h;
        if (z > y) return triple(begin + y, begin + z - 1, begin + h + a);
        return triple(begin + a, begin + h + z, begin + h + y);
    }

private:
    template <class U>
    ORRERY_HD static int log2(U power) {
        return bit_width(power) - 1;
    }
    template <class U>
    ORRERY_HD static constexpr U triples_before(U layer) {
        return layer * (layer + 1) * (layer + 2) / 6;
    }
    template <class U>
    ORRERY_HD static constexpr TileTriple triple(U i, U j, U k) {
        return {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(k)};
    }
    template <class U>
    ORRERY_HD static constexpr TileTriple moved(U base, TileTriple t) {
        return triple<U>(base + t.i, base + t.j, base + t.k);
    }
    template <class U>
    ORRERY_HD static TileTriple whole(U w, U n) {
        return n == 1 ? TileTriple{} : core(w & (n / 2 - 1), w >> (log2(n) - 1), n);
    }
};
static_assert(Simplex3Map<Hadouken3>);

}  // namespace orrery
