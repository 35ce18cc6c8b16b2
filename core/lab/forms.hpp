// SPDX-License-Identifier: MIT
// How the laboratory covers the triangle: the maps of core/maps, and forms from the papers that engines do not use.
// Every form is a separate type, so that a kernel measures one map without a switch.
#pragma once
#include <array>
#include <bit>
#include <span>
#include <string_view>

#include "core/maps/any_map.hpp"

namespace orrery {

enum class FormId : std::uint8_t {
    kBoundingBox,
    kLambda,
    kLambdaGrid,
    kRectangularBox,
    kRecursive,
    kUtm,
    kLut,
    kHadouken,
    kRecursiveLaunches,
    kRectangularThreads,
    kUtmThreads,
    kDynamic,
    kLambdaPublished,
    kLambdaOffset,
    kCube,  ///< this and the following: forms of triples, core/lab/forms3.hpp
    kLambda3,
    kLambda3Grid,
    kHadouken3,
};

/// A line of the laboratory's menu of maps.
struct LabForm {
    std::string_view id, doc;
    FormId form;
    bool takes_root = false;
    bool for_study = false;  ///< without integer correction: timed only by `roots`
    bool triples = false;    ///< only for the experiment `triplet`
};
/// Forms of pairs and of triples; the first of each kind is the baseline, bb and cube.
std::span<const LabForm> lab_forms();

/// Position of a block in a launch, or of a thread in thread space.
struct Place {
    std::uint32_t x, y, z;
};
struct Extent {
    std::uint32_t x, y = 1, z = 1;
    ORRERY_HD constexpr std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};
inline Extent extent(Grid grid) { return {static_cast<std::uint32_t>(grid.x), static_cast<std::uint32_t>(grid.y)}; }

enum class Wastes { kNothing, kAboveDiagonal, kAnything };

/// A map in block space as one launch. The check for wasted blocks is omitted if there are none.
template <TriangleMap Map, Wastes W>
struct InBlocks {
    static constexpr bool in_threads = false;
    Map map;
    ORRERY_HD Tile operator()(Place block, std::uint32_t rows) const { return map(Block{block.x, block.y}, rows); }
    ORRERY_HD static constexpr bool idles(Tile tile, std::uint32_t rows) {
        if constexpr (W == Wastes::kAboveDiagonal) return tile.col > tile.row;
        if constexpr (W == Wastes::kAnything) return !useful(tile, rows);
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
    ORRERY_HD Tile operator()(Place block, std::uint32_t rows) const {
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
        ORRERY_HD Tile operator()(Place block, std::uint32_t rows) const {
            return Hadouken::core(block.x, block.y, rows);
        }
        ORRERY_HD static constexpr bool idles(Tile, std::uint32_t) { return false; }
    };
    struct Trapezoids {
        ORRERY_HD Tile operator()(Place block, std::uint32_t rows) const { return Hadouken::on_line(block.x, rows); }
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
    ORRERY_HD Tile operator()(Place block, std::uint32_t) const {
        return {block.z * side + block.y, block.z * side + block.x};
    }
    ORRERY_HD static constexpr bool idles(Tile tile, std::uint32_t) { return tile.col > tile.row; }
};
/// The squares of one level: the z-th has its corner at (2z + 1, 2z)·side.
struct RecursiveSquares {
    std::uint32_t side;
    ORRERY_HD Tile operator()(Place block, std::uint32_t) const {
        return {(2 * block.z + 1) * side + block.y, 2 * block.z * side + block.x};
    }
    ORRERY_HD static constexpr bool idles(Tile, std::uint32_t) { return false; }
};
/// REC as published, for m = q·2^k rows: the diagonal in triangles of q rows, then k levels of squares, one launch
/// each. k is as large as possible; an odd m is one bounding box.
struct RecursiveLaunches {
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
    static constexpr bool in_threads = false, from_device = true;
    /// At most 64 leaves, or 128 where rows do not halve evenly: a device keeps 2048 launches pending.
    ORRERY_HD static std::uint32_t leaf(std::uint32_t rows) {
        constexpr std::uint32_t kLeast = 16, kLeaves = 64;
        return rows / kLeaves > kLeast ? rows / kLeaves : kLeast;
    }
    struct Leaf {
        std::uint32_t first;
        ORRERY_HD Tile operator()(Place block, std::uint32_t) const { return {first + block.y, first + block.x}; }
        ORRERY_HD static constexpr bool idles(Tile tile, std::uint32_t) { return tile.col > tile.row; }
    };
    struct Square {
        std::uint32_t top, left;
        ORRERY_HD Tile operator()(Place block, std::uint32_t) const { return {top + block.y, left + block.x}; }
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
    static constexpr bool in_threads = true;
    static Extent threads(std::uint32_t bodies) { return extent(RectangularBox::grid(bodies)); }
    ORRERY_HD Tile operator()(Place thread, std::uint32_t bodies) const {
        return RectangularBox{}(Block{thread.x, thread.y}, bodies);
    }
};
/// UTM as published, in thread space. Its pairs a < b ≤ n + 1 are our pairs with the diagonal, row = n − a and col = n
/// + 1 − b: consecutive threads, which have the same a, then write to consecutive addresses of a row.
template <Root R>
struct UtmThreads {
    static constexpr bool in_threads = true;
    static Extent threads(std::uint32_t bodies) { return {static_cast<std::uint32_t>(triangular(bodies))}; }
    ORRERY_HD Tile operator()(Place thread, std::uint32_t bodies) const {
        const std::int64_t n = std::int64_t{bodies} + 1;
        constexpr std::int64_t kNarrow = 46340;  // n² fits 32 bits
        const ThreadPair pair = n <= kNarrow ? utm_published<R, std::int32_t>(static_cast<std::int32_t>(thread.x),
                                                                              static_cast<std::int32_t>(n))
                                             : utm_published<R, std::int64_t>(thread.x, n);
        return {static_cast<std::uint32_t>(bodies - pair.a), static_cast<std::uint32_t>(bodies + 1 - pair.b)};
    }
};

/// A form with its root, selected at run time.
struct FormChoice {
    FormId form = FormId::kLambda;
    RootId root = RootId::kSqrt;
};

template <class Use>
void with_root(RootId root, const Use& use) {
    switch (root) {
        case RootId::kSqrt:
            return use(SqrtRoot{});
        case RootId::kNewton:
            return use(NewtonRoot{});
        case RootId::kRsqrt:
            return use(RsqrtRoot{});
        case RootId::kFp64:
            return use(Fp64Root{});
    }
}

enum class Forms { kExact, kAll };  ///< which forms are compiled: kAll also has those timed only by roots and dummy

/// Calls use(form) with the selected type. `table` is in the memory space where the form runs. False: it is not among
/// `Which`.
template <Forms Which, class Use>
bool with_form(FormChoice choice, const Tile* table, const Use& use) {
    const auto rooted = [&]<template <class> class Map, Wastes W>() {
        with_root(choice.root, [&]<class R>(R) { use(InBlocks<Map<R>, W>{}); });
        return true;
    };
    switch (choice.form) {
        case FormId::kBoundingBox:
            return use(InBlocks<BoundingBox, Wastes::kAboveDiagonal>{}), true;
        case FormId::kLambda:
            return rooted.template operator()<Lambda, Wastes::kNothing>();
        case FormId::kLambdaGrid:
            with_root(choice.root, [&]<class R>(R) { use(OnBalancedGrid<R>{}); });
            return true;
        case FormId::kRectangularBox:
            return use(InBlocks<RectangularBox, Wastes::kNothing>{}), true;
        case FormId::kRecursive:
            return use(InBlocks<Recursive, Wastes::kNothing>{}), true;
        case FormId::kUtm:
            return rooted.template operator()<Utm, Wastes::kNothing>();
        case FormId::kLut:
            return use(InBlocks<Lut, Wastes::kNothing>{{table}}), true;
        case FormId::kHadouken:
            return use(HadoukenLaunch{}), true;
        case FormId::kRecursiveLaunches:
            return use(RecursiveLaunches{}), true;
        case FormId::kRectangularThreads:
            return use(RectangularThreads{}), true;
        case FormId::kUtmThreads:
            with_root(choice.root, [&]<class R>(R) { use(UtmThreads<R>{}); });
            return true;
        default:
            break;
    }
    if constexpr (Which == Forms::kAll) {
        if (choice.form == FormId::kDynamic) return use(DynamicTriangles{}), true;
        if (choice.form == FormId::kLambdaPublished)
            return rooted.template operator()<LambdaPublished, Wastes::kAnything>();
        if (choice.form == FormId::kLambdaOffset) return rooted.template operator()<LambdaOffset, Wastes::kAnything>();
    }
    return false;
}

}  // namespace orrery
