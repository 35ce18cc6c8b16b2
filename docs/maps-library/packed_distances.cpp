// Fills a condensed distance matrix by one loop over its entries, for each n from the first to the second argument, and
// compares it with two nested loops. On a GPU the first loop is a kernel of one thread per entry.
#include <orrery-maps/exact_maps.hpp>

#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int count, char** arguments) {
    if (count != 3) return 2;
    const auto first = std::strtoul(arguments[1], nullptr, 10), last = std::strtoul(arguments[2], nullptr, 10);
    for (auto n = static_cast<std::uint32_t>(first); n <= last; ++n) {
        std::vector<float> x(n), packed(orrery::exact::pair_count(n - 1));
        for (std::uint32_t i = 0; i < n; ++i) x[i] = static_cast<float>(i * 2654435761u >> 8);
        for (std::uint64_t k = 0; k < packed.size(); ++k) {
            const orrery::exact::Pair pair = orrery::exact::condensed_pair_at(k, n);
            packed[k] = std::fabs(x[pair.row] - x[pair.col]);
        }
        std::uint64_t k = 0;
        for (std::uint32_t i = 0; i < n; ++i)
            for (std::uint32_t j = i + 1; j < n; ++j, ++k)
                if (packed[k] != std::fabs(x[i] - x[j])) return std::printf("n = %u: (%u, %u) is wrong\n", n, i, j), 1;
    }
    std::printf("right for every n from %lu to %lu\n", first, last);
}
