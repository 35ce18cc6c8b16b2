// SPDX-License-Identifier: MIT
// How the laboratory covers the tetrahedron of triples: the maps of core/maps/maps3.hpp as launches; the counterpart of
// core/lab/forms.hpp for pairs.
#pragma once
#include "core/lab/forms.hpp"
#include "core/maps/list.hpp"

namespace orrery {

/// The whole cube; a block whose triple has no work returns at once.
struct CubeOfBlocks {
    static constexpr bool for_block = false;  ///< worth computing once for all threads of a block
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

/// H for triples, with the choice between a power of two and other sides made once per launch. For a power of two the
/// boxes of sides n/2 and n/4, 15/16 of all blocks, are separate launches, whose blocks need not determine their level.
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

template <class Listed>
inline constexpr FormId form3_id{LabForms::size + static_cast<std::size_t>(map3_id<Listed>)};

/// Calls use(form) with the selected form of triples. False: it is not a form of triples.
template <class Use>
bool with_form3(FormChoice choice, const Use& use) {
    const auto form = static_cast<std::size_t>(choice.form);
    if (form < LabForms::size) return false;
    bool found = false;
    with_rooted<Maps3>(form - LabForms::size, choice.root,
                       [&]<class Map>() { use(typename Launch3Of<Map>::type{}), found = true; });
    return found;
}

}  // namespace orrery
