// SPDX-License-Identifier: MIT
// Processor time of the maps from an index to a pair, and their first wrong index: the plain formula in float and in
// double against the exact map, over all pairs of n rows in a pseudorandom order, on one core.
#include "exact_maps.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <initializer_list>

namespace {
namespace exact = orrery::exact;

template <class Real>
exact::Pair plain(std::uint64_t k) {
    const auto row = static_cast<std::uint64_t>(std::sqrt(Real(2) * static_cast<Real>(k) + Real(0.25)) - Real(0.5));
    return {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(k - exact::pair_count(row))};
}

/// Nanoseconds per pair. The sum keeps the compiler from omitting the loop.
template <class Map>
double nanoseconds(std::uint64_t pairs, std::uint64_t& sum, const Map& map) {
    double best = 1e30;
    for (int turn = 0; turn < 5; ++turn) {
        const std::clock_t begin = std::clock();
        for (std::uint64_t i = 0; i < pairs; ++i) {
            const exact::Pair pair = map(i * 2654435761 % pairs);
            sum += pair.row ^ pair.col;
        }
        const double time = 1e9 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        if (time < best) best = time;
    }
    return best / static_cast<double>(pairs);
}

/// The first row whose first or last pair is wrong; `rows` if there is none.
template <class Map>
std::uint32_t first_wrong(std::uint32_t rows, const Map& map) {
    for (std::uint32_t row = 0; row < rows; ++row)
        for (const std::uint32_t col : {0u, row})
            if (!(map(exact::index_of(exact::Pair{row, col})) == exact::Pair{row, col})) return row;
    return rows;
}

/// Row i of entry k of the condensed distance matrix of n points as PyTorch computed it until 2019, in Real; later
/// versions compute it in double.
template <class Real>
std::uint64_t pdist_row(std::uint64_t k, std::uint64_t n) {
    const Real n2 = static_cast<Real>(n) - Real(0.5);
    return static_cast<std::uint64_t>(n2 - std::sqrt(n2 * n2 - Real(2) * static_cast<Real>(k) - Real(1)));
}

/// The smallest n below `most` with a wrong row at an end of a row of the matrix; `most` if there is none.
template <class Real>
std::uint64_t first_wrong_pdist(std::uint32_t most) {
    for (std::uint32_t n = 2; n < most; ++n)
        for (std::uint32_t row = 0; row + 1 < n; ++row)
            for (const std::uint32_t col : {row + 1, n - 1})
                if (pdist_row<Real>(exact::condensed_index_of({row, col}, n), n) != row) return n;
    return most;
}

template <class Map>
void report(const char* name, std::uint32_t rows, const Map& map) {
    std::uint64_t sum = 0;
    const std::uint64_t most = exact::pair_count(rows) < 20000000 ? exact::pair_count(rows) : 20000000;
    const double time = nanoseconds(most, sum, map);
    const std::uint32_t wrong = first_wrong(rows, map);
    std::printf("%-22s %6.2f ns a pair, ", name, time);
    if (wrong == rows)
        std::printf("exact for all %u rows", rows);
    else
        std::printf("wrong from row %u on", wrong);
    std::printf("  (%llx)\n", static_cast<unsigned long long>(sum));
}
}  // namespace

int main(int count, char** arguments) {
    const auto rows = static_cast<std::uint32_t>(count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 32768);
    if (rows == 0 || rows > 4000000) {
        std::fprintf(stderr, "usage: exact_maps_bench [ROWS], 1 to 4000000\n");
        return 2;
    }
    report("root in float", rows, plain<float>);
    report("root in double", rows, plain<double>);
    report("exact, pair_at", rows, [](std::uint64_t k) { return exact::pair_at(k); });
    std::printf("pdist, root in float:  wrong from n = %llu on\n",
                static_cast<unsigned long long>(first_wrong_pdist<float>(20000)));
}
