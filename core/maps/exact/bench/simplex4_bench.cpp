// SPDX-License-Identifier: MIT
// Maps of the 4-simplex on one core: i + j + k + l of every quadruple is added up, after a run that marks each. Prints
// the processor time of each map and I = time(box) / time(map); exits with 1 if a map leaves out or repeats a
// quadruple.
#include "simplex4.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace {
using namespace orrery::exact;

/// True if every quadruple comes from exactly one index.
template <class Map>
bool complete(std::uint32_t n) {
    std::vector<bool> marks(quadruple_count(n));
    std::uint64_t found = 0;
    for (std::uint64_t index = 0; index < Map::count(n); ++index) {
        const Quadruple q = Map{}(index, n);
        if (!bench::useful(q, n)) continue;
        if (marks[index_of(q)]) return false;
        marks[index_of(q)] = true;
        ++found;
    }
    return found == quadruple_count(n);
}

template <class Map>
bool report(std::uint32_t n, double& box) {
    double best = 1e30;
    std::uint64_t sum = 0;
    for (int turn = 0; turn < 3; ++turn) {
        const std::clock_t begin = std::clock();
        for (std::uint64_t index = 0; index < Map::count(n); ++index) {
            const Quadruple q = Map{}(index, n);
            if (bench::useful(q, n)) sum += q.i + q.j + q.k + q.l;
        }
        const double time = 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        if (time < best) best = time;
    }
    if (box == 0) box = best;
    bool right = complete<Map>(n);
    for (std::uint32_t small = 1; small <= 33; ++small) right = right && complete<Map>(small);
    std::printf("%-14s %10.2f ms  I %6.2f  %s  (%llx)\n", Map::name, best, box / best, right ? "verified" : "WRONG",
                static_cast<unsigned long long>(sum));
    return right;
}
}  // namespace

int main(int count, char** arguments) {
    const auto n = static_cast<std::uint32_t>(count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 64);
    if (n < 1 || n > 512) {
        std::fprintf(stderr, "usage: simplex4_bench [N], 1 to 512\n");
        return 2;
    }
    double box = 0;
    const bool all = report<bench::Box4>(n, box) & report<bench::Lambda4>(n, box) & report<bench::Recursive4>(n, box);
    return all ? 0 : 1;
}
