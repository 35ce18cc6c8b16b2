// SPDX-License-Identifier: MIT
// Launch variants for quadruples: maps of the 4-simplex i ≤ j ≤ k ≤ l; the counterpart of
// core/lab/launch_variants3.hpp.
#pragma once
#include "core/lab/launch_variants3.hpp"
#include "core/maps/exact/exact_maps.hpp"
#include "core/maps/roots.hpp"

namespace orrery {

/// Four body tiles.
using TileQuadruple = exact::Quadruple;
ORRERY_HD constexpr bool useful(TileQuadruple t, std::uint32_t side) {
    return t.i <= t.j && t.j <= t.k && t.k <= t.l && t.l < side;
}
/// Number of quadruples of `side` tiles; fits 32 bits up to 254.
ORRERY_HD constexpr std::uint64_t simplex4(std::uint64_t side) { return exact::quadruple_count(side); }

/// The whole hypercube, with k and l along z: 23 of 24 blocks return at once for large sides.
struct HypercubeOfBlocks {
    static constexpr bool for_block = false, for_study = false;
    static constexpr std::string_view id = "hypercube", doc = "the whole hypercube of blocks; 23 of 24 return at once";
    /// ⌊2³²/side⌋ + 1: the upper half of its product with z is z / side, exactly if side · z < 2³².
    std::uint32_t reciprocal = 0;
    ORRERY_HD TileQuadruple operator()(GridPosition block, std::uint32_t side) const {
        const auto l = static_cast<std::uint32_t>(std::uint64_t{block.z} * reciprocal >> 32);
        return {block.x, block.y, block.z - l * side, l};
    }
    ORRERY_HD static constexpr bool idles(TileQuadruple t, std::uint32_t) {
        return t.i > t.j || t.j > t.k || t.k > t.l;
    }
    template <class Launch>
    void launches(std::uint32_t side, const Launch& launch) const {
        const auto inverse = static_cast<std::uint32_t>((std::uint64_t{1} << 32) / side + 1);
        launch(Extent{side, side, side * side}, HypercubeOfBlocks{inverse});
    }
};

/// λ of the 4-simplex: the layer l by two square roots, the rest as tetrahedral λ. See exact::narrow_quadruple().
template <Root R>
struct Lambda4Line {
    static constexpr bool for_block = true, for_study = false;
    static constexpr std::string_view id = "lambda4",
                                      doc = "layer l of a quadruple by two square roots, then tetrahedral lambda";
    ORRERY_HD TileQuadruple operator()(GridPosition block, std::uint32_t) const {
        return exact::narrow_quadruple<R, CubeRoot<R>>(block.x);
    }
    ORRERY_HD static constexpr bool idles(TileQuadruple, std::uint32_t) { return false; }
    template <class Launch>
    void launches(std::uint32_t side, const Launch& launch) const {
        launch(Extent{static_cast<std::uint32_t>(simplex4(side))}, *this);
    }
};

/// A recursive partition: of the quadruples of n = h + r tiles, h = ⌊n/2⌋, four, three, two, one or none of the members
/// lie below h. The parts follow one another; each is a product of simplices of h and of r tiles. The factors of mixed
/// parts are found by a division and lower maps, and the first and last part are halved again.
template <Root R>
struct Halves4 {
    static constexpr bool for_block = true, for_study = false;
    static constexpr std::string_view id = "halves4",
                                      doc = "recursive halves, whose products of pairs and triples need fewer roots";
    ORRERY_HD TileQuadruple operator()(GridPosition block, std::uint32_t side) const {
        std::uint32_t index = block.x, n = side, base = 0;
        while (n > 1) {
            const std::uint32_t h = n / 2, r = n - h, high = base + h;
            const auto low4 = static_cast<std::uint32_t>(simplex4(h));
            const auto low3 = static_cast<std::uint32_t>(tetrahedral(h)),
                       high3 = static_cast<std::uint32_t>(tetrahedral(r));
            const std::uint32_t low2 = tiles_before(h), high2 = tiles_before(r);
            if (index < low4) {
                n = h;
                continue;
            }
            index -= low4;
            if (index < low3 * r) {
                const exact::Triple t = triple(index / r);
                return {base + t.i, base + t.j, base + t.k, high + index % r};
            }
            index -= low3 * r;
            if (index < low2 * high2) {
                const exact::Pair low = pair(index / high2), top = pair(index % high2);
                return {base + low.col, base + low.row, high + top.col, high + top.row};
            }
            index -= low2 * high2;
            if (index < h * high3) {
                const exact::Triple t = triple(index / h);
                return {base + index % h, high + t.i, high + t.j, high + t.k};
            }
            index -= h * high3;
            base = high, n = r;
        }
        return {base, base, base, base};
    }
    ORRERY_HD static constexpr bool idles(TileQuadruple, std::uint32_t) { return false; }
    template <class Launch>
    void launches(std::uint32_t side, const Launch& launch) const {
        launch(Extent{static_cast<std::uint32_t>(simplex4(side))}, *this);
    }

private:
    ORRERY_HD static exact::Pair pair(std::uint32_t k) { return exact::narrow_pair<R>(static_cast<std::int32_t>(k)); }
    ORRERY_HD static exact::Triple triple(std::uint32_t omega) {
        return exact::narrow_triple<R, CubeRoot<R>>(static_cast<std::int32_t>(omega));
    }
};

/// λ without integer correction, for study: the layer is ⌊√(5/4 + √(1 + 24ω)) − 3/2⌋ in Real; the triple is exact.
template <class Real>
struct Lambda4Trusted {
    static constexpr bool for_block = true, for_study = true;
    static constexpr std::string_view id = sizeof(Real) == 4 ? "lambda4-trusted" : "lambda4-trusted-fp64",
                                      doc = sizeof(Real) == 4 ? "the same with its two roots trusted, in float"
                                                              : "the same with its two roots trusted, in double";
    ORRERY_HD static std::uint32_t layer_of(std::uint64_t omega) {
        return static_cast<std::uint32_t>(std::sqrt(Real(1.25) + std::sqrt(Real(1) + static_cast<Real>(24 * omega))) -
                                          Real(1.5));
    }
    ORRERY_HD TileQuadruple operator()(GridPosition block, std::uint32_t) const {
        const std::uint32_t layer = layer_of(block.x);
        // Wraps around if the layer is one too high; the wrong triple then has no work or repeats another.
        const auto rest = block.x - static_cast<std::uint32_t>(simplex4(layer));
        const exact::Triple below = exact::triple_at(rest);
        return {below.i, below.j, below.k, layer};
    }
    ORRERY_HD static constexpr bool idles(TileQuadruple t, std::uint32_t side) { return !useful(t, side); }
    template <class Launch>
    void launches(std::uint32_t side, const Launch& launch) const {
        launch(Extent{static_cast<std::uint32_t>(simplex4(side))}, *this);
    }
};

using LabForms4 =
    TypeList<HypercubeOfBlocks, Rooted<Lambda4Line>, Rooted<Halves4>, Lambda4Trusted<float>, Lambda4Trusted<double>>;

template <class Listed>
inline constexpr FormId form4_id{LabForms::size + LabForms3::size + index_in<Listed, LabForms4>()};

/// Calls use(form) with the selected form of quadruples.
template <class Use>
void with_form4(FormChoice choice, const Use& use) {
    with_rooted<LabForms4>(static_cast<std::size_t>(choice.form) - LabForms::size - LabForms3::size, choice.root,
                           [&]<class Form>() { use(Form{}); });
}

}  // namespace orrery
