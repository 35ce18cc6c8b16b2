// SPDX-License-Identifier: MIT
// The tetrahedral λ of Navarro and Hitschfeld (arXiv 1609.01490, section 6): block ω takes the ω-th triple, counted in
// layers of equal k; layer k is a triangle of k + 1 rows.
#pragma once
#include "core/maps/cube_roots.hpp"
#include "core/maps/lambda.hpp"
#include "core/maps/simplex3.hpp"

namespace orrery {

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

/// On a line of T_m blocks: none is wasted.
template <Root R>
struct Lambda3 {
    static constexpr std::string_view name = "lambda3", root = R::name;
    static constexpr std::string_view
        label = "Tetrahedral lambda",
        doc = "triple k in layers, found with a cube root and a square root; a line of blocks, none wasted";
    ORRERY_HD static constexpr Grid3 grid(std::uint32_t side) { return {tetrahedral(side), 1, 1}; }
    ORRERY_HD TileTriple operator()(Block3 block, std::uint32_t side) const { return lambda3_triple<R>(block.x, side); }
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
    ORRERY_HD static constexpr Grid3 grid(std::uint32_t side) {
        const std::uint64_t edge = cubic_side(side);
        return {edge, edge, edge};
    }
    ORRERY_HD TileTriple operator()(Block3 block, std::uint32_t side) const {
        const std::uint64_t edge = cubic_side(side), omega = block.x + edge * (block.y + edge * block.z);
        // Blocks beyond the last triple map to layer m, which has no work.
        return lambda3_triple<R>(omega, side);
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

}  // namespace orrery
