// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <concepts>
#include <cstdint>
#include <string_view>

#include "core/base/bits.hpp"
#include "core/base/hd.hpp"
#include "core/maps/exact/exact_maps.hpp"
#include "core/maps/lambda.hpp"
#include "core/maps/roots.hpp"
#include "core/maps/triangle_maps.hpp"

namespace orrery {

// Maps of the 3-simplex: triples of body tiles for three-body forces; the counterpart of core/maps/map.hpp for pairs.

struct Block3 {
    std::uint64_t x, y, z;
    friend bool operator==(const Block3&, const Block3&) = default;
};
/// Number of launched blocks: x · y · z.
struct Grid3 {
    std::uint64_t x, y, z;
    ORRERY_HD constexpr std::uint64_t count() const { return x * y * z; }
};
/// Three body tiles. The domain is the tetrahedron i ≤ j ≤ k < side; a block that is mapped to any other triple has no
/// work.
struct TileTriple {
    std::uint32_t i, j, k;
    friend bool operator==(const TileTriple&, const TileTriple&) = default;
};
ORRERY_HD constexpr bool useful(TileTriple tiles, std::uint32_t side) {
    return tiles.i <= tiles.j && tiles.j <= tiles.k && tiles.k < side;
}

/// Maps are exact up to this many layers: six times the number of triples, and the cube of the layers, fit 64 bits.
inline constexpr std::uint32_t kMostLayers = exact::kMostLayers3;

/// Up to this many layers six times a triple's index fits 31 bits.
inline constexpr std::uint32_t kNarrowLayers = exact::kNarrowLayers3;

/// Six times the number of triples in layers 0 … layer−1, a layer being all triples of one k; needs no division.
ORRERY_HD constexpr std::uint64_t six_tetrahedral(std::uint64_t layer) { return exact::six_triples(layer); }
/// T_n = n(n + 1)(n + 2)/6.
ORRERY_HD constexpr std::uint64_t tetrahedral(std::uint64_t layer) { return six_tetrahedral(layer) / 6; }

/// Block `index` of a grid, counted along x first, then y. Grids of one line need no division.
ORRERY_HD constexpr Block3 block_at(Grid3 grid, std::uint64_t index) {
    if (grid.y == 1 && grid.z == 1) return {index, 0, 0};
    return {index % grid.x, index / grid.x % grid.y, index / grid.x / grid.y};
}

/// A block and the triple that a map assigns to it in a tetrahedron of m layers, for `explain`.
struct MappedTriple {
    std::uint64_t x, y, z;
    std::uint64_t m;
    std::uint64_t i, j, k;
};

/// Every useful triple comes from exactly one block of the grid. `explain` as in TriangleMap.
template <class M>
concept Simplex3Map = requires(const M map, Block3 block, std::uint32_t side) {
    { M::grid(side) } -> std::same_as<Grid3>;
    { map(block, side) } -> std::same_as<TileTriple>;
    { M::name } -> std::convertible_to<std::string_view>;  // its id
    { M::label } -> std::convertible_to<std::string_view>;
    { M::doc } -> std::convertible_to<std::string_view>;
    { M::root } -> std::convertible_to<std::string_view>;  // id of its root; empty if it takes none
    { M::title } -> std::convertible_to<std::string_view>;
    { M::formula } -> std::convertible_to<std::string_view>;
    { M::source } -> std::convertible_to<std::string_view>;
};

/// Bounding box: the whole cube is launched, and 5/6 of its blocks return at once.
struct BoundingCube {
    static constexpr std::string_view name = "cube", root = "";
    static constexpr std::string_view label = "Bounding cube",
                                      doc = "the whole cube of blocks; five of six return at once";
    static constexpr std::string_view title = "Bounding cube (cube)",
                                      formula = "i = x, j = y, k = z; idle unless x ≤ y ≤ z",
                                      source = paper::kNavarro2016;
    ORRERY_HD static constexpr Grid3 grid(std::uint32_t side) { return {side, side, side}; }
    ORRERY_HD constexpr TileTriple operator()(Block3 block, std::uint32_t) const {
        return {static_cast<std::uint32_t>(block.x), static_cast<std::uint32_t>(block.y),
                static_cast<std::uint32_t>(block.z)};
    }
    static void explain(const MappedTriple& at, auto& say) {
        if (at.x > at.y) return say("{} > {}", at.x, at.y);
        if (at.y > at.z) return say("{} > {}", at.y, at.z);
        say("{} ≤ {} ≤ {}", at.x, at.y, at.z);
        say("i = {}", at.i);
        say("j = {}", at.j);
        say("k = {}", at.k);
    }
};
static_assert(Simplex3Map<BoundingCube>);

// The tetrahedral λ of Navarro and Hitschfeld (arXiv 1609.01490, section 6): block ω takes the ω-th triple, counted in
// layers of equal k; layer k is a triangle of k + 1 rows.

using exact::layer_of;

/// k solves x³ + 3x² + 2x − 6ω = 0. Substituting y = x + 1 gives y³ − y = 6ω, so x = c + 1/(3c) − 1 with c³ = 6ω up to
/// terms of c⁻⁵: the papers' closed form without its s = √(729ω² − 3) + 27ω ≈ 54ω.
template <Root R>
ORRERY_HD TileTriple lambda3_wide(std::uint64_t omega, std::uint32_t side) {
    using Real = typename R::Real;
    std::uint64_t layer = 0;
    if (omega > 0) {
        const Real c = CubeRoot<R>{}(static_cast<Real>(6 * omega));
        layer = layer_of(omega, static_cast<std::uint64_t>(c + Real(1) / (Real(3) * c) - Real(1)));
    }
    const Tile below = lambda_tile<R>(omega - tetrahedral(layer), side);
    return {below.col, below.row, static_cast<std::uint32_t>(layer)};
}

/// For kNarrowLayers layers and the additional blocks of a cubic grid: one comparison corrects the layer.
template <NearRoot R>
ORRERY_HD TileTriple lambda3_narrow(std::int32_t omega) {
    const exact::Triple triple = exact::narrow_triple<R, CubeRoot<R>>(omega);
    return {triple.i, triple.j, triple.k};
}

template <Root R>
ORRERY_HD TileTriple lambda3_triple(std::uint64_t omega, std::uint32_t side) {
    if constexpr (NearRoot<R>)
        if (side <= kNarrowLayers) return lambda3_narrow<R>(static_cast<std::int32_t>(omega));
    return lambda3_wide<R>(omega, side);
}

/// k from the cubic equation, then λ of the remainder.
void explain_lambda3(auto& say, const MappedTriple& at, std::uint64_t omega) {
    const std::uint64_t before = tetrahedral(at.k), rest = omega - before;
    const double c = std::cbrt(6 * static_cast<double>(omega));
    if (omega > 0) say("s³ + 3s² + 2s − 6·{} = 0: s ≈ {:.5g}", omega, c + 1 / (3 * c) - 1);
    say("k = {}", at.k);
    if (at.k >= at.m) return say("{} ≥ {}", at.k, at.m);
    say("ω₂ = {} − {}·{}·{}/6 = {}", omega, at.k, at.k + 1, at.k + 2, rest);
    say("j = ⌊√(2·{} + ¼) − ½⌋ = {}", rest, at.j);
    say("i = {} − {}·{}/2 = {}", rest, at.j, at.j + 1, at.i);
}

/// On a line of T_m blocks: none is wasted.
template <Root R>
struct Lambda3 {
    static constexpr std::string_view name = "lambda3", root = R::name;
    static constexpr std::string_view
        label = "Tetrahedral lambda",
        doc = "triple k in layers, found with a cube root and a square root; a line of blocks, none wasted";
    static constexpr std::string_view
        title = "Tetrahedral λ (lambda3)",
        formula = "ω = x, k = ⌊s⌋ with s³ + 3s² + 2s − 6ω = 0, ω₂ = ω − k·(k + 1)·(k + 2)/6, then λ(ω₂)",
        source = paper::kNavarro2016;
    ORRERY_HD static constexpr Grid3 grid(std::uint32_t side) { return {tetrahedral(side), 1, 1}; }
    ORRERY_HD TileTriple operator()(Block3 block, std::uint32_t side) const { return lambda3_triple<R>(block.x, side); }
    static void explain(const MappedTriple& at, auto& say) {
        say("ω = {}", at.x);
        explain_lambda3(say, at, at.x);
    }
};

/// ⌈T_m^(1/3)⌉. T_m = ((m + 1)³ − (m + 1))/6, so its root is (m + 1)/6^(1/3) less at most 0.19/(m + 1): a product in
/// fixed point is off by at most one, and integer arithmetic corrects it.
ORRERY_HD constexpr std::uint64_t cubic_side(std::uint32_t side) {
    constexpr std::uint64_t kPerCubeRoot6 = 2363611591;  // 2³²/6^(1/3)
    const std::uint64_t triples = tetrahedral(side);
    std::uint64_t edge = ((std::uint64_t{side} + 1) * kPerCubeRoot6) >> 32;
    while (edge * edge * edge < triples) ++edge;
    while (edge > 0 && (edge - 1) * (edge - 1) * (edge - 1) >= triples) --edge;
    return edge;
}

/// On the smallest cube of blocks that holds T_m, ω = x + e(y + e·z): fewer than 3e² of the e³ blocks are wasted, all
/// at the end.
template <Root R>
struct Lambda3Grid {
    static constexpr std::string_view name = "lambda3-grid", root = R::name;
    static constexpr std::string_view label = "Tetrahedral lambda, cubic grid",
                                      doc = "the same on the smallest cube that holds all triples";
    static constexpr std::string_view
        title = "Tetrahedral λ, cubic grid (lambda3-grid)",
        formula = "ω = x + e·(y + e·z), e the side of the smallest cube, k = ⌊s⌋ with s³ + 3s² + 2s − 6ω = 0, then λ",
        source = paper::kNavarro2016;
    ORRERY_HD static constexpr Grid3 grid(std::uint32_t side) {
        const std::uint64_t edge = cubic_side(side);
        return {edge, edge, edge};
    }
    ORRERY_HD TileTriple operator()(Block3 block, std::uint32_t side) const {
        const std::uint64_t edge = cubic_side(side), omega = block.x + edge * (block.y + edge * block.z);
        // Blocks beyond the last triple map to layer m, which has no work.
        return lambda3_triple<R>(omega, side);
    }
    static void explain(const MappedTriple& at, auto& say) {
        const std::uint64_t e = cubic_side(static_cast<std::uint32_t>(at.m)), omega = at.x + e * (at.y + e * at.z);
        say("ω = {} + {}·({} + {}·{}) = {}", at.x, e, at.y, e, at.z, omega);
        explain_lambda3(say, at, omega);
    }
};

/// The published form, for study: without integer correction, with ε added to both roots before truncation.
/// docs/maps.md gives its exact range.
template <class Real>
struct Lambda3Published {
    static constexpr std::string_view name = "lambda3-published";
    Real epsilon = 0;

    ORRERY_HD TileTriple operator()(Block3 block, std::uint32_t) const {
        std::uint64_t layer = 0;
        if (block.x > 0) {
            const auto omega = static_cast<Real>(block.x);
            const Real s = std::sqrt(Real(729) * omega * omega - Real(3)) + Real(27) * omega, c = std::cbrt(s);
            constexpr Real kRoot3 = Real(1.4422495703074083823), kRoot9 = Real(2.0800838230519041145);
            layer = static_cast<std::uint64_t>(c / kRoot9 + Real(1) / (kRoot3 * c) - Real(1) + epsilon);
        }
        const std::uint64_t rest = block.x - tetrahedral(layer);  // wraps around if the layer is one too high
        const auto row =
            static_cast<std::uint64_t>(std::sqrt(Real(0.25) + Real(2) * static_cast<Real>(rest)) - Real(0.5) + epsilon);
        return {static_cast<std::uint32_t>(rest - triangular(row)), static_cast<std::uint32_t>(row),
                static_cast<std::uint32_t>(layer)};
    }
};
static_assert(Simplex3Map<Lambda3<SqrtRoot>> && Simplex3Map<Lambda3Grid<SqrtRoot>>);

/// The core of H in a tetrahedron of n = 2^k layers that begins at layer `base`.
void explain_core3(auto& say, std::uint64_t w, std::uint64_t n, std::uint64_t base, const MappedTriple& at) {
    if (n == 1) {
        say("i = {}", at.i);
        say("j = {}", at.j);
        return say("k = {}", at.k);
    }
    const std::uint64_t x = w % (n / 2), line = w / (n / 2);
    say("x = {} mod {} = {}", w, n / 2, x);
    std::uint64_t h = n / 2, local = line;
    for (; h > 0 && local >= h * (h + 1); h /= 2) local -= h * (h + 1);
    if (h == 0) {
        const auto diagonal = [&](char name, std::uint64_t value) {
            say("{} = {} + {} + {}·{} = {}", name, base, x, local, n / 2, value);
        };
        return diagonal('i', at.i), diagonal('j', at.j), diagonal('k', at.k);
    }
    const std::uint64_t y = local % h, z = local / h, a = x % h, first = base + 2 * (x - a);
    say("h = {}", h);
    say("y = {} mod {} = {}", local, h, y);
    say("z = ⌊{}/{}⌋ = {}", local, h, z);
    say("a = {} mod {} = {}", x, h, a);
    say("c = {} + 2·({} − {}) = {}", base, x, a, first);
    if (z > y) {
        say("{} > {}", z, y);
        say("i = {} + {} = {}", first, y, at.i);
        say("j = {} + {} − 1 = {}", first, z, at.j);
        return say("k = {} + {} + {} = {}", first, h, a, at.k);
    }
    say("{} ≤ {}", z, y);
    say("i = {} + {} = {}", first, a, at.i);
    say("j = {} + {} + {} = {}", first, h, z, at.j);
    say("k = {} + {} + {} = {}", first, h, y, at.k);
}

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
    static constexpr std::string_view
        title = "Hadouken of three, by bits (hadouken3)",
        formula =
            "boxes of h × h × (h + 1) for h = m/2, m/4 … 1, each two prisms, then the diagonal; other "
            "m: split along the binary digits of m",
        source = paper::kNavarro2022;
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

    static void explain(const MappedTriple& at, auto& say) {
        std::uint64_t w = at.x;
        for (std::uint64_t base = 0; base < at.m;) {
            const std::uint64_t here = bit_floor(at.m - base), rest = at.m - base - here;
            const std::uint64_t low = triangular(here) * rest, high = here * triangular(rest);
            if (base > 0 && w < tetrahedral(here) + low + high) say("w = {}", w);
            if (w < tetrahedral(here)) return explain_core3(say, w, here, base, at);
            w -= tetrahedral(here);
            if (w < low) {
                say("w = {}", w);
                say("H({}) = ({}, {})", w / rest, at.j - base, at.i - base);
                say("i = {} + {} = {}", base, at.i - base, at.i);
                say("j = {} + {} = {}", base, at.j - base, at.j);
                return say("k = {} + {} + {} mod {} = {}", base, here, w, rest, at.k);
            }
            w -= low;
            if (w < high) {
                say("w = {}", w);
                say("H(⌊{}/{}⌋) = ({}, {})", w, here, at.k - base - here, at.j - base - here);
                say("i = {} + {} mod {} = {}", base, w, here, at.i);
                say("j = {} + {} + {} = {}", base, here, at.j - base - here, at.j);
                return say("k = {} + {} + {} = {}", base, here, at.k - base - here, at.k);
            }
            w -= high;
            base += here;
        }
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
