// SPDX-License-Identifier: MIT
// λ(ω) of Navarro and Hitschfeld: block ω takes the ω-th tile of the triangle in row order,
// row = ⌊√(1/4 + 2ω) − 1/2⌋, col = ω − row(row + 1)/2.
#pragma once
#include <vector>

#include "core/maps/map.hpp"
#include "core/maps/roots.hpp"

namespace orrery {

/// Exact with any root that is within a factor of two.
template <Root R, class Real, class U>
ORRERY_HD Tile lambda_in(U k) {
    const auto proposal = static_cast<U>(R{}(Real(2) * static_cast<Real>(k) + Real(0.25)) - Real(0.5));
    const U row = row_of(k, proposal);
    return {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(k - tiles_before(row))};
}

/// For kNarrowRows rows: one comparison corrects the proposal of any NearRoot.
template <NearRoot R>
ORRERY_HD Tile lambda_narrow(std::int32_t k) {
    const exact::Pair pair = exact::narrow_pair<R>(k);
    return {pair.row, pair.col};
}

/// Tile k of the triangle in row order. The proposal is computed in float as long as its precision suffices, then in
/// double.
template <Root R>
ORRERY_HD Tile lambda_tile(std::uint64_t k, std::uint32_t rows) {
    if (rows > kNarrowRows) return lambda_in<R, double>(k);
    if constexpr (NearRoot<R>)
        return lambda_narrow<R>(static_cast<std::int32_t>(k));
    else
        return lambda_in<R, typename R::Real>(static_cast<std::uint32_t>(k));
}

// Steps of the explanations of maps.

/// "newton: √106.25 ≈ 10.30776"
template <Root R>
void explain_root(auto& say, std::uint64_t omega) {
    const double radicand = 2 * static_cast<double>(omega) + 0.25;
    say("{}: √{} ≈ {:.7g}", R::name, radicand, static_cast<double>(R{}(static_cast<typename R::Real>(radicand))));
}

/// ⌊√(2ω + ¼) − ½⌋ = row, ω − row(row + 1)/2 = col.
void explain_lambda(auto& say, std::uint64_t omega, std::uint64_t row, std::uint64_t col) {
    say("row = ⌊√(2·{} + ¼) − ½⌋ = {}", omega, row);
    say("col = {} − {}·{}/2 = {}", omega, row, row + 1, col);
}

/// On a line of M = m(m + 1)/2 blocks: none is wasted.
template <Root R>
struct Lambda {
    static constexpr std::string_view name = "lambda", root = R::name;
    static constexpr std::string_view
        label = "Lambda",
        doc = "tiles counted row by row, the row of tile k by a square root; a line of blocks, none wasted";
    static constexpr std::string_view title = "λ: row by square root (lambda)",
                                      formula = "ω = x, row = ⌊√(2ω + ¼) − ½⌋, col = ω − row·(row + 1)/2",
                                      source = paper::kNavarro2016;
    static constexpr std::string_view glsl = "return lambda_tile(x, root);";
    static constexpr Wastes wastes = Wastes::kNothing;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return {triangular(rows), 1}; }
    ORRERY_HD Tile operator()(Block block, std::uint32_t rows) const { return lambda_tile<R>(block.x, rows); }
    static void explain(const MappedTile& at, auto& say) {
        say("ω = {}", at.x);
        explain_lambda(say, at.x, at.row, at.col);
        explain_root<R>(say, at.x);
    }
};

/// ⌈√M⌉, the side of the papers' balanced grid. √M = (2m + 1)/√8 less than 1/(8m): a product in fixed point is off by
/// at most one, and integer arithmetic corrects it.
ORRERY_HD constexpr std::uint64_t balanced_side(std::uint32_t rows) {
    constexpr std::uint64_t kRoot8 = 1518500249;  // 2³²/√8
    const std::uint64_t tiles = triangular(rows);
    std::uint64_t side = ((2 * std::uint64_t{rows} + 1) * kRoot8) >> 32;
    while (side * side < tiles) ++side;
    while (side > 0 && (side - 1) * (side - 1) >= tiles) --side;
    return side;
}

/// Explains and returns ω of a block on the balanced grid.
std::uint64_t explain_grid(auto& say, const MappedTile& at) {
    const std::uint64_t side = balanced_side(static_cast<std::uint32_t>(at.m)), omega = at.x + at.y * side;
    say("ω = {} + {}·{} = {}", at.x, at.y, side, omega);
    return omega;
}

/// A row below the triangle has no tile.
void explain_if_outside(auto& say, const MappedTile& at) {
    if (at.row >= at.m) say("{} ≥ {}", at.row, at.m);
}

/// On the papers' balanced grid of m′ × m′ blocks, m′ = ⌈√M⌉, ω = x + y·m′: fewer than 2m′ blocks are wasted, all at
/// the end.
template <Root R>
struct LambdaGrid {
    static constexpr std::string_view name = "lambda-grid", root = R::name;
    static constexpr std::string_view label = "Lambda, balanced grid",
                                      doc = "the same on the papers' square grid; less than two rows of blocks wasted";
    static constexpr std::string_view
        title = "λ on a balanced grid (lambda-grid)",
        formula = "ω = x + y·m′, m′ the side of the smallest square, row = ⌊√(2ω + ¼) − ½⌋, col = ω − row·(row + 1)/2",
        source = paper::kNavarro2016;
    static constexpr std::string_view glsl = "return lambda_tile(x + y * balanced_side, root);";
    static constexpr Wastes wastes = Wastes::kAnything;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) {
        const std::uint64_t side = balanced_side(rows);
        return {side, side};
    }
    ORRERY_HD Tile operator()(Block block, std::uint32_t rows) const {
        return lambda_tile<R>(block.x + block.y * balanced_side(rows), rows);
    }
    static void explain(const MappedTile& at, auto& say) {
        const std::uint64_t omega = explain_grid(say, at);
        explain_lambda(say, omega, at.row, at.col);
        explain_if_outside(say, at);
        explain_root<R>(say, omega);
    }
};

/// The diagonal comes last on the line: first the m(m − 1)/2 tiles below it, row = ⌊√(1/4 + 2ω) + 1/2⌋, col = ω −
/// row(row − 1)/2 (the papers print row + 1, which gives −1 at ω = 0), then its m tiles.
template <Root R>
struct LambdaStrict {
    static constexpr std::string_view name = "lambda-strict", root = R::name;
    static constexpr std::string_view label = "Lambda without diagonal",
                                      doc =
                                          "the tiles below the diagonal counted row by row, then those of the "
                                          "diagonal; none wasted";
    static constexpr std::string_view
        title = "λ without diagonal (lambda-strict)",
        formula = "ω < m·(m − 1)/2: row = ⌊√(2ω + ¼) + ½⌋, col = ω − row·(row − 1)/2; then the diagonal",
        source = paper::kNavarro2016;
    static constexpr std::string_view glsl =
        "uint below = pair_count(rows) - rows;"
        "if (x >= below) return uvec2(x - below);"
        "return lambda_tile(x, root) + uvec2(1u, 0u);";
    static constexpr Wastes wastes = Wastes::kNothing;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return {triangular(rows), 1}; }
    ORRERY_HD static constexpr std::uint64_t below(std::uint32_t rows) { return triangular(rows) - rows; }
    /// Tile k of those below the diagonal.
    ORRERY_HD static Tile tile_below(std::uint64_t k, std::uint32_t rows) {
        const Tile tile = lambda_tile<R>(k, rows);
        return {tile.row + 1, tile.col};
    }
    ORRERY_HD Tile operator()(Block block, std::uint32_t rows) const {
        if (block.x < below(rows)) return tile_below(block.x, rows);
        const auto row = static_cast<std::uint32_t>(block.x - below(rows));
        return {row, row};
    }
    static void explain(const MappedTile& at, auto& say) {
        const std::uint64_t below = triangular(at.m) - at.m;
        say("ω = {}", at.x);
        if (at.x >= below) {
            say("row = {} − {}·{}/2 = {}", at.x, at.m, at.m - 1, at.row);
            return say("col = {}", at.col);
        }
        say("row = ⌊√(2·{} + ¼) + ½⌋ = {}", at.x, at.row);
        say("col = {} − {}·{}/2 = {}", at.x, at.row, at.row - 1, at.col);
        explain_root<R>(say, at.x);
    }
};
static_assert(TriangleMap<Lambda<SqrtRoot>> && TriangleMap<LambdaGrid<SqrtRoot>> &&
              TriangleMap<LambdaStrict<SqrtRoot>>);

// UTM of Avril, Gouranton and Arnaldi: counts the pairs a < b ≤ n along the rows of the upper triangle,
// a = ⌊(2n + 1 − √(4n² − 4n − 8k + 1))/2⌋, b = a + 1 + k − (a − 1)(2n − a)/2; a and b from 1, k from 0.

/// The radicand 4n² − 4n − 8k + 1 = 8(M − k) + 1, M = n(n − 1)/2, is an integer: that of λ counted from the end of a
/// triangle of n − 1 = `rows` rows, where pair k is (a, b) = (rows − row, rows + 1 − col). Exact with any root, and
/// pairs of the same a have neighbouring columns.
template <Root R>
ORRERY_HD Tile utm_from_end(std::uint64_t k, std::uint32_t rows) {
    return lambda_tile<R>(triangular(rows) - 1 - k, rows);
}

/// The block-space form, for engines: M × 1 blocks, none wasted, column by column. The pairs of n = m + 1 elements
/// without the diagonal are the tiles with it, row = b − 2 and col = a − 1. Counted from the end, row a of the upper
/// triangle is row m − a of the lower one, and the map is λ with the same root.
template <Root R>
struct Utm {
    static constexpr std::string_view name = "utm", root = R::name;
    static constexpr std::string_view label = "Upper triangular",
                                      doc = "tile k in column order, found with a square root, counted from the end";
    static constexpr std::string_view
        title = "Upper triangular (utm)",
        formula =
            "ω = m·(m + 1)/2 − 1 − x, r = ⌊√(2ω + ¼) − ½⌋, c = ω − r·(r + 1)/2; row = m − 1 − c, "
            "col = m − 1 − r",
        source = paper::kAvril2012;
    static constexpr std::string_view glsl =
        "uvec2 tile = lambda_tile(pair_count(rows) - 1u - x, root);"
        "return uvec2(rows - 1u - tile.y, rows - 1u - tile.x);";
    static constexpr Wastes wastes = Wastes::kNothing;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return {triangular(rows), 1}; }
    ORRERY_HD Tile operator()(Block block, std::uint32_t rows) const {
        const Tile tile = utm_from_end<R>(block.x, rows);
        return {rows - 1 - tile.col, rows - 1 - tile.row};
    }
    static void explain(const MappedTile& at, auto& say) {
        const std::uint64_t omega = triangular(at.m) - 1 - at.x, r = at.m - 1 - at.col, c = at.m - 1 - at.row;
        say("ω = {}·{}/2 − 1 − {} = {}", at.m, at.m + 1, at.x, omega);
        say("r = ⌊√(2·{} + ¼) − ½⌋ = {}", omega, r);
        say("c = {} − {}·{}/2 = {}", omega, r, r + 1, c);
        say("row = {} − 1 − {} = {}", at.m, c, at.row);
        say("col = {} − 1 − {} = {}", at.m, r, at.col);
        explain_root<R>(say, omega);
    }
};
static_assert(TriangleMap<Utm<SqrtRoot>>);

/// Threads of the published form, 1 ≤ a < b ≤ n.
struct ThreadPair {
    std::int64_t a, b;
    friend bool operator==(const ThreadPair&, const ThreadPair&) = default;
};

/// The published thread-space form, for the laboratory: thread k of n(n − 1)/2. The radicand is computed in `Real`, as
/// printed: it suffers cancellation towards the last rows, where it is clamped to at least 1. Two conditionals correct
/// a row that is off by one; if it is off by more, the pair is wrong. docs/maps.md gives the n from which on that
/// happens. `Int` must hold n².
template <Root R, class Int = std::int64_t>
ORRERY_HD ThreadPair utm_published(Int k, Int n) {
    using Real = typename R::Real;
    const auto real_n = static_cast<Real>(n);
    const Real radicand = 4 * real_n * real_n - 4 * real_n - 8 * static_cast<Real>(k) + 1;
    const Real root = R{}(radicand > 1 ? radicand : Real(1));
    auto a = static_cast<Int>((-(2 * real_n + 1) + root) / Real(-2));
    Int b = a + 1 + k - (a - 1) * (2 * n - a) / 2;
    if (b > n) ++a, b = a + b - n;
    if (b <= a) b = n - (a - b), --a;
    return {a, b};
}

/// λ as a look-up table: reads the entries written by lut_table, 8 bytes per tile. Does not own the table, which is in
/// the memory space where the map runs: host memory for CPU engines, device memory for CUDA.
struct Lut {
    static constexpr std::string_view name = "lut", root = "";
    static constexpr std::string_view label = "Look-up table",
                                      doc = "the tiles of lambda, read from a table of 8 bytes per tile";
    static constexpr std::string_view title = "Look-up table (lut)",
                                      formula = "(row, col) = table[x], 8 bytes per tile", source = paper::kNavarro2016;
    static constexpr std::string_view glsl = "return table[x];";
    static constexpr Wastes wastes = Wastes::kNothing;
    const Tile* table;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return {triangular(rows), 1}; }
    ORRERY_HD Tile operator()(Block block, std::uint32_t) const { return table[block.x]; }
    static void explain(const MappedTile& at, auto& say) {
        say("table[{}]", at.x);
        say("row = {}", at.row);
        say("col = {}", at.col);
    }
};
static_assert(TriangleMap<Lut>);

/// Throws Error{kEnvironment}, before allocating, if the table does not fit into memory.
std::vector<Tile> lut_table(std::uint32_t rows);

// λ as published, for study: without integer correction. Exact only up to a number of rows that is measured, not
// proved: `orrery lab --experiment exactness` measures it, exact_rows() in maps.hpp has the table, and docs/maps.md
// lists it.

/// LTM of the papers: X (sqrt) without ε; the approximate roots N (newton) and R (rsqrt) with ε = 1e-4 "to repair the
/// floating point error".
template <Root R>
inline constexpr double published_epsilon = std::same_as<R, SqrtRoot> || std::same_as<R, Fp64Root> ? 0.0 : 1e-4;

template <Root R>
inline constexpr std::string_view published_constant = published_epsilon<R> > 0 ? "− 0.5 + 0.0001" : "− 0.5";

/// The row is the root plus `constant`, rounded down, without a correction in integers.
template <Root R>
void explain_published(auto& say, const MappedTile& at, std::uint64_t omega, std::string_view constant) {
    const double radicand = 2 * static_cast<double>(omega) + 0.25;
    const auto value = static_cast<double>(R{}(static_cast<typename R::Real>(radicand)));
    say("√{} ≈ {:.7g}", radicand, value);
    say("row = ⌊{:.7g} {}⌋ = {}", value, constant, at.row);
    const auto col = static_cast<std::int64_t>(omega) - static_cast<std::int64_t>(triangular(at.row));
    say("col = {} − {}·{}/2 = {}", omega, at.row, at.row + 1, col);
    explain_if_outside(say, at);
}

/// Tile ω from the root alone.
template <Root R>
ORRERY_HD Tile published_tile(std::uint64_t omega) {
    using Real = typename R::Real;
    const Real root = R{}(Real(2) * static_cast<Real>(omega) + Real(0.25));
    const auto row = static_cast<std::uint32_t>(root - Real(0.5) + Real(published_epsilon<R>));
    return {row, static_cast<std::uint32_t>(omega - triangular(row))};
}

/// Exact rows of either grid, on a host and on a device.
inline constexpr ExactRows kPublishedRows{{4607, 1622, 2054, 1u << 20, 4607}, {4607, 1949, 2055, 1u << 20, 2048}};

/// On a line of blocks.
template <Root R>
struct LambdaPublished {
    static constexpr std::string_view name = "lambda-published", root = R::name;
    static constexpr std::string_view
        label = "Lambda as published",
        doc = "the root trusted, with epsilon = 1e-4 where it is approximate; exact up to a measured range";
    static constexpr std::string_view
        title = "λ as published (lambda-published)",
        formula = "ω = x, row = ⌊√(2ω + ¼) − ½ + ε⌋ by the root alone, col = ω − row·(row + 1)/2",
        source = paper::kNavarro2016;
    static constexpr std::string_view glsl = "return published_tile(x, root);";
    static constexpr Wastes wastes = Wastes::kAnything;
    static constexpr ExactRows exact = kPublishedRows;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return {triangular(rows), 1}; }
    ORRERY_HD Tile operator()(Block block, std::uint32_t) const { return published_tile<R>(block.x); }
    static void explain(const MappedTile& at, auto& say) {
        say("ω = {}", at.x);
        explain_published<R>(say, at, at.x, published_constant<R>);
    }
};

/// The form that the papers timed: on the balanced grid of m′ × m′ blocks, ω = x + y·m′.
template <Root R>
struct LambdaPublishedGrid {
    static constexpr std::string_view name = "lambda-published-grid", root = R::name;
    static constexpr std::string_view label = "Lambda as published, balanced grid",
                                      doc = "the same on the square grid that the papers timed";
    static constexpr std::string_view
        title = "λ as published, balanced grid (lambda-published-grid)",
        formula = "ω = x + y·m′, row = ⌊√(2ω + ¼) − ½ + ε⌋ by the root alone, col = ω − row·(row + 1)/2",
        source = paper::kNavarro2016;
    static constexpr std::string_view glsl = "return published_tile(x + y * balanced_side, root);";
    static constexpr Wastes wastes = Wastes::kAnything;
    static constexpr ExactRows exact = kPublishedRows;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return LambdaGrid<R>::grid(rows); }
    ORRERY_HD Tile operator()(Block block, std::uint32_t rows) const {
        return published_tile<R>(block.x + block.y * balanced_side(rows));
    }
    static void explain(const MappedTile& at, auto& say) {
        explain_published<R>(say, at, explain_grid(say, at), published_constant<R>);
    }
};

/// The form of the authors' later programs: −1/2 and ε combined in one constant, −0.4999, for every root.
template <Root R>
struct LambdaOffset {
    static constexpr std::string_view name = "lambda-offset", root = R::name;
    static constexpr std::string_view label = "Lambda, -0.4999",
                                      doc = "the authors' later constant, for every root; its exact range is measured";
    static constexpr std::string_view
        title = "λ with −0.4999 (lambda-offset)",
        formula = "ω = x, row = ⌊√(2ω + ¼) − 0.4999⌋ by the root alone, col = ω − row·(row + 1)/2",
        source = paper::kNavarro2022;
    static constexpr std::string_view glsl = "return offset_tile(x, root);";
    static constexpr Wastes wastes = Wastes::kAnything;
    static constexpr ExactRows exact{{4607, 1622, 2054, 9999, 4607}, {4607, 1527, 1967, 9999, 2048}};
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return {triangular(rows), 1}; }
    ORRERY_HD Tile operator()(Block block, std::uint32_t) const {
        using Real = typename R::Real;
        const auto row =
            static_cast<std::uint32_t>(R{}(Real(2) * static_cast<Real>(block.x) + Real(0.25)) - Real(0.4999));
        return {row, static_cast<std::uint32_t>(block.x - triangular(row))};
    }
    static void explain(const MappedTile& at, auto& say) {
        say("ω = {}", at.x);
        explain_published<R>(say, at, at.x, "− 0.4999");
    }
};
static_assert(TriangleMap<LambdaPublished<SqrtRoot>> && TriangleMap<LambdaPublishedGrid<SqrtRoot>> &&
              TriangleMap<LambdaOffset<SqrtRoot>>);

}  // namespace orrery
