// SPDX-License-Identifier: MIT
// Launch variants for triples: the maps of core/maps/maps.hpp on the tetrahedron; the counterpart of
// core/lab/launch_variants.hpp for pairs.
#pragma once
#include <vector>

#include "core/lab/launch_variants.hpp"
#include "core/maps/any_map.hpp"
#include "core/maps/exact/exact_maps.hpp"
#include "core/maps/roots.hpp"

namespace orrery {

/// The whole cube; a block whose triple has no work returns at once.
struct CubeOfBlocks {
    static constexpr bool for_block = false;  ///< whether to evaluate it once for all threads of a block
    ORRERY_HD TileTriple operator()(GridPosition block, std::uint32_t) const { return {block.x, block.y, block.z}; }
    ORRERY_HD static constexpr bool idles(TileTriple t, std::uint32_t) { return t.i > t.j || t.j > t.k; }
    template <class Launch>
    void launches(std::uint32_t side, const Launch& launch) const {
        launch(Extent{side, side, side}, *this);
    }
};

/// Tetrahedral λ on a line of blocks.
template <Root R>
struct Lambda3Line {
    static constexpr bool for_block = true;
    ORRERY_HD TileTriple operator()(GridPosition block, std::uint32_t side) const {
        return lambda3_triple<R>(block.x, side);
    }
    ORRERY_HD static constexpr bool idles(TileTriple, std::uint32_t) { return false; }
    template <class Launch>
    void launches(std::uint32_t side, const Launch& launch) const {
        launch(Extent{static_cast<std::uint32_t>(tetrahedral(side))}, *this);
    }
};

/// The same on a cubic grid, whose edge is computed once per launch.
template <Root R>
struct Lambda3Cube {
    static constexpr bool for_block = true;
    std::uint32_t edge = 0;
    ORRERY_HD TileTriple operator()(GridPosition block, std::uint32_t side) const {
        return lambda3_triple<R>(block.x + edge * (block.y + edge * block.z), side);
    }
    ORRERY_HD static constexpr bool idles(TileTriple t, std::uint32_t side) { return t.k >= side; }
    template <class Launch>
    void launches(std::uint32_t side, const Launch& launch) const {
        const auto across = static_cast<std::uint32_t>(cubic_side(side));
        launch(Extent{across, across, across}, Lambda3Cube{across});
    }
};

/// H for triples; whether the side is a power of two is decided once per launch. For a power of two the boxes of sides
/// n/2 and n/4, 15/16 of all blocks, are separate launches, whose blocks need not determine their level.
struct Hadouken3Launch {
    struct Boxes {
        static constexpr bool for_block = false;
        std::uint32_t h;
        ORRERY_HD TileTriple operator()(GridPosition block, std::uint32_t) const {
            return Hadouken3::in_box(block.x, block.y, block.z, h);
        }
        ORRERY_HD static constexpr bool idles(TileTriple, std::uint32_t) { return false; }
    };
    /// The core's many rows are along x, because a device supports at most 65 535 blocks along y.
    struct Core {
        static constexpr bool for_block = false;
        std::uint32_t first_row;
        ORRERY_HD TileTriple operator()(GridPosition block, std::uint32_t side) const {
            return Hadouken3::core(block.y, first_row + block.x, side);
        }
        ORRERY_HD static constexpr bool idles(TileTriple, std::uint32_t) { return false; }
    };
    struct Line {
        static constexpr bool for_block = true;
        ORRERY_HD TileTriple operator()(GridPosition block, std::uint32_t side) const {
            return Hadouken3::on_line(block.x, side);
        }
        ORRERY_HD static constexpr bool idles(TileTriple, std::uint32_t) { return false; }
    };
    template <class Launch>
    void launches(std::uint32_t side, const Launch& launch) const {
        if (side == 1 || !is_power_of_two(side))
            return launch(Extent{static_cast<std::uint32_t>(tetrahedral(side))}, Line{});
        std::uint32_t first_row = 0;
        for (std::uint32_t h = side / 2; h > 0 && h >= side / 4; h /= 2) {
            launch(Extent{side / 2, h, h + 1}, Boxes{h});
            first_row += h * (h + 1);
        }
        launch(Extent{Hadouken3::core_rows(side) - first_row, side / 2}, Core{first_row});
    }
};

/// Equations 15 to 17 of 001 on its cubic grid with both roots uncorrected, optionally with ε = 1e-4 added to them; as
/// printed there is no ε.
template <class Real, bool kEpsilon>
struct Lambda3AsPublished {
    static constexpr bool for_block = true, for_study = true;
    static constexpr std::string_view id = !kEpsilon           ? "lambda3-published"
                                           : sizeof(Real) == 4 ? "lambda3-epsilon"
                                                               : "lambda3-epsilon-fp64",
                                      doc = !kEpsilon ? "the roots of eq. 15 and 17 trusted, in float, as printed"
                                            : sizeof(Real) == 4 ? "the same with epsilon = 1e-4 added to both roots"
                                                                : "the same with epsilon, in double";
    std::uint32_t edge = 0;
    ORRERY_HD TileTriple operator()(GridPosition block, std::uint32_t side) const {
        const std::uint64_t omega = block.x + std::uint64_t{edge} * (block.y + std::uint64_t{edge} * block.z);
        return Lambda3Published<Real>{kEpsilon ? Real(1e-4) : Real(0)}(Block3{omega, 0, 0}, side);
    }
    ORRERY_HD static constexpr bool idles(TileTriple t, std::uint32_t side) { return !useful(t, side); }
    template <class Launch>
    void launches(std::uint32_t side, const Launch& launch) const {
        const auto across = static_cast<std::uint32_t>(cubic_side(side));
        launch(Extent{across, across, across}, Lambda3AsPublished{across});
    }
};

/// The table of o(T_n) that 001 proposes in its conclusions: the m + 1 tetrahedral numbers, in which a block finds its
/// layer by bisection; the rest is λ with the papers' R.
struct Lambda3Table {
    static constexpr bool for_block = true, for_study = false;
    static constexpr std::string_view id = "lambda3-table",
                                      doc = "the layer from a table of m + 1 tetrahedral numbers, the rest as lambda";
    const std::uint32_t* layers = nullptr;  ///< from lambda3_table(), in the memory space where the form runs
    ORRERY_HD TileTriple operator()(GridPosition block, std::uint32_t side) const {
        std::uint32_t low = 0, high = side;  // layers[low] <= block.x < layers[high]
        while (high - low > 1) {
            const std::uint32_t middle = low + (high - low) / 2;
            (layers[middle] <= block.x ? low : high) = middle;
        }
        const Tile tile = lambda_tile<RsqrtRoot>(block.x - layers[low], side);
        return {tile.col, tile.row, low};
    }
    ORRERY_HD static constexpr bool idles(TileTriple, std::uint32_t) { return false; }
    template <class Launch>
    void launches(std::uint32_t side, const Launch& launch) const {
        launch(Extent{static_cast<std::uint32_t>(tetrahedral(side))}, *this);
    }
};
/// T_0 … T_m for m = `side` layers.
std::vector<std::uint32_t> lambda3_table(std::uint32_t side);

template <class Map>
struct Launch3Of;
template <>
struct Launch3Of<BoundingCube> {
    using type = CubeOfBlocks;
};
template <class R>
struct Launch3Of<Lambda3<R>> {
    using type = Lambda3Line<R>;
};
template <class R>
struct Launch3Of<Lambda3Grid<R>> {
    using type = Lambda3Cube<R>;
};
template <>
struct Launch3Of<Hadouken3> {
    using type = Hadouken3Launch;
};

/// Forms of triples that do not correspond to a map of core/maps/maps.hpp.
using OwnForms3 = TypeList<Lambda3AsPublished<float, false>, Lambda3AsPublished<float, true>,
                           Lambda3AsPublished<double, true>, Lambda3Table>;
using LabForms3 = Joined<Maps3, OwnForms3>;

template <class Listed>
inline constexpr FormId form3_id{LabForms::size + index_in<Listed, LabForms3>()};

/// Calls use(form) with the selected form of triples. `layers`: lambda3_table() in the memory space where it runs.
template <class Use>
void with_form3(FormChoice choice, const std::uint32_t* layers, const Use& use) {
    with_rooted<LabForms3>(static_cast<std::size_t>(choice.form) - LabForms::size, choice.root, [&]<class Form>() {
        if constexpr (std::is_same_v<Form, Lambda3Table>)
            use(Form{layers});
        else if constexpr (index_in<Form, OwnForms3>() < OwnForms3::size)
            use(Form{});
        else
            use(typename Launch3Of<Form>::type{});
    });
}

// Launch variants for quadruples: maps of the 4-simplex i ≤ j ≤ k ≤ l; the counterpart of
// core/lab/launch_variants3.hpp.

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
