// SPDX-License-Identifier: MIT
#include "core/analysis/tuples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/maps/exact/exact_maps.hpp"

namespace orrery {
namespace {

constexpr std::uint64_t kTupleParts = 64;  // each with its own sums, added in order

TupleBins tuple_bins(const Bins& bins, double period) {
    TupleBins all{{}, period};
    for (const double edge : bins.edges()) all.edges2.push_back(edge * edge);
    return all;
}

/// The class of a triple by the bins of its sides, [jk][ik][ij] with bins + 1 entries each; the number of classes:
/// none.
std::vector<std::uint16_t> classes_of_sides(std::size_t bins) {
    const std::size_t n = bins + 1;
    std::vector<std::uint16_t> all(n * n * n, static_cast<std::uint16_t>(triangle_classes(bins)));
    for (std::uint32_t a = 0; a < bins; ++a)
        for (std::uint32_t b = 0; b < bins; ++b)
            for (std::uint32_t c = 0; c < bins; ++c) {
                std::array sides{a, b, c};
                std::ranges::sort(sides);
                all[(a * n + b) * n + c] =
                    static_cast<std::uint16_t>(exact::index_of(exact::Triple{sides[0], sides[1], sides[2]}));
            }
    return all;
}

/// The bins of the distances of two tiles, `none` for those outside.
using BinTable = std::array<std::array<std::uint8_t, kTilePoints>, kTilePoints>;

class TupleCounter {
public:
    TupleCounter(std::size_t order, std::vector<CataloguePoint> points, const Bins& bins, double period)
        : order_{order},
          catalogue_{tiled(std::move(points))},
          bins_{tuple_bins(bins, period)},
          none_{static_cast<std::uint8_t>(bins.size())} {
        if (order_ == 3) triangle_ = classes_of_sides(bins.size());
    }

    std::size_t classes() const { return order_ == 3 ? triangle_classes(none_) : none_; }
    std::uint64_t tile_tuples() const {
        return order_ == 2   ? exact::pair_count(catalogue_.tiles.size())
               : order_ == 3 ? exact::triple_count(catalogue_.tiles.size())
                             : exact::quadruple_count(catalogue_.tiles.size());
    }

    /// Adds the tuples of points of a tuple of tiles.
    void add(std::uint64_t index, std::vector<double>& sums, TupleCounts& counts) const {
        std::ranges::fill(sums, 0);
        if (order_ == 2) {
            const exact::Pair p = exact::pair_at(index);
            pairs(p.col, p.row, sums);
            finish(std::array{p.col, p.row}, sums, counts);
        } else if (order_ == 3) {
            const exact::Triple t = exact::triple_at(index);
            triples(t, sums);
            finish(std::array{t.i, t.j, t.k}, sums, counts);
        } else {
            const exact::Quadruple q = exact::quadruple_at(index);
            quadruples(q, sums);
            finish(std::array{q.i, q.j, q.k, q.l}, sums, counts);
        }
    }

    const TiledCatalogue& catalogue() const { return catalogue_; }
    /// Returns the bin tables in the layout that sum_triples_on_gl() reads.
    std::vector<std::uint8_t> bin_tables(Pool& pool) const {
        const std::uint64_t pairs_of_tiles = exact::pair_count(catalogue_.tiles.size());
        std::vector<std::uint8_t> all(pairs_of_tiles * sizeof(BinTable), none_);
        pool.parallel_for(0, pairs_of_tiles, [&](std::uint64_t index) {
            const exact::Pair tiles = exact::pair_at(index);
            const TileOfPoints &lower = catalogue_.tiles[tiles.col], &upper = catalogue_.tiles[tiles.row];
            for (std::size_t j = 0; j < upper.count; ++j)
                for (std::size_t i = 0; i < before(tiles.col, tiles.row, j); ++i)
                    all[index * sizeof(BinTable) + j * kTilePoints + i] = bin_of(point(lower, i), point(upper, j));
        });
        return all;
    }

private:
    const CataloguePoint& point(const TileOfPoints& tile, std::size_t i) const {
        return catalogue_.points[tile.first + i];
    }

    double nearest(double d) const { return bins_.period > 0 ? d - bins_.period * std::round(d / bins_.period) : d; }

    std::uint8_t bin_of(const CataloguePoint& a, const CataloguePoint& b) const {
        const Vec3d d = a.position - b.position;
        const double x = nearest(d.x), y = nearest(d.y), z = nearest(d.z), d2 = x * x + y * y + z * z;
        if (!(d2 >= bins_.edges2.front() && d2 <= bins_.edges2.back())) return none_;
        const auto above = std::upper_bound(bins_.edges2.begin() + 1, bins_.edges2.end() - 1, d2);
        return static_cast<std::uint8_t>(above - bins_.edges2.begin() - 1);
    }

    /// False if no distance is in a bin.
    bool fill(BinTable& table, std::uint32_t lower, std::uint32_t upper) const {
        const TileOfPoints &a = catalogue_.tiles[lower], &b = catalogue_.tiles[upper];
        bool any = false;
        for (std::size_t j = 0; j < b.count; ++j)
            for (std::size_t i = 0; i < a.count; ++i) any |= (table[j][i] = bin_of(point(a, i), point(b, j))) != none_;
        return any;
    }

    /// Points of the lower tile that precede point j of the upper one.
    std::size_t before(std::uint32_t lower, std::uint32_t upper, std::size_t j) const {
        return lower == upper ? j : catalogue_.tiles[lower].count;
    }

    void pairs(std::uint32_t i, std::uint32_t j, std::vector<double>& sums) const {
        for (std::size_t b = 0; b < catalogue_.tiles[j].count; ++b)
            for (std::size_t a = 0; a < before(i, j, b); ++a) {
                const CataloguePoint &one = point(catalogue_.tiles[i], a), &other = point(catalogue_.tiles[j], b);
                sums[bin_of(one, other)] += one.weight * other.weight;
            }
    }

    void triples(exact::Triple t, std::vector<double>& sums) const {
        BinTable ij, ik, jk;
        if (!fill(ij, t.i, t.j) || !fill(ik, t.i, t.k) || !fill(jk, t.j, t.k)) return;
        const std::size_t n = none_ + 1u;
        for (std::size_t c = 0; c < catalogue_.tiles[t.k].count; ++c)
            for (std::size_t b = 0; b < before(t.j, t.k, c); ++b) {
                if (jk[c][b] == none_) continue;
                const double weight = point(catalogue_.tiles[t.k], c).weight * point(catalogue_.tiles[t.j], b).weight;
                const std::uint16_t* const kinds = &triangle_[jk[c][b] * n * n];
                for (std::size_t a = 0; a < before(t.i, t.j, b); ++a)
                    sums[kinds[ij[b][a] * n + ik[c][a]]] += weight * point(catalogue_.tiles[t.i], a).weight;
            }
    }

    void quadruples(exact::Quadruple q, std::vector<double>& sums) const {
        BinTable ij, ik, il, jk, jl, kl;
        if (!fill(kl, q.k, q.l) || !fill(jl, q.j, q.l) || !fill(jk, q.j, q.k) || !fill(il, q.i, q.l) ||
            !fill(ik, q.i, q.k) || !fill(ij, q.i, q.j))
            return;
        for (std::size_t d = 0; d < catalogue_.tiles[q.l].count; ++d)
            for (std::size_t c = 0; c < before(q.k, q.l, d); ++c) {
                const std::uint8_t bin = kl[d][c];
                if (bin == none_) continue;
                for (std::size_t b = 0; b < before(q.j, q.k, c); ++b) {
                    if (jl[d][b] != bin || jk[c][b] != bin) continue;
                    const double weight = point(catalogue_.tiles[q.l], d).weight *
                                          point(catalogue_.tiles[q.k], c).weight *
                                          point(catalogue_.tiles[q.j], b).weight;
                    for (std::size_t a = 0; a < before(q.i, q.j, b); ++a)
                        if (ij[b][a] == bin && ik[c][a] == bin && il[d][a] == bin)
                            sums[bin] += weight * point(catalogue_.tiles[q.i], a).weight;
                }
            }
    }

    template <std::size_t kOrder>
    void finish(const std::array<std::uint32_t, kOrder>& tuple, const std::vector<double>& sums,
                TupleCounts& counts) const {
        std::array<std::uint8_t, kOrder> regions{};
        std::size_t data = 0;
        for (std::size_t i = 0; i < kOrder; ++i)
            data += catalogue_.tiles[tuple[i]].data(), regions[i] = catalogue_.tiles[tuple[i]].region();
        counts.add(std::span{sums}.first(counts.classes()), data, regions);
    }

    std::size_t order_;
    TiledCatalogue catalogue_;
    TupleBins bins_;
    std::uint8_t none_;
    std::vector<std::uint16_t> triangle_;  // class by the bins of three sides; the number of classes: none
};

/// The estimate without one region, or of all.
std::vector<double> estimates(const TupleCounts& counts, std::span<const CataloguePoint> points, std::size_t without) {
    const std::size_t n = counts.order();
    const std::array data = products_of(points, true, without), random = products_of(points, false, without);
    std::vector<double> values;
    for (std::size_t kind = 0; kind < counts.classes(); ++kind) {
        double sum = 0, binomial = 1;
        const auto share = [&](std::size_t with_data) {
            const double found =
                without < kJackknifeRegions ? counts.without(without, with_data, kind) : counts.sum(with_data, kind);
            return found / (data[with_data] * random[n - with_data]);
        };
        for (std::size_t randoms = 0; randoms <= n; ++randoms) {
            sum += (randoms % 2 ? -1 : 1) * binomial * share(n - randoms);
            binomial = binomial * static_cast<double>(n - randoms) / static_cast<double>(randoms + 1);
        }
        const double all_random = share(0);
        values.push_back(all_random > 0 ? sum / all_random : std::numeric_limits<double>::quiet_NaN());
    }
    return values;
}

}  // namespace

TupleCounts::TupleCounts(std::size_t order, std::size_t classes)
    : order_{order}, classes_{classes}, sums_((kJackknifeRegions + 1) * (order + 1) * classes) {}

void TupleCounts::add(std::span<const double> sums, std::size_t data, std::span<const std::uint8_t> regions) {
    const auto add_to = [&](std::size_t layer) {
        for (std::size_t kind = 0; kind < classes_; ++kind) sums_[place(layer, data) + kind] += sums[kind];
    };
    add_to(0);
    for (std::size_t i = 0; i < regions.size(); ++i)
        if (std::ranges::find(regions.first(i), regions[i]) == regions.begin() + static_cast<std::ptrdiff_t>(i))
            add_to(regions[i] + 1u);
}

TupleCounts& TupleCounts::operator+=(const TupleCounts& other) {
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += other.sums_[i];
    return *this;
}

std::size_t triangle_classes(std::size_t bins) { return exact::triple_count(bins); }

TupleCounts count_tuples(Pool& pool, std::size_t order, std::vector<CataloguePoint> points, const Bins& bins,
                         double period, const std::stop_token& stop) {
    const TupleCounter counter{order, std::move(points), bins, period};
    const std::uint64_t tuples = counter.tile_tuples(), parts = std::min(kTupleParts, tuples);
    std::vector<TupleCounts> found(parts, TupleCounts{order, counter.classes()});
    pool.parallel_for(0, parts, [&](std::uint64_t part) {
        std::vector<double> sums(counter.classes() + 1);  // the last: tuples of no class
        for (std::uint64_t i = tuples * part / parts; i < tuples * (part + 1) / parts; ++i) {
            if (stop.stop_requested()) return;
            counter.add(i, sums, found[part]);
        }
    });
    TupleCounts all{order, counter.classes()};
    for (const TupleCounts& part : found) all += part;
    return all;
}

namespace {

/// Adds the sums of groups to those of kinds and regions.
TimedCounts timed_counts(std::size_t order, std::size_t classes, const DeviceSums& found) {
    TupleCounts counts{order, classes};
    const std::span<const double> sums{found.sums};
    for (std::uint64_t at = 0; at * classes < sums.size(); ++at) {
        const std::array<std::uint32_t, 3> groups = groups_at(order, at);
        std::array<std::uint8_t, 3> regions{};
        std::size_t data = 0;
        for (std::size_t i = 0; i < order; ++i)
            data += groups[i] % 2, regions[i] = static_cast<std::uint8_t>(groups[i] / 2);
        counts.add(sums.subspan(at * classes, classes), data, std::span{regions}.first(order));
    }
    return {std::move(counts), found.seconds};
}

}  // namespace

TimedCounts count_tuples_on_device(std::size_t order, std::vector<CataloguePoint> points, const Bins& bins,
                                   double period, const std::stop_token& stop) {
    const std::size_t classes = order == 3 ? triangle_classes(bins.size()) : bins.size();
    const auto class_of = order == 3 ? classes_of_sides(bins.size()) : std::vector<std::uint16_t>{};
    return timed_counts(order, classes,
                        sum_tuples_on_device(order, tiled(std::move(points)), tuple_bins(bins, period), class_of,
                                             classes, [&] { return stop.stop_requested(); }));
}

TimedCounts count_triples_on_gl(Pool& pool, std::vector<CataloguePoint> points, const Bins& bins, double period,
                                const std::stop_token& stop) {
    const TupleCounter counter{3, std::move(points), bins, period};
    const std::size_t classes = triangle_classes(bins.size());
    return timed_counts(
        3, classes,
        sum_triples_on_gl(counter.catalogue(), counter.bin_tables(pool), tuple_bins(bins, period),
                          classes_of_sides(bins.size()), classes, [&] { return stop.stop_requested(); }));
}

std::array<double, 5> products_of(std::span<const CataloguePoint> points, bool data, std::size_t without) {
    std::array<double, 5> products{1, 0, 0, 0, 0};
    for (const CataloguePoint& point : points)
        if (point.data == data && point.region != without)
            for (std::size_t n = products.size() - 1; n > 0; --n) products[n] += point.weight * products[n - 1];
    return products;
}

std::vector<Estimate> correlation(const TupleCounts& counts, std::span<const CataloguePoint> points) {
    std::vector<Estimate> all;
    for (const double value : estimates(counts, points, kJackknifeRegions)) all.push_back({value, 0});
    std::vector<std::vector<double>> left;
    for (std::size_t region = 0; region < kJackknifeRegions; ++region)
        if (std::ranges::find(points, region, &CataloguePoint::region) != points.end())
            left.push_back(estimates(counts, points, region));
    for (std::size_t kind = 0; kind < all.size(); ++kind) {
        double mean = 0, square = 0, count = 0;
        for (const auto& values : left)
            if (std::isfinite(values[kind])) mean += values[kind], ++count;
        mean /= count;
        for (const auto& values : left)
            if (std::isfinite(values[kind])) square += (values[kind] - mean) * (values[kind] - mean);
        all[kind].error =
            count > 1 ? std::sqrt((count - 1) / count * square) : std::numeric_limits<double>::quiet_NaN();
    }
    return all;
}

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
