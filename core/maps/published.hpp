// SPDX-License-Identifier: MIT
// λ as published, for study: without integer correction. Exact only up to a number of rows that is measured, not
// proved: `orrery lab --experiment exactness` measures it, exact_rows() of maps.hpp has the table, docs/maps.md shows
// it.
#pragma once
#include "core/maps/map.hpp"
#include "core/maps/roots.hpp"

namespace orrery {

/// LTM of the papers: X (sqrt) as it is, N (newton) and R (rsqrt) with ε = 1e-4 "to repair the floating point error".
template <Root R>
struct LambdaPublished {
    static constexpr std::string_view name = "lambda-published", root = R::name;
    static constexpr std::string_view label = "Lambda as published",
                                      doc = "epsilon = 1e-4 instead of integer correction; its exact range is measured";
    static constexpr Wastes wastes = Wastes::kAnything;
    static constexpr ExactRows exact{{4607, 1622, 2054, 1u << 20}, {4607, 1949, 2055, 1u << 20}};
    static constexpr double epsilon = std::same_as<R, NewtonRoot> || std::same_as<R, RsqrtRoot> ? 1e-4 : 0.0;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return {triangular(rows), 1}; }
    ORRERY_HD Tile operator()(Block block, std::uint32_t) const {
        using Real = typename R::Real;
        const Real root_of = R{}(Real(2) * static_cast<Real>(block.x) + Real(0.25));
        const auto row = static_cast<std::uint32_t>(root_of - Real(0.5) + Real(epsilon));
        return {row, static_cast<std::uint32_t>(block.x - triangular(row))};
    }
};

/// The form of the authors' later programs: −1/2 and ε in one constant, −0.4999, for every root.
template <Root R>
struct LambdaOffset {
    static constexpr std::string_view name = "lambda-offset", root = R::name;
    static constexpr std::string_view label = "Lambda, -0.4999",
                                      doc = "the authors' later constant, for every root; its exact range is measured";
    static constexpr Wastes wastes = Wastes::kAnything;
    static constexpr ExactRows exact{{4607, 1622, 2054, 9999}, {4607, 1527, 1967, 9999}};
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return {triangular(rows), 1}; }
    ORRERY_HD Tile operator()(Block block, std::uint32_t) const {
        using Real = typename R::Real;
        const auto row =
            static_cast<std::uint32_t>(R{}(Real(2) * static_cast<Real>(block.x) + Real(0.25)) - Real(0.4999));
        return {row, static_cast<std::uint32_t>(block.x - triangular(row))};
    }
};
static_assert(TriangleMap<LambdaPublished<SqrtRoot>> && TriangleMap<LambdaOffset<SqrtRoot>>);

}  // namespace orrery
