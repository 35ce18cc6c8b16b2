// SPDX-License-Identifier: MIT
#ifndef ORRERY_EXACT_MAPS_HPP
#define ORRERY_EXACT_MAPS_HPP
/// @file
/// Exact maps from a linear index to the elements of a simplex: pairs, triples and quadruples.
///
/// A loop over all pairs of n elements has one index k, and each iteration needs its pair (row, col). The usual formula
/// is row = ⌊√(2k + 1/4) − 1/2⌋ in floating point, which is wrong for some k as soon as a root is rounded across an
/// integer. Here the root only proposes a row, and integer arithmetic decides: no rounding mode, no fast-math option
/// and no approximate instruction changes the result.
///
/// | function         | domain                     | indices                   | inverse              |
/// |------------------|----------------------------|---------------------------|----------------------|
/// | pair_at          | col ≤ row                  | 0 … 2⁶¹, rows below 2³¹   | index_of(Pair)       |
/// | strict_pair_at   | col < row                  | the same                  | strict_index_of      |
/// | upper_pair_at    | row ≤ col < n              | 0 … pair_count(n) − 1     | upper_index_of       |
/// | condensed_pair_at| row < col < n              | 0 … pair_count(n − 1) − 1 | condensed_index_of   |
/// | triple_at        | i ≤ j ≤ k                  | layers below 2²⁰          | index_of(Triple)     |
/// | quadruple_at     | i ≤ j ≤ k ≤ l              | layers below 2¹⁵          | index_of(Quadruple)  |
///
/// Rows of pair_at follow one another, as numpy.tril_indices(n); upper_pair_at is numpy.triu_indices(n), and
/// condensed_pair_at the order of scipy.spatial.distance.pdist and of torch.pdist.
///
/// C++17 without dependencies. Every function is a host function, and a device function too under nvcc and hipcc. It
/// reads no memory and has no state. Up to 32 768 rows (1 024 and 254 layers) all arithmetic is in 32 bits and float;
/// beyond it is in 64 bits and double.
#include <cmath>
#include <cstdint>
#include <type_traits>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define ORRERY_EXACT_HD __host__ __device__
#else
#define ORRERY_EXACT_HD
#endif

namespace orrery::exact {

/// An element of a triangle.
struct Pair {
    std::uint32_t row, col;
};
/// An element of a tetrahedron.
struct Triple {
    std::uint32_t i, j, k;
};
/// An element of a 4-simplex.
struct Quadruple {
    std::uint32_t i, j, k, l;
};
ORRERY_EXACT_HD constexpr bool operator==(Pair a, Pair b) { return a.row == b.row && a.col == b.col; }
ORRERY_EXACT_HD constexpr bool operator==(Triple a, Triple b) { return a.i == b.i && a.j == b.j && a.k == b.k; }
ORRERY_EXACT_HD constexpr bool operator==(Quadruple a, Quadruple b) {
    return a.i == b.i && a.j == b.j && a.k == b.k && a.l == b.l;
}

/// Sizes up to which indices and their products fit 31 bits (32 bits for quadruples).
inline constexpr std::uint32_t kNarrowRows = 32768, kNarrowLayers3 = 1024, kNarrowLayers4 = 254;
/// Sizes up to which the maps are exact.
inline constexpr std::uint32_t kMostRows = (std::uint32_t{1} << 31) - 1, kMostLayers3 = std::uint32_t{1} << 20,
                               kMostLayers4 = std::uint32_t{1} << 15;

/// Pairs in rows 0 … row − 1, in the width of the argument: row(row + 1) must fit.
template <class U>
ORRERY_EXACT_HD constexpr U tiles_before(U row) {
    static_assert(std::is_unsigned_v<U>, "unsigned arithmetic");
    return row * (row + 1) / 2;
}
/// Pairs with the diagonal of n elements, n(n + 1)/2, for n below 2³².
ORRERY_EXACT_HD constexpr std::uint64_t pair_count(std::uint64_t n) {
    return n % 2 ? (n + 1) / 2 * n : n / 2 * (n + 1);
}
/// Six times the number of triples of n elements, n(n + 1)(n + 2): n up to 2²¹.
ORRERY_EXACT_HD constexpr std::uint64_t six_triples(std::uint64_t n) { return n * (n + 1) * (n + 2); }
/// Triples i ≤ j ≤ k < n.
ORRERY_EXACT_HD constexpr std::uint64_t triple_count(std::uint64_t n) { return six_triples(n) / 6; }
/// 24 times the number of quadruples of n elements, in the width of the argument: n up to 65 533, or 254 in 32 bits.
template <class U>
ORRERY_EXACT_HD constexpr U twenty_four_quadruples(U n) {
    return n * (n + 1) * (n + 2) * (n + 3);
}
/// Quadruples i ≤ j ≤ k ≤ l < n.
ORRERY_EXACT_HD constexpr std::uint64_t quadruple_count(std::uint64_t n) { return twenty_four_quadruples(n) / 24; }

/// The row of index k from the proposal of a root. Exact from any proposal within a factor of two: T(row) is convex, so
/// one Newton step from below reaches the row or beyond, and Newton steps from above never pass it. A proposal that is
/// right costs two comparisons and no division.
template <class U>
ORRERY_EXACT_HD constexpr U row_of(U k, U row) {
    if (tiles_before(row + 1) <= k) row += (k - tiles_before(row)) / (row + 1);
    while (tiles_before(row) > k) row -= (tiles_before(row) - k + row - 1) / row;
    return row;
}

/// The layer of triple ω from the proposal of a root: the same steps with the tetrahedral numbers.
ORRERY_EXACT_HD constexpr std::uint64_t layer_of(std::uint64_t omega, std::uint64_t layer) {
    const std::uint64_t wanted = 6 * omega;
    if (six_triples(layer + 1) <= wanted) layer += (wanted - six_triples(layer)) / (3 * (layer + 1) * (layer + 2));
    while (six_triples(layer) > wanted) {
        const std::uint64_t step = 3 * layer * (layer + 1);
        layer -= (six_triples(layer) - wanted + step - 1) / step;
    }
    return layer;
}

/// The layer of quadruple ω from the proposal of a root, one layer at a time: proposals are off by at most one.
ORRERY_EXACT_HD constexpr std::uint64_t layer4_of(std::uint64_t omega, std::uint64_t layer) {
    while (twenty_four_quadruples(layer + 1) <= 24 * omega) ++layer;
    while (twenty_four_quadruples(layer) > 24 * omega) --layer;
    return layer;
}

/// Radicands in float are reduced by this fraction, so that a proposal is right or one row too low: it lowers the root
/// by 2⁻²¹ of its value. A root may be wrong by 2⁻²² and the radicand by 2⁻²³, which is less; at kNarrowRows the sum is
/// 1/64 of a row, which is less than one.
inline constexpr double kBelow = 1 - 1.0 / 1048576;

/// ⌊x − less⌋ for 0 ≤ x < 2²² and a `less` of 0 or 1/2. One addition on a device: floats beyond 2²³ are integers, so
/// the sum, rounded down, holds the result in its last bits.
ORRERY_EXACT_HD inline std::int32_t floor_less(float x, float less) {
#ifdef __CUDA_ARCH__
    return __float_as_int(__fadd_rd(x, 8388608.0f - less)) - 0x4b000000;
#else
    return static_cast<std::int32_t>(x + (1 - less)) - 1;
#endif
}
ORRERY_EXACT_HD inline std::int32_t floor_less(double x, double less) {
    return static_cast<std::int32_t>(x + (1 - less)) - 1;
}

/// The library's root as a proposal. Another `Root` of the functions below needs the same two members: `Real`, float or
/// double, and near(x), which may exceed the root by 2⁻²² of its value for x from 1/4 to 2³¹ and fall short of it by
/// 2⁻¹⁶, such as sqrt.approx of a device.
struct LibraryRoot {
    using Real = float;
    ORRERY_EXACT_HD static float near(float x) { return std::sqrt(x); }
};
/// The library's cube root: a relative error of 2⁻¹⁸ suffices.
struct LibraryCubeRoot {
    ORRERY_EXACT_HD float operator()(float x) const { return std::cbrt(x); }
};

/// pair_at() for k below pair_count(kNarrowRows), and slightly more. One comparison corrects the proposal.
template <class Root>
ORRERY_EXACT_HD Pair narrow_pair(std::int32_t k) {
    using Real = typename Root::Real;
    const Real root = Root::near(Real(2 * kBelow) * static_cast<Real>(k) + Real(0.25));
    std::int32_t row = floor_less(root, Real(0.5)), col = k - (row * (row + 1) >> 1);
    if (col > row) ++row, col -= row;
    return {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(col)};
}

/// triple_at() for ω below triple_count(kNarrowLayers3), and slightly more. With c = ∛(6ω) the layer is the integer
/// part of c + 1/(3c) − 1, up to terms of c⁻⁵. c alone, reduced by 2⁻¹⁷ of its value, proposes ⌊c⌋ − 1: right or one
/// layer too low, because 1/(3c) < 0.19 and the error of a cube root is less than the reduction.
template <class Root, class CubeRoot>
ORRERY_EXACT_HD Triple narrow_triple(std::int32_t omega) {
    using Real = typename Root::Real;
    constexpr Real kLess = Real(1 - 1.0 / 131072);
    std::int32_t layer = floor_less(kLess * CubeRoot{}(static_cast<Real>(6 * omega)), Real(0)) - 1;
    const std::int32_t step = (layer + 1) * (layer + 2);  // a third of the increase of six_triples at the next layer
    std::int32_t rest = 6 * omega - layer * step;
    if (rest >= 3 * step) ++layer, rest -= 3 * step;
    const Pair below = narrow_pair<Root>(static_cast<std::int32_t>(static_cast<std::uint32_t>(rest) / 6));
    return {below.col, below.row, static_cast<std::uint32_t>(layer)};
}

/// quadruple_at() for ω below quadruple_count(kNarrowLayers4). The layer x solves x(x + 1)(x + 2)(x + 3) = 24ω. With
/// y = x(x + 3) that is y(y + 2) = 24ω, so y = √(1 + 24ω) − 1 and x = √(5/4 + √(1 + 24ω)) − 3/2: two square roots and
/// no cube root. The inner root is reduced by 2⁻¹⁷ of its value, which lowers x by more than the errors of both roots
/// and by less than 1/500 of a layer: the proposal is right or one layer too low.
template <class Root, class CubeRoot>
ORRERY_EXACT_HD Quadruple narrow_quadruple(std::uint32_t omega) {
    using Real = typename Root::Real;
    constexpr Real kLess = Real(1 - 1.0 / 131072);
    const Real inner = kLess * Root::near(static_cast<Real>(24 * omega) + Real(1));
    auto layer = static_cast<std::uint32_t>(floor_less(Root::near(inner + Real(1.25)), Real(0.5)) - 1);
    const std::uint32_t cube = (layer + 1) * (layer + 2) * (layer + 3);
    std::uint32_t rest = 24 * omega - layer * cube;
    if (rest >= 4 * cube) ++layer, rest -= 4 * cube;
    const Triple below = narrow_triple<Root, CubeRoot>(static_cast<std::int32_t>(rest / 24));
    return {below.i, below.j, below.k, layer};
}

/// Element k of the triangle col ≤ row in row order: row = ⌊√(2k + 1/4) − 1/2⌋, col = k − row(row + 1)/2, exactly, for
/// k below pair_count(kMostRows).
template <class Root = LibraryRoot>
ORRERY_EXACT_HD Pair pair_at(std::uint64_t k) {
    if (k < pair_count(kNarrowRows)) return narrow_pair<Root>(static_cast<std::int32_t>(k));
    const std::uint64_t row = row_of(k, static_cast<std::uint64_t>(std::sqrt(2 * static_cast<double>(k) + 0.25) - 0.5));
    return {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(k - tiles_before(row))};
}
ORRERY_EXACT_HD constexpr std::uint64_t index_of(Pair pair) { return pair_count(pair.row) + pair.col; }

/// Element k of the triangle col < row in row order.
template <class Root = LibraryRoot>
ORRERY_EXACT_HD Pair strict_pair_at(std::uint64_t k) {
    const Pair pair = pair_at<Root>(k);
    return {pair.row + 1, pair.col};
}
ORRERY_EXACT_HD constexpr std::uint64_t strict_index_of(Pair pair) { return pair_count(pair.row - 1) + pair.col; }

/// Element k of the triangle row ≤ col < n in row order: counted from its end, it is the lower triangle.
template <class Root = LibraryRoot>
ORRERY_EXACT_HD Pair upper_pair_at(std::uint64_t k, std::uint32_t n) {
    const Pair pair = pair_at<Root>(pair_count(n) - 1 - k);
    return {n - 1 - pair.row, n - 1 - pair.col};
}
ORRERY_EXACT_HD constexpr std::uint64_t upper_index_of(Pair pair, std::uint32_t n) {
    return pair_count(n) - 1 - index_of({n - 1 - pair.row, n - 1 - pair.col});
}

/// Element k of the triangle row < col < n in row order: entry k of a condensed distance matrix of n points.
template <class Root = LibraryRoot>
ORRERY_EXACT_HD Pair condensed_pair_at(std::uint64_t k, std::uint32_t n) {
    const Pair pair = upper_pair_at<Root>(k, n - 1);
    return {pair.row, pair.col + 1};
}
ORRERY_EXACT_HD constexpr std::uint64_t condensed_index_of(Pair pair, std::uint32_t n) {
    return upper_index_of({pair.row, pair.col - 1}, n - 1);
}

/// Element ω of the tetrahedron i ≤ j ≤ k in layers of equal k, each in row order, for ω below
/// triple_count(kMostLayers3).
template <class Root = LibraryRoot, class CubeRoot = LibraryCubeRoot>
ORRERY_EXACT_HD Triple triple_at(std::uint64_t omega) {
    if (omega < triple_count(kNarrowLayers3)) return narrow_triple<Root, CubeRoot>(static_cast<std::int32_t>(omega));
    const double c = std::cbrt(static_cast<double>(6 * omega));
    const std::uint64_t layer = layer_of(omega, static_cast<std::uint64_t>(c + 1 / (3 * c) - 1));
    const Pair below = pair_at<Root>(omega - triple_count(layer));
    return {below.col, below.row, static_cast<std::uint32_t>(layer)};
}
ORRERY_EXACT_HD constexpr std::uint64_t index_of(Triple t) { return triple_count(t.k) + index_of(Pair{t.j, t.i}); }

/// Element ω of the 4-simplex i ≤ j ≤ k ≤ l in layers of equal l, each a tetrahedron, for ω below
/// quadruple_count(kMostLayers4).
template <class Root = LibraryRoot, class CubeRoot = LibraryCubeRoot>
ORRERY_EXACT_HD Quadruple quadruple_at(std::uint64_t omega) {
    if (omega < quadruple_count(kNarrowLayers4))
        return narrow_quadruple<Root, CubeRoot>(static_cast<std::uint32_t>(omega));
    const double x = std::sqrt(1.25 + std::sqrt(1 + 24 * static_cast<double>(omega))) - 1.5;
    const std::uint64_t layer = layer4_of(omega, static_cast<std::uint64_t>(x));
    const Triple below = triple_at<Root, CubeRoot>(omega - quadruple_count(layer));
    return {below.i, below.j, below.k, static_cast<std::uint32_t>(layer)};
}
ORRERY_EXACT_HD constexpr std::uint64_t index_of(Quadruple q) {
    return quadruple_count(q.l) + index_of(Triple{q.i, q.j, q.k});
}

// At both ends of the ranges the products fit.
static_assert(index_of(Pair{kMostRows - 1, kMostRows - 1}) == pair_count(kMostRows) - 1, "rows in 64 bits");
static_assert(tiles_before(std::uint64_t{kMostRows} + 1) == pair_count(std::uint64_t{kMostRows} + 1), "one row beyond");
static_assert(std::uint64_t{kNarrowRows} * (kNarrowRows + 1) < std::uint64_t{1} << 31, "rows in 31 bits");
static_assert(six_triples(kNarrowLayers3) < std::uint64_t{1} << 31, "layers of triples in 31 bits");
static_assert(twenty_four_quadruples<std::uint64_t>(kNarrowLayers4) < std::uint64_t{1} << 32, "layers in 32 bits");
static_assert(twenty_four_quadruples<std::uint64_t>(kNarrowLayers4) == twenty_four_quadruples(kNarrowLayers4), "so");
static_assert(index_of(Triple{0, 1, 2}) == 5 && index_of(Quadruple{0, 1, 2, 3}) == 20, "");

}  // namespace orrery::exact
#endif
