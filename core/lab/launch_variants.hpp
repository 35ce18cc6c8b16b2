// SPDX-License-Identifier: MIT
// Launch variants: the maps of core/maps, and forms from the papers that engines do not use. Every form is a separate
// type, so that a kernel measures one map without a run-time switch.
#pragma once
#include <array>
#include <bit>
#include <span>
#include <string_view>

#include "core/maps/maps.hpp"

namespace orrery {

/// Tiles per block of forms in strips: from about 8 on the launch of blocks no longer limits the distance matrix of an
/// H200.
inline constexpr std::uint32_t kDefaultStrip = 8, kLongestStrip = 1024;

/// Index in LabForms; forms of triples and of quadruples follow, see core/lab/simplex_variants.hpp and
/// launch_variants4.hpp.
enum class FormId : std::uint8_t {};

/// A line of the laboratory's menu of maps.
struct LabForm {
    std::string_view id, doc;
    FormId form;
    bool takes_root = false;
    bool for_study = false;  ///< without integer correction: `roots` always times it, other experiments only on request
    std::uint32_t order = 2;   ///< members of a tuple: 3 only for `triplet`, 4 only for `quadruplet`
    bool reads_table = false;  ///< reads lut_table()
    bool strips = false;       ///< reads FormChoice::strip
    bool clusters = false;     ///< launches clusters of blocks: compute capability 9.0 on a device
    const MapEntry* map = {};  ///< the map of pairs that it implements; null: a form without one
};
/// Forms of pairs, triples and quadruples; the first of each kind is the baseline: bb, cube, hypercube.
std::span<const LabForm> lab_forms();

/// Position of a block in a launch, or of a thread in thread space.
struct GridPosition {
    std::uint32_t x, y, z;
};
struct Extent {
    std::uint32_t x, y = 1, z = 1;
    ORRERY_HD constexpr std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};
/// The blocks that cover an extent of threads: a line in blocks of ρ² × 1, a plane in blocks of ρ × ρ.
struct LabBlocks {
    Extent blocks, block;
};
inline LabBlocks blocks_of_threads(Extent threads, std::uint32_t rho) {
    const Extent block = threads.y == 1 ? Extent{rho * rho} : Extent{rho, rho};
    return {{(threads.x + block.x - 1) / block.x, (threads.y + block.y - 1) / block.y}, block};
}
inline Extent extent(Grid grid) { return {static_cast<std::uint32_t>(grid.x), static_cast<std::uint32_t>(grid.y)}; }

/// A map in block space as one launch. The check for wasted blocks is omitted if the map has none.
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

/// The published λ on that grid.
template <Root R>
struct PublishedOnBalancedGrid {
    static constexpr bool in_threads = false;
    std::uint32_t width = 0;
    ORRERY_HD Tile operator()(GridPosition block, std::uint32_t) const {
        return published_tile<R>(block.x + block.y * width);
    }
    ORRERY_HD static constexpr bool idles(Tile tile, std::uint32_t rows) { return !useful(tile, rows); }
    template <class Launch>
    void launches(std::uint32_t rows, const Launch& launch) const {
        const Extent square = extent(LambdaGrid<R>::grid(rows));
        launch(square, PublishedOnBalancedGrid{square.x});
    }
};

/// λ without the diagonal, which is a separate launch.
template <Root R>
struct StrictLaunches {
    static constexpr bool in_threads = false;
    struct Below {
        ORRERY_HD Tile operator()(GridPosition block, std::uint32_t rows) const {
            return LambdaStrict<R>::tile_below(block.x, rows);
        }
        ORRERY_HD static constexpr bool idles(Tile, std::uint32_t) { return false; }
    };
    struct Diagonal {
        ORRERY_HD Tile operator()(GridPosition block, std::uint32_t) const { return {block.x, block.x}; }
        ORRERY_HD static constexpr bool idles(Tile, std::uint32_t) { return false; }
    };
    template <class Launch>
    void launches(std::uint32_t rows, const Launch& launch) const {
        if (rows > 1) launch(Extent{static_cast<std::uint32_t>(LambdaStrict<R>::below(rows))}, Below{});
        launch(Extent{rows}, Diagonal{});
    }
};

/// H; whether the number of rows is a power of two is decided once per launch.
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
/// The squares of one level: square z has its corner at (2z + 1, 2z)·side.
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

/// Dynamic parallelism (arXiv 2208.11617): the square below a triangle's middle, then recursively its two halves, down
/// to `leaf` rows, which use a bounding box. On a host the recursion makes the launches; on a device each triangle
/// launches its own parts (core/lab/cuda/dynamic.cu).
struct DynamicTriangles {
    static constexpr std::string_view id = "dp",
                                      doc = "dynamic parallelism: triangles launch their halves from the device";
    static constexpr bool in_threads = false, from_device = true;
    /// At most 16 leaves, or 32 if rows do not halve evenly. Half of a leaf's blocks idle, m²/32 in all; a launch from
    /// the device costs about ten microseconds (H200), so more launches would cost more than they save.
    ORRERY_HD static std::uint32_t leaf(std::uint32_t rows) {
        constexpr std::uint32_t kLeast = 16, kLeaves = 16;
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
/// RB in collision-rows as the authors wrote it (gpumaps 965640890, 2-simplex/old/collision3d, rect_method): blocks of
/// 8ρ rows of the rectangle share its columns, and blocks across the diagonal take both branches. Its pairs are those
/// of rb-threads, from which only its kernel on a device differs.
struct RectangularRows : RectangularThreads {
    static constexpr std::string_view id = "rb-rows", doc = "RB as published for collisions: rows share their columns";
};

/// UTM as published, in thread space. Its pairs a < b ≤ n + 1 are our pairs including the diagonal, row = n − a and col
/// = n + 1 − b: consecutive threads, which have the same a, then write to consecutive addresses of a row.
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

/// UTM in thread space, exact: the radicand 8(M − k) + 1 is an integer and so is the correction, so that a root in
/// float suffices; see core/maps/utm.hpp. Pairs and threads are those of UtmThreads.
template <Root R>
struct UtmThreadsExact {
    static constexpr std::string_view id = "utm-threads-exact",
                                      doc = "UTM in thread space with an integer radicand and repair: exact";
    static constexpr bool in_threads = true;
    static Extent threads(std::uint32_t bodies) { return UtmThreads<R>::threads(bodies); }
    ORRERY_HD Tile operator()(GridPosition thread, std::uint32_t bodies) const {
        return utm_from_end<R>(thread.x, bodies);
    }
};

// Strips: a block processes k consecutive tiles after one evaluation of the map (thread coarsening), so that fewer
// blocks are launched than the bound 2m/(m + 1) of one block per tile assumes. A strip consists of runs, so that a
// kernel keeps a row and can store whole memory lines.

/// Consecutive tiles of a row of the triangle.
struct TileRun {
    std::uint32_t row, first, count;
};

/// λ with k consecutive tiles in row order per block: one root, then a step of one column, or to the next row.
struct LambdaStrip {
    static constexpr std::string_view id = "lambda-strip", doc = "k consecutive tiles per block after one root";
    static constexpr bool in_threads = false;
    std::uint32_t strip = kDefaultStrip;
    /// Calls work(run) for each run of the block.
    template <class Work>
    ORRERY_HD void runs(GridPosition block, std::uint32_t rows, Work&& work) const {
        const std::uint32_t first = block.x * strip, tiles = tiles_before(rows);
        std::uint32_t left = tiles - first < strip ? tiles - first : strip;
        for (Tile tile = lambda_tile<RsqrtRoot>(first, rows); left > 0; tile = {tile.row + 1, 0}) {
            const std::uint32_t in_row = tile.row + 1 - tile.col, count = in_row < left ? in_row : left;
            work(TileRun{tile.row, tile.col, count});
            left -= count;
        }
    }
    std::uint64_t useful_blocks(std::uint32_t rows) const { return (triangular(rows) + strip - 1) / strip; }
    template <class Launch>
    void launches(std::uint32_t rows, const Launch& launch) const {
        launch(Extent{static_cast<std::uint32_t>(useful_blocks(rows))}, *this);
    }
};

/// RB with k consecutive blocks of a row of its rectangle: their tiles lie in one row, or in two across the diagonal.
struct RectangularStrip {
    static constexpr std::string_view id = "rb-strip", doc = "k consecutive tiles per block of the rectangular box";
    static constexpr bool in_threads = false;
    std::uint32_t strip = kDefaultStrip;
    /// The blocks left of column `turn` have the tiles (y − e, x) of RectangularBox, e = 1 for an even number of rows,
    /// the others (rows − 1 − y, rows − e − x).
    template <class Work>
    ORRERY_HD void runs(GridPosition block, std::uint32_t rows, Work&& work) const {
        const std::uint32_t width = (rows + 1) / 2, first = block.x * strip, e = 1 - rows % 2;
        const std::uint32_t last = width - first < strip ? width : first + strip;
        std::uint32_t turn = block.y + 1 - e;
        turn = turn < first ? first : turn > last ? last : turn;
        if (first < turn) work(TileRun{block.y - e, first, turn - first});
        if (turn < last) work(TileRun{rows - 1 - block.y, rows + 1 - e - last, last - turn});
    }
    std::uint64_t useful_blocks(std::uint32_t rows) const {
        return std::uint64_t{((rows + 1) / 2 + strip - 1) / strip} * (rows | 1);
    }
    template <class Launch>
    void launches(std::uint32_t rows, const Launch& launch) const {
        launch(Extent{((rows + 1) / 2 + strip - 1) / strip, rows | 1}, *this);
    }
};

/// The bounding box with k consecutive tiles of a row per block; a block above the diagonal returns at once.
struct BoundingStrip {
    static constexpr std::string_view id = "bb-strip", doc = "k consecutive tiles per block of the bounding box";
    static constexpr bool in_threads = false;
    std::uint32_t strip = kDefaultStrip;
    template <class Work>
    ORRERY_HD void runs(GridPosition block, std::uint32_t, Work&& work) const {
        const std::uint32_t first = block.x * strip;
        if (first > block.y) return;
        const std::uint32_t left = block.y + 1 - first;
        work(TileRun{block.y, first, left < strip ? left : strip});
    }
    std::uint64_t useful_blocks(std::uint32_t rows) const {
        std::uint64_t blocks = 0;
        for (std::uint32_t row = 0; row < rows; ++row) blocks += row / strip + 1;
        return blocks;
    }
    template <class Launch>
    void launches(std::uint32_t rows, const Launch& launch) const {
        launch(Extent{(rows + strip - 1) / strip, rows}, *this);
    }
};
/// Calls work(tile) for each tile of a block of a form in strips.
template <class Form, class Work>
ORRERY_HD void for_tiles(const Form& form, GridPosition block, std::uint32_t rows, Work&& work) {
    form.runs(block, rows, [&](TileRun run) {
        for (std::uint32_t col = run.first; col < run.first + run.count; ++col) work(Tile{run.row, col});
    });
}
/// True for forms whose blocks process several tiles.
template <class Form>
inline constexpr bool in_strips = requires(Form form) {
    form.strip;
};

/// λ over clusters of blocks: on a device the first block of a cluster finds its tile, steps to those of the others and
/// stores them in their shared memory. On a host each block evaluates the map.
struct LambdaCluster {
    static constexpr std::string_view id = "lambda-cluster", doc = "one root per cluster of 8 blocks";
    static constexpr bool in_threads = false;
    static constexpr std::uint32_t cluster = 8;  ///< blocks; the largest that every device with clusters supports
    ORRERY_HD Tile operator()(GridPosition block, std::uint32_t rows) const {
        return lambda_tile<RsqrtRoot>(block.x, rows);
    }
    ORRERY_HD static constexpr bool idles(Tile tile, std::uint32_t rows) { return tile.row >= rows; }
    template <class Launch>
    void launches(std::uint32_t rows, const Launch& launch) const {
        launch(Extent{(tiles_before(rows) + cluster - 1) / cluster * cluster}, *this);
    }
};

// Maps a map to its launch variant if that is not InBlocks.
template <class Map>
struct LaunchOf {
    using type = InBlocks<Map>;
};
template <class R>
struct LaunchOf<LambdaGrid<R>> {
    using type = OnBalancedGrid<R>;
};
template <class R>
struct LaunchOf<LambdaPublishedGrid<R>> {
    using type = PublishedOnBalancedGrid<R>;
};
template <class R>
struct LaunchOf<LambdaStrict<R>> {
    using type = StrictLaunches<R>;
};
template <>
struct LaunchOf<Hadouken> {
    using type = HadoukenLaunch;
};

/// Forms that do not correspond to a map of core/maps.
using OwnForms =
    TypeList<RecursiveLaunches, RectangularThreads, Rooted<UtmThreads>, DynamicTriangles, Rooted<UtmThreadsExact>,
             RectangularRows, LambdaStrip, RectangularStrip, BoundingStrip, LambdaCluster>;
using LabForms = Joined<Maps, OwnForms>;

template <class Listed>
requires(index_in<Listed, LabForms>() < LabForms::size) inline constexpr FormId form_id{index_in<Listed, LabForms>()};

/// A form with its root, selected at run time.
struct FormChoice {
    FormId form = form_id<Rooted<Lambda>>;
    RootId root = root_id<SqrtRoot>;
    std::uint32_t strip = kDefaultStrip;  ///< tiles per block of forms in strips
};
bool reads_lut_table(FormChoice choice);

/// Calls use(form) with the selected form of pairs. `table` must be in the memory space where the form runs.
template <class Use>
void with_form(FormChoice choice, const Tile* table, const Use& use) {
    with_rooted<LabForms>(static_cast<std::size_t>(choice.form), choice.root, [&]<class Form>() {
        if constexpr (in_strips<Form>) {
            use(Form{choice.strip});
        } else if constexpr (!TriangleMap<Form>) {
            use(Form{});
        } else {
            typename LaunchOf<Form>::type launch{};
            if constexpr (reads_table<Form>) launch.map.table = table;
            use(launch);
        }
    });
}

/// Counts for a form and a number of bodies, in blocks of ρ × ρ threads.
struct LaunchCounts {
    std::uint64_t launches = 0, blocks = 0, threads = 0;
    std::uint64_t wasted_blocks = 0;   ///< blocks without a tile of the triangle; in thread space without a pair
    std::uint64_t wasted_threads = 0;  ///< threads without a pair j ≤ i; of strips, those of wasted blocks
};
LaunchCounts launch_counts(FormChoice choice, std::uint32_t bodies, std::uint32_t rho);

// Names and sources of the forms that the laboratory times.

struct FormNote {
    std::string_view name;    ///< "Rectangular box", without the id
    std::string_view source;  ///< authors, title and year; empty: a form of this program
};
/// Reads the entry of a map, otherwise the table in form_notes.cpp. Throws Error{kUsage} for an unknown id.
FormNote form_note(std::string_view id);

/// The greatest possible I for n bodies: blocks of the baseline over those with work, 2m/(m + 1) for pairs with m rows
/// of tiles, 6m²/((m + 1)(m + 2)) for triples with m layers.
struct LabBound {
    std::uint64_t rows = 0;  ///< m
    double improvement = 0;
};
LabBound lab_bound(std::string_view experiment, std::uint64_t bodies, std::uint32_t rho);

}  // namespace orrery
