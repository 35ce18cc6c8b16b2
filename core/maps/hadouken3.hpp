// SPDX-License-Identifier: MIT
#pragma once
#include "core/base/bits.hpp"
#include "core/maps/hadouken.hpp"
#include "core/maps/simplex3.hpp"

namespace orrery {

/// H for 3-simplices: halving by bit operations, after the recursive orthotopes of arXiv 1610.07394 and 2208.11617. The
/// form is our own derivation: the papers halve the simplex into one orthotope and copies of half the side, with
/// padding; here nothing is padded and no block is wasted.
///
/// A tetrahedron of n = 2h layers consists of two tetrahedra of h layers, at either end, and two prisms between them: a
/// triangle i ≤ j below h with any k above, and any i below with a triangle j ≤ k above. Two triangles of h rows form a
/// rectangle of h × (h + 1), so the prisms form one box of h × h × (h + 1). In total there are n/(2h) boxes of each
/// side h = n/2, n/4 … 1, side by side n/2 blocks wide, and finally n triples on the diagonal.
///
/// Other m are split along their binary digits: a tetrahedron of 2^k layers, its prisms with the remainder, and the
/// remainder.
struct Hadouken3 {
    static constexpr std::string_view name = "hadouken3", root = "";
    static constexpr std::string_view label = "Hadouken (H) of three",
                                      doc = "boxes of powers of two, found by bit operations; none wasted";
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
            if (w < tiles_before(here) * rest) {  // the only division: not executed for a power of two
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
        return triple(side, side, side);  // no such block: a triple without work
    }

    /// Grid rows of the core, n/2 blocks wide: those of the boxes and two of the diagonal.
    ORRERY_HD static constexpr std::uint32_t core_rows(std::uint32_t n) { return (n * n + 3 * n - 4) / 3 + 2; }

    /// The core, for n = 2^k > 1: h(h + 1) rows of boxes of side h, from h = n/2 downward, which holds three quarters
    /// of all blocks, so that the loop ends after 4/3 rounds on average.
    template <class U>
    ORRERY_HD static TileTriple core(U x, U row, U n) {
        int log_h = log2(n) - 1;
        U h = n / 2, local = row;
        for (; h > 0 && local >= h * (h + 1); h /= 2, --log_h) local -= h * (h + 1);
        if (h == 0) return triple(x + local * (n / 2), x + local * (n / 2), x + local * (n / 2));
        return in_box(x, local & (h - 1), local >> log_h, h);
    }

    /// The boxes of side h, side by side along x; y < h and z ≤ h.
    template <class U>
    ORRERY_HD static TileTriple in_box(U x, U y, U z, U h) {
        const U a = x & (h - 1), begin = 2 * (x - a);
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
