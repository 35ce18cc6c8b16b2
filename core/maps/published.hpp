// SPDX-License-Identifier: MIT
// λ as published, for study: without integer correction. Exact only up to a number of rows that is measured, not
// proved: `orrery lab --experiment exactness` measures it, exact_rows() in maps.hpp has the table, and docs/maps.md
// lists it.
#pragma once
#include "core/maps/lambda.hpp"

namespace orrery {

/// LTM of the papers: X (sqrt) without ε; the approximate roots N (newton) and R (rsqrt) with ε = 1e-4 "to repair the
/// floating point error".
template <Root R>
inline constexpr double published_epsilon = std::same_as<R, SqrtRoot> || std::same_as<R, Fp64Root> ? 0.0 : 1e-4;

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
    static constexpr Wastes wastes = Wastes::kAnything;
    static constexpr ExactRows exact = kPublishedRows;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return {triangular(rows), 1}; }
    ORRERY_HD Tile operator()(Block block, std::uint32_t) const { return published_tile<R>(block.x); }
};

/// The form that the papers timed: on the balanced grid of m′ × m′ blocks, ω = x + y·m′.
template <Root R>
struct LambdaPublishedGrid {
    static constexpr std::string_view name = "lambda-published-grid", root = R::name;
    static constexpr std::string_view label = "Lambda as published, balanced grid",
                                      doc = "the same on the square grid that the papers timed";
    static constexpr Wastes wastes = Wastes::kAnything;
    static constexpr ExactRows exact = kPublishedRows;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return LambdaGrid<R>::grid(rows); }
    ORRERY_HD Tile operator()(Block block, std::uint32_t rows) const {
        return published_tile<R>(block.x + block.y * balanced_side(rows));
    }
};

/// The form of the authors' later programs: −1/2 and ε combined in one constant, −0.4999, for every root.
template <Root R>
struct LambdaOffset {
    static constexpr std::string_view name = "lambda-offset", root = R::name;
    static constexpr std::string_view label = "Lambda, -0.4999",
                                      doc = "the authors' later constant, for every root; its exact range is measured";
    static constexpr Wastes wastes = Wastes::kAnything;
    static constexpr ExactRows exact{{4607, 1622, 2054, 9999, 4607}, {4607, 1527, 1967, 9999, 2048}};
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return {triangular(rows), 1}; }
    ORRERY_HD Tile operator()(Block block, std::uint32_t) const {
        using Real = typename R::Real;
        const auto row =
            static_cast<std::uint32_t>(R{}(Real(2) * static_cast<Real>(block.x) + Real(0.25)) - Real(0.4999));
        return {row, static_cast<std::uint32_t>(block.x - triangular(row))};
    }
};
static_assert(TriangleMap<LambdaPublished<SqrtRoot>> && TriangleMap<LambdaPublishedGrid<SqrtRoot>> &&
              TriangleMap<LambdaOffset<SqrtRoot>>);

}  // namespace orrery
