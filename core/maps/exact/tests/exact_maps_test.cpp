// SPDX-License-Identifier: MIT
// Compares the maps of exact_maps.hpp with plain nested loops: every element of the 32-bit ranges, with the library's
// roots and with the worst roots that the header permits, and both ends of rows and layers beyond. With the argument
// `ends`, only the ends of rows and layers, where errors of a root appear first. Prints the first error and exits
// with 1.
#include "exact_maps.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace {
namespace exact = orrery::exact;

/// Roots at the limits of the permitted error: 2⁻¹⁶ below and 2⁻²² above a square root, 2⁻¹⁸ for cube roots.
struct LowRoot {
    using Real = float;
    static float near(float x) { return std::sqrt(x) * (1 - 1.0f / 65536); }
};
struct HighRoot {
    using Real = float;
    static float near(float x) { return std::sqrt(x) * (1 + 1.0f / 4194304); }
};
struct LowCubeRoot {
    float operator()(float x) const { return std::cbrt(x) * (1 - 1.0f / 262144); }
};
struct HighCubeRoot {
    float operator()(float x) const { return std::cbrt(x) * (1 + 1.0f / 262144); }
};

template <class T>
void expect(const char* name, std::uint64_t index, T found, T wanted) {
    if (found == wanted) return;
    std::printf("%s is wrong at index %llu\n", name, static_cast<unsigned long long>(index));
    std::exit(1);
}

bool only_ends = false;

/// Visits the ends of a line of a triangle or, unless `only_ends`, all of it.
std::uint32_t next(std::uint32_t at, std::uint32_t last) { return only_ends && at != last ? last : at + 1; }

template <class Root>
void every_pair(const char* name, std::uint32_t rows) {
    for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t col = 0; col <= row; col = next(col, row)) {
            const exact::Pair pair{row, col};
            expect(name, exact::index_of(pair), exact::pair_at<Root>(exact::index_of(pair)), pair);
        }
}

template <class Root, class CubeRoot>
void every_triple(const char* name, std::uint32_t layers) {
    for (std::uint32_t k = 0; k < layers; ++k)
        for (std::uint32_t j = 0; j <= k; j = next(j, k))
            for (std::uint32_t i = 0; i <= j; i = next(i, j)) {
                const exact::Triple t{i, j, k};
                expect(name, exact::index_of(t), exact::triple_at<Root, CubeRoot>(exact::index_of(t)), t);
            }
}

template <class Root, class CubeRoot>
void every_quadruple(const char* name, std::uint32_t layers) {
    for (std::uint32_t l = 0; l < layers; ++l)
        for (std::uint32_t k = 0; k <= l; k = next(k, l))
            for (std::uint32_t j = 0; j <= k; j = next(j, k))
                for (std::uint32_t i = 0; i <= j; i = next(i, j)) {
                    const exact::Quadruple q{i, j, k, l};
                    expect(name, exact::index_of(q), exact::quadruple_at<Root, CubeRoot>(exact::index_of(q)), q);
                }
}

/// The inverses count the elements in order.
void every_index() {
    std::uint64_t pair = 0, triple = 0, quadruple = 0;
    for (std::uint32_t l = 0; l < 60; ++l)
        for (std::uint32_t k = 0; k <= l; ++k) {
            expect("index_of(Pair)", pair, exact::index_of(exact::Pair{l, k}), pair);
            ++pair;
            for (std::uint32_t j = 0; j <= k; ++j) {
                expect("index_of(Triple)", triple, exact::index_of(exact::Triple{j, k, l}), triple);
                ++triple;
                for (std::uint32_t i = 0; i <= j; ++i, ++quadruple)
                    expect("index_of(Quadruple)", quadruple, exact::index_of(exact::Quadruple{i, j, k, l}), quadruple);
            }
        }
}

/// Both ends of a row: an error of a root appears there first.
void row_ends(std::uint32_t row) {
    const exact::Pair first{row, 0}, last{row, row};
    expect("first of a row", exact::index_of(first), exact::pair_at(exact::index_of(first)), first);
    expect("last of a row", exact::index_of(last), exact::pair_at(exact::index_of(last)), last);
}

void orders(std::uint32_t n) {
    std::uint64_t strict = 0, upper = 0, condensed = 0;
    for (std::uint32_t row = 0; row < n; ++row)
        for (std::uint32_t col = 0; col < n; ++col) {
            const exact::Pair pair{row, col};
            if (col < row) {
                expect("strict_pair_at", strict, exact::strict_pair_at(strict), pair);
                expect("strict_index_of", strict, exact::strict_index_of(pair), strict);
                ++strict;
            }
            if (row <= col) {
                expect("upper_pair_at", upper, exact::upper_pair_at(upper, n), pair);
                expect("upper_index_of", upper, exact::upper_index_of(pair, n), upper);
                ++upper;
            }
            if (row < col) {
                expect("condensed_pair_at", condensed, exact::condensed_pair_at(condensed, n), pair);
                expect("condensed_index_of", condensed, exact::condensed_index_of(pair, n), condensed);
                ++condensed;
            }
        }
    expect("pair_count", n, exact::pair_count(n), upper);
}
}  // namespace

int main(int count, char** arguments) {
    only_ends = count == 2 && std::strcmp(arguments[1], "ends") == 0;
    every_index();
    every_pair<exact::LibraryRoot>("pair_at", exact::kNarrowRows + 32);
    every_pair<LowRoot>("pair_at with a low root", exact::kNarrowRows);
    every_pair<HighRoot>("pair_at with a high root", exact::kNarrowRows);
    for (std::uint64_t row = exact::kNarrowRows; row < exact::kMostRows; row += 1 + row / 20000)
        row_ends(static_cast<std::uint32_t>(row));
    row_ends(exact::kMostRows - 1);
    every_triple<exact::LibraryRoot, exact::LibraryCubeRoot>("triple_at", exact::kNarrowLayers3 + 2);
    every_triple<LowRoot, LowCubeRoot>("triple_at with low roots", exact::kNarrowLayers3);
    every_triple<HighRoot, HighCubeRoot>("triple_at with high roots", exact::kNarrowLayers3);
    for (std::uint32_t k = 0; k < exact::kMostLayers3; ++k)
        for (const exact::Triple t : {exact::Triple{0, 0, k}, exact::Triple{k / 2, k / 2, k}, exact::Triple{k, k, k}})
            expect("triple_at, ends of a layer", exact::index_of(t), exact::triple_at(exact::index_of(t)), t);
    every_quadruple<exact::LibraryRoot, exact::LibraryCubeRoot>("quadruple_at", exact::kNarrowLayers4 + 2);
    every_quadruple<LowRoot, LowCubeRoot>("quadruple_at with low roots", exact::kNarrowLayers4);
    every_quadruple<HighRoot, HighCubeRoot>("quadruple_at with high roots", exact::kNarrowLayers4);
    for (std::uint32_t l = 0; l < exact::kMostLayers4; ++l)
        for (const exact::Quadruple q :
             {exact::Quadruple{0, 0, 0, l}, exact::Quadruple{l / 3, l / 2, l / 2, l}, exact::Quadruple{l, l, l, l}})
            expect("quadruple_at, ends of a layer", exact::index_of(q), exact::quadruple_at(exact::index_of(q)), q);
    for (std::uint32_t n = 1; n <= 300; ++n) orders(n);
    if (!only_ends) orders(5000);  // all pairs; a shorter row differs from it only in where it begins
    // n = 32 769 and the largest size: pairs at both ends of the upper orders.
    for (const std::uint32_t n : {32769u, exact::kMostRows})
        for (const exact::Pair pair :
             {exact::Pair{0, 1}, exact::Pair{0, n - 1}, exact::Pair{1, 2}, exact::Pair{n - 2, n - 1}})
            expect("condensed_pair_at", n, exact::condensed_pair_at(exact::condensed_index_of(pair, n), n), pair);
    std::puts("all maps are exact");
}
