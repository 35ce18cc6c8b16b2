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
        std::uint64_t w = block.x;
        for (std::uint64_t base = 0; base < side;) {
            const std::uint64_t here = bit_floor(side - base), rest = side - base - here;
            if (w < tetrahedral(here)) return moved(base, core(w, here));
            w -= tetrahedral(here);
            if (w < triangular(here) * rest) {  // the one division: 0 times for a power of two
                const Tile low = Hadouken{}(Block{w / rest, 0}, static_cast<std::uint32_t>(here));
                return triple(base + low.col, base + low.row, base + here + w % rest);
            }
            w -= triangular(here) * rest;
            if (w < here * triangular(rest)) {
                const Tile high = Hadouken{}(Block{w >> log2(here), 0}, static_cast<std::uint32_t>(rest));
                return triple(base + (w & (here - 1)), base + here + high.col, base + here + high.row);
            }
            w -= here * triangular(rest);
            base += here;
        }
        return {side, side, side};  // no such block: no work
    }

private:
    ORRERY_HD static int log2(std::uint64_t power) { return bit_width(power) - 1; }
    ORRERY_HD static constexpr TileTriple triple(std::uint64_t i, std::uint64_t j, std::uint64_t k) {
        return {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(k)};
    }
    ORRERY_HD static constexpr TileTriple moved(std::uint64_t base, TileTriple t) {
        return triple(base + t.i, base + t.j, base + t.k);
    }

    /// n a power of two. Rows are n/2 blocks wide; before boxes of side h lie Σ g(g + 1) = (h² + 3h − 4)/3 of them.
    ORRERY_HD static TileTriple core(std::uint64_t w, std::uint64_t n) {
        if (n == 1) return {0, 0, 0};
        const std::uint64_t x = w & (n / 2 - 1), row = w >> (log2(n) - 1), v = 3 * row + 4;
        int log_h = log2(v) / 2;  // h² ≤ v < 4h², of which h² + 3h ≤ v is wanted
        std::uint64_t h = std::uint64_t{1} << log_h;
        if (v < h * h + 3 * h) h /= 2, --log_h;
        const std::uint64_t local = row - (h * h + 3 * h - 4) / 3;
        if (h == n) return triple(x + local * (n / 2), x + local * (n / 2), x + local * (n / 2));
        const std::uint64_t a = x & (h - 1), begin = 2 * (x - a), y = local & (h - 1), z = local >> log_h;
        if (z > y) return triple(begin + y, begin + z - 1, begin + h + a);
        return triple(begin + a, begin + h + z, begin + h + y);
    }
};
static_assert(Simplex3Map<Hadouken3>);

}  // namespace orrery
