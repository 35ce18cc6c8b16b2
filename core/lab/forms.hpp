// SPDX-License-Identifier: MIT
// How the laboratory covers the triangle: the maps of core/maps, and forms from the papers that engines do not use.
// Every form is a separate type, so that a kernel measures one map without a switch.
#pragma once
#include <array>
#include <bit>
#include <span>
#include <string_view>

#include "core/maps/list.hpp"

namespace orrery {

/// Place in LabForms, or behind them that in Maps3, see core/lab/forms3.hpp.
enum class FormId : std::uint8_t {};

/// A line of the laboratory's menu of maps.
struct LabForm {
    std::string_view id, doc;
    FormId form;
    bool takes_root = false;
    bool for_study = false;    ///< without integer correction: timed only by `roots`
    bool triples = false;      ///< only for the experiment `triplet`
    bool dummy_only = false;   ///< only for the experiment `dummy`
    bool reads_table = false;  ///< of lut_table()
};
/// Forms of pairs and of triples; the first of each kind is the baseline, bb and cube.
std::span<const LabForm> lab_forms();

/// Position of a block in a launch, or of a thread in thread space.
struct GridPosition {
    std::uint32_t x, y, z;
};
struct Extent {
    std::uint32_t x, y = 1, z = 1;
    ORRERY_HD constexpr std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};
inline Extent extent(Grid grid) { return {static_cast<std::uint32_t>(grid.x), static_cast<std::uint32_t>(grid.y)}; }

/// A map in block space as one launch. The check for wasted blocks is omitted if there are none.
template <TriangleMap Map>
struct InBlocks {
    static constexpr bool in_threads = false;
    Map map;
    ORRERY_HD Tile operator()(GridPosition block, std::uint32_t rows) const {
        return map(Block{block.x, block.y}, rows);
    }
    ORRERY_HD static constexpr bool idles(Tile tile, std::uint32_t rows) {
        if constexpr (Map::wastes == Wastes::kAboveDiagonal) return tile.col > tile.row;
        if constexpr (Map::wastes == Wastes::kAnything) return !useful(tile, rows);
        return false;
    }
    /// Calls launch(extent, finder) for every launch of the form, in order.
    template <class Launch>
    void launches(std::uint32_t rows, const Launch& launch) const {
        launch(extent(Map::grid(rows)), *this);
    }
};

/// λ on the balanced grid, whose width is computed once per launch.
template <Root R>
struct OnBalancedGrid {
    static constexpr bool in_threads = false;
    std::uint32_t width = 0;
    ORRERY_HD Tile operator()(GridPosition block, std::uint32_t rows) const {
        return lambda_tile<R>(block.x + block.y * width, rows);
    }
    ORRERY_HD static constexpr bool idles(Tile tile, std::uint32_t rows) { return tile.row >= rows; }
    template <class Launch>
    void launches(std::uint32_t rows, const Launch& launch) const {
        const Extent square = extent(LambdaGrid<R>::grid(rows));
        launch(square, OnBalancedGrid{square.x});
    }
};

/// H, with the choice between a power of two and other numbers of rows made once per launch.
struct HadoukenLaunch {
    static constexpr bool in_threads = false;
    struct Core {
        ORRERY_HD Tile operator()(GridPosition block, std::uint32_t rows) const {
            return Hadouken::core(block.x, block.y, rows);
        }
        ORRERY_HD static constexpr bool idles(Tile, std::uint32_t) { return false; }
    };
    struct Trapezoids {
        ORRERY_HD Tile operator()(GridPosition block, std::uint32_t rows) const {
            return Hadouken::on_line(block.x, rows);
        }
        ORRERY_HD static constexpr bool idles(Tile, std::uint32_t) { return false; }
    };
    template <class Launch>
    void launches(std::uint32_t rows, const Launch& launch) const {
        const Extent blocks = extent(Hadouken::grid(rows));
        if (blocks.y > 1)
            launch(blocks, Core{});
        else
            launch(blocks, Trapezoids{});
    }
};

/// The triangles of `side` rows along the diagonal, each as its bounding box.
struct RecursiveDiagonal {
    std::uint32_t side;
    ORRERY_HD Tile operator()(GridPosition block, std::uint32_t) const {
        return {block.z * side + block.y, block.z * side + block.x};
    }
    ORRERY_HD static constexpr bool idles(Tile tile, std::uint32_t) { return tile.col > tile.row; }
};
/// The squares of one level: the z-th has its corner at (2z + 1, 2z)·side.
struct RecursiveSquares {
    std::uint32_t side;
    ORRERY_HD Tile operator()(GridPosition block, std::uint32_t) const {
        return {(2 * block.z + 1) * side + block.y, 2 * block.z * side + block.x};
    }
    ORRERY_HD static constexpr bool idles(Tile, std::uint32_t) { return false; }
};
/// REC as published, for m = q·2^k rows: the diagonal in triangles of q rows, then k levels of squares, one launch
/// each. k is as large as possible; an odd m is one bounding box.
struct RecursiveLaunches {
    static constexpr std::string_view id = "rec-launches", doc = "REC as published: one launch per level";
    static constexpr bool in_threads = false;
    template <class Launch>
    void launches(std::uint32_t rows, const Launch& launch) const {
        const auto levels = static_cast<std::uint32_t>(std::countr_zero(rows));
        std::uint32_t side = rows >> levels, count = 1u << levels;
        launch(Extent{side, side, count}, RecursiveDiagonal{side});
        for (; count > 1; side *= 2) {
            count /= 2;
            launch(Extent{side, side, count}, RecursiveSquares{side});
        }
    }
};

/// Dynamic parallelism (arXiv 2208.11617): the square below a triangle's middle, and its two halves again, down to
/// `leaf` rows, which are a bounding box. On a host, the recursion makes the launches; on a device each triangle
/// launches its own (core/lab/cuda/dynamic.cu).
struct DynamicTriangles {
    static constexpr std::string_view id = "dp",
                                      doc = "dynamic parallelism: triangles launch their halves from the device";
    static constexpr bool in_threads = false, from_device = true;
    /// At most 64 leaves, or 128 where rows do not halve evenly: a device keeps 2048 launches pending.
    ORRERY_HD static std::uint32_t leaf(std::uint32_t rows) {
        constexpr std::uint32_t kLeast = 16, kLeaves = 64;
        return rows / kLeaves > kLeast ? rows / kLeaves : kLeast;
    }
    struct Leaf {
        std::uint32_t first;
        ORRERY_HD Tile operator()(GridPosition block, std::uint32_t) const {
            return {first + block.y, first + block.x};
        }
        ORRERY_HD static constexpr bool idles(Tile tile, std::uint32_t) { return tile.col > tile.row; }
    };
    struct Square {
        std::uint32_t top, left;
        ORRERY_HD Tile operator()(GridPosition block, std::uint32_t) const { return {top + block.y, left + block.x}; }
        ORRERY_HD static constexpr bool idles(Tile, std::uint32_t) { return false; }
    };
    template <class Launch>
    void launches(std::uint32_t rows, const Launch& launch) const {
        triangle(0, rows, leaf(rows), launch);
    }

private:
    template <class Launch>
    static void triangle(std::uint32_t first, std::uint32_t side, std::uint32_t leaf, const Launch& launch) {
        if (side <= leaf) return launch(Extent{side, side}, Leaf{first});
        const std::uint32_t half = side / 2;
        launch(Extent{half, side - half}, Square{first + half, first});
        triangle(first, half, leaf, launch);
        triangle(first + half, side - half, leaf, launch);
    }
};

/// RB as published, in thread space: bodies instead of tiles, with the corrected second branch.
struct RectangularThreads {
    static constexpr std::string_view id = "rb-threads", doc = "RB as published: in thread space";
    static constexpr bool in_threads = true;
    static Extent threads(std::uint32_t bodies) { return extent(RectangularBox::grid(bodies)); }
    ORRERY_HD Tile operator()(GridPosition thread, std::uint32_t bodies) const {
        return RectangularBox{}(Block{thread.x, thread.y}, bodies);
    }
};
/// UTM as published, in thread space. Its pairs a < b ≤ n + 1 are our pairs with the diagonal, row = n − a and col = n
/// + 1 − b: consecutive threads, which have the same a, then write to consecutive addresses of a row.
template <Root R>
struct UtmThreads {
    static constexpr std::string_view id = "utm-threads",
                                      doc = "UTM as published: in thread space, without integer correction";
    static constexpr bool in_threads = true;
    static Extent threads(std::uint32_t bodies) { return {static_cast<std::uint32_t>(triangular(bodies))}; }
    ORRERY_HD Tile operator()(GridPosition thread, std::uint32_t bodies) const {
        const std::int64_t n = std::int64_t{bodies} + 1;
        constexpr std::int64_t kNarrow = 46340;  // n² fits 32 bits
        const ThreadPair pair = n <= kNarrow ? utm_published<R, std::int32_t>(static_cast<std::int32_t>(thread.x),
                                                                              static_cast<std::int32_t>(n))
                                             : utm_published<R, std::int64_t>(thread.x, n);
        return {static_cast<std::uint32_t>(bodies - pair.a), static_cast<std::uint32_t>(bodies + 1 - pair.b)};
    }
};

// How a map is laid over a launch, where it is not by InBlocks.
template <class Map>
struct LaunchOf {
    using type = InBlocks<Map>;
};
template <class R>
struct LaunchOf<LambdaGrid<R>> {
    using type = OnBalancedGrid<R>;
};
template <>
struct LaunchOf<Hadouken> {
    using type = HadoukenLaunch;
};

/// Forms that are no map of core/maps.
using OwnForms = TypeList<RecursiveLaunches, RectangularThreads, Rooted<UtmThreads>, DynamicTriangles>;
using LabForms = Joined<Maps, OwnForms>;

template <class Listed>
requires(index_in<Listed, LabForms>() < LabForms::size) inline constexpr FormId form_id{index_in<Listed, LabForms>()};

/// A form with its root, to be found at run time.
struct FormChoice {
    FormId form = form_id<Rooted<Lambda>>;
    RootId root = root_id<SqrtRoot>;
};
bool reads_lut_table(FormChoice choice);

enum class Forms { kExact, kAll };  ///< which forms are compiled: kAll also has those timed only by roots and dummy

/// Calls use(form) with the selected type. `table` is in the memory space where the form runs. False: it is not among
/// `Which`.
template <Forms Which, class Use>
bool with_form(FormChoice choice, const Tile* table, const Use& use) {
    bool found = false;
    with_rooted<LabForms>(static_cast<std::size_t>(choice.form), choice.root, [&]<class Form>() {
        if constexpr (!TriangleMap<Form>) {
            constexpr bool compiled = Which == Forms::kAll || !std::is_same_v<Form, DynamicTriangles>;
            if constexpr (compiled) use(Form{}), found = true;
        } else if constexpr (has_diagonal<Form> && (Which == Forms::kAll || !trusts_root<Form>)) {
            typename LaunchOf<Form>::type launch{};
            if constexpr (reads_table<Form>) launch.map.table = table;
            use(launch), found = true;
        }
    });
    return found;
}

}  // namespace orrery
