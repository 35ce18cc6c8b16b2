// SPDX-License-Identifier: MIT
#include "core/analysis/tuple_tiles.hpp"

#include <algorithm>
#include <utility>

#include "core/maps/exact/exact_maps.hpp"

namespace orrery {

TiledCatalogue tiled(std::vector<CataloguePoint> points) {
    const auto group = [](const CataloguePoint& p) { return 2u * p.region + (p.data ? 1u : 0u); };
    std::ranges::stable_sort(points, {}, group);
    TiledCatalogue all{std::move(points), {}};
    const auto count = static_cast<std::uint32_t>(all.points.size());
    for (std::uint32_t first = 0; first < count;) {
        const std::uint32_t of = group(all.points[first]);
        std::uint32_t last = first;
        while (last < count && last - first < kTilePoints && group(all.points[last]) == of) ++last;
        all.tiles.push_back({first, last - first, of});
        first = last;
    }
    return all;
}

std::optional<KindWeights> common_weights(const TiledCatalogue& catalogue) {
    KindWeights weights{1, 1};
    std::array<bool, 2> known{};
    for (const CataloguePoint& point : catalogue.points) {
        const std::size_t kind = point.data ? 1 : 0;
        if (known[kind] && weights[kind] != point.weight) return std::nullopt;
        known[kind] = true, weights[kind] = point.weight;
    }
    return weights;
}

std::array<std::uint32_t, 3> groups_at(std::size_t order, std::uint64_t index) {
    if (order == 2) {
        const exact::Pair pair = exact::pair_at(index);
        return {pair.col, pair.row, 0};
    }
    const exact::Triple triple = exact::triple_at(index);
    return {triple.i, triple.j, triple.k};
}

void multiply_weights(std::vector<double>& counts, std::size_t order, std::size_t classes, const KindWeights& weights) {
    for (std::uint64_t at = 0; at * classes < counts.size(); ++at) {
        const std::array<std::uint32_t, 3> groups = groups_at(order, at);
        double product = 1;
        for (std::size_t i = 0; i < order; ++i) product *= weights[groups[i] % 2];
        for (std::size_t kind = 0; kind < classes; ++kind) counts[at * classes + kind] *= product;
    }
}

}  // namespace orrery
