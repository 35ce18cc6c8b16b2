// SPDX-License-Identifier: MIT
// Two-, three- and four-point correlation functions of bodies against a random catalogue.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "core/analysis/analyses.hpp"
#include "core/analysis/tuples.hpp"
#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/maps/exact/exact_maps.hpp"

namespace orrery {
namespace {

struct CorrelationKind {
    std::size_t order;
    int sample;                ///< bodies by default
    std::size_t randoms;       ///< uniform random points per body
    std::size_t bins;          ///< by default
    double nearest, farthest;  ///< range of separations by default, in units of the edge of a cube of the same volume
};
constexpr CorrelationKind kPairKind{2, 4000, 2, 12, 0.01, 0.3}, kTripleKind{3, 400, 1, 4, 0.05, 0.3},
    kQuadrupleKind{4, 160, 1, 4, 0.1, 0.5};

struct SampleBox {
    Vec3d low, high;
    double edge() const {
        const Vec3d d = high - low;
        return std::cbrt(d.x * d.y * d.z);
    }
};

/// Assigns the regions of the jackknife: three cuts at the median of x, y and z, each in both halves.
void divide(std::span<CataloguePoint> points, std::uint8_t first, int axis) {
    if (axis == 3) {
        for (CataloguePoint& point : points) point.region = first;
        return;
    }
    const auto along = [axis](const CataloguePoint& p) {
        return axis == 0 ? p.position.x : axis == 1 ? p.position.y : p.position.z;
    };
    std::ranges::stable_sort(points, {}, along);
    const std::size_t half = points.size() / 2;
    divide(points.first(half), first, axis + 1);
    divide(points.subspan(half), static_cast<std::uint8_t>(first + (4 >> axis)), axis + 1);
}

struct Catalogue {
    std::vector<CataloguePoint> points;
    std::size_t data = 0, randoms = 0, bodies = 0;
    SampleBox box;
};

Catalogue catalogue_of(const Subject& subject, const AnalysisSettings& settings, const CorrelationKind& kind) {
    const std::vector<Vec4d>& bodies = subject.scene().bodies.position_mass;
    Catalogue all;
    all.bodies = subject.size();
    const auto wanted = static_cast<std::size_t>(settings.sample > 0 ? settings.sample : kind.sample);
    const auto weight = [&](const Vec4d& body) { return settings.weight == AnalysisWeight::kMass ? body.w : 1.0; };
    const auto take = [&](const auto& index, std::size_t count, bool data, std::size_t most) {
        const std::size_t taken = std::min(count, most);
        for (std::size_t i = 0; i < taken; ++i) {
            const Vec4d& body = bodies[index(i * count / taken)];
            all.points.push_back({xyz(body), weight(body), data});
        }
        return taken;
    };
    all.data = take([&](std::size_t i) { return subject.index(i); }, subject.size(), true, wanted);
    if (all.data < kind.order)
        usage_error(fmt::format("{}: expected at least {} bodies, found {}", settings.kind, kind.order, all.data));
    all.box = {all.points[0].position, all.points[0].position};
    for (const CataloguePoint& point : all.points) {
        const Vec3d x = point.position;
        all.box.low = {std::min(all.box.low.x, x.x), std::min(all.box.low.y, x.y), std::min(all.box.low.z, x.z)};
        all.box.high = {std::max(all.box.high.x, x.x), std::max(all.box.high.y, x.y), std::max(all.box.high.z, x.z)};
    }
    if (settings.period > 0) all.box = {{0, 0, 0}, {settings.period, settings.period, settings.period}};
    if (!(all.box.edge() > 0)) usage_error(fmt::format("{}: the bodies fill no volume", settings.kind));
    if (settings.randoms.empty()) {
        Random random{1};
        all.randoms = kind.randoms * all.data;
        const auto between = [&](double low, double high) { return random.uniform(low, high); };
        for (std::size_t i = 0; i < all.randoms; ++i) {
            const double x = between(all.box.low.x, all.box.high.x), y = between(all.box.low.y, all.box.high.y);
            all.points.push_back({{x, y, between(all.box.low.z, all.box.high.z)}, 1, false});
        }
    } else {
        const std::vector<std::uint32_t> chosen = chosen_bodies(subject.scene().bodies, settings.randoms);
        all.randoms = take([&](std::size_t i) { return chosen[i]; }, chosen.size(), false, kind.randoms * wanted);
        if (all.randoms < kind.order)
            usage_error(fmt::format("{}: expected at least {} random points, found {}", settings.kind, kind.order,
                                    all.randoms));
    }
    divide(all.points, 0, 0);
    return all;
}

Bins separations(const AnalysisSettings& settings, const CorrelationKind& kind, const SampleBox& box) {
    const double from = settings.from.value_or(kind.nearest * box.edge()),
                 to = settings.to.value_or(kind.farthest * box.edge());
    const bool logarithmic = settings.scale != AnalysisScale::kLinear;
    if (!(from < to) || from < 0 || (logarithmic && !(from > 0)))
        usage_error(
            fmt::format("{}: separations from {:g} to {:g}: expected ascending numbers, above 0 on a logarithmic "
                        "scale",
                        settings.kind, from, to));
    if (settings.period > 0 && to > 0.5 * settings.period)
        usage_error(fmt::format("{}: separations up to {:g} exceed half of the period {:g}", settings.kind, to,
                                settings.period));
    const std::size_t bins = settings.bins > 0 ? static_cast<std::size_t>(settings.bins) : kind.bins;
    const std::size_t most = kind.order == 2 ? 200 : 32;
    if (bins > most) usage_error(fmt::format("{}: expected up to {} bins, found {}", settings.kind, most, bins));
    return {from, to, bins, logarithmic};
}

/// Counts the tuples on the backend of the settings; adds the time to the result.
TupleCounts counted(const Subject& subject, const AnalysisSettings& settings, std::size_t order,
                    const Catalogue& catalogue, const Bins& bins, AnalysisResult& result, const std::stop_token& stop) {
    if (settings.backend == Backend::kGl && order != 3)
        usage_error(fmt::format("{}: pairs are counted on cpu or cuda, not on gl", settings.kind));
    if (settings.backend != Backend::kCpu) {
        TimedCounts found = settings.backend == Backend::kCuda
                                ? count_tuples_on_device(order, catalogue.points, bins, settings.period, stop)
                                : count_triples_on_gl(subject.pool(), catalogue.points, bins, settings.period, stop);
        result.seconds += found.seconds;
        return std::move(found.counts);
    }
    const auto start = std::chrono::steady_clock::now();
    TupleCounts counts = count_tuples(subject.pool(), order, catalogue.points, bins, settings.period, stop);
    result.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return counts;
}

std::string sample_text(const Catalogue& catalogue) {
    return fmt::format("{} of {} bodies, {} random points, errors by {} regions", catalogue.data, catalogue.bodies,
                       catalogue.randoms, kJackknifeRegions);
}

/// The sum over data tuples of each class, and that expected of the random catalogue.
struct Sums {
    std::vector<double> found, expected;
};
Sums sums_of(const TupleCounts& counts, const std::vector<CataloguePoint>& points) {
    const std::size_t n = counts.order();
    const double ratio =
        products_of(points, true, kJackknifeRegions)[n] / products_of(points, false, kJackknifeRegions)[n];
    Sums sums;
    for (std::size_t kind = 0; kind < counts.classes(); ++kind)
        sums.found.push_back(counts.sum(n, kind)), sums.expected.push_back(ratio * counts.sum(0, kind));
    return sums;
}

void add_bins(AnalysisResult& result, const Bins& bins, const std::string& name, const std::string& symbol,
              const UnitNames& units, const std::vector<std::size_t>& of) {
    const std::string label = with_unit(symbol, units.length);
    AnalysisColumn low{name + "_low", "lower " + label, {}}, high{name + "_high", "upper " + label, {}},
        middle{name, label, {}};
    for (const std::size_t bin : of)
        low.values.push_back(bins.low(bin)), high.values.push_back(bins.high(bin)),
            middle.values.push_back(bins.middle(bin));
    for (AnalysisColumn* each : {&low, &high, &middle}) result.columns.push_back(std::move(*each));
}

void add_estimates(AnalysisResult& result, const char* counted, Sums sums, const std::vector<Estimate>& estimates,
                   const char* name, const char* symbol) {
    AnalysisColumn value{name, symbol, {}},
        error{fmt::format("{}_error", name), fmt::format("error of {}", symbol), {}};
    for (const Estimate& each : estimates) value.values.push_back(each.value), error.values.push_back(each.error);
    result.columns.push_back({counted, counted, std::move(sums.found)});
    result.columns.push_back({"expected", fmt::format("{} expected", counted), std::move(sums.expected)});
    result.columns.push_back(std::move(value));
    result.columns.push_back(std::move(error));
}

std::vector<std::size_t> every(std::size_t bins) {
    std::vector<std::size_t> all(bins);
    std::iota(all.begin(), all.end(), 0u);
    return all;
}

}  // namespace

AnalysisResult two_point(const Subject& subject, const AnalysisSettings& settings, const std::stop_token& stop) {
    const Catalogue catalogue = catalogue_of(subject, settings, kPairKind);
    const Bins bins = separations(settings, kPairKind, catalogue.box);
    AnalysisResult result{.title = {}, .note = {}, .columns = {}, .panels = {}};
    const TupleCounts counts = counted(subject, settings, 2, catalogue, bins, result, stop);
    if (stop.stop_requested()) return {};
    add_bins(result, bins, "r", "r", subject.units(), every(bins.size()));
    add_estimates(result, "pairs", sums_of(counts, catalogue.points), correlation(counts, catalogue.points), "xi", "ξ");
    result.note = "ξ = (DD − 2 DR + RR)/RR: Landy & Szalay 1993; " + sample_text(catalogue);
    result.panels.push_back({.title = "Two-point correlation",
                             .x_label = result.columns[2].symbol,
                             .y_label = "ξ",
                             .log_x = settings.scale != AnalysisScale::kLinear,
                             .lines = {{.label = "ξ", .x = 2, .y = 5}, {.label = "error", .x = 2, .y = 6}},
                             .reference = 0});
    return result;
}

AnalysisResult three_point(const Subject& subject, const AnalysisSettings& settings, const std::stop_token& stop) {
    const Catalogue catalogue = catalogue_of(subject, settings, kTripleKind);
    const Bins bins = separations(settings, kTripleKind, catalogue.box);
    AnalysisResult result{.title = {}, .note = {}, .columns = {}, .panels = {}};
    const TupleCounts counts = counted(subject, settings, 3, catalogue, bins, result, stop);
    if (stop.stop_requested()) return {};
    std::array<std::vector<std::size_t>, 3> sides;
    for (std::size_t kind = 0; kind < counts.classes(); ++kind) {
        const exact::Triple t = exact::triple_at(kind);
        sides[0].push_back(t.i), sides[1].push_back(t.j), sides[2].push_back(t.k);
    }
    for (std::size_t side = 0; side < 3; ++side)
        add_bins(result, bins, fmt::format("r{}", side + 1), fmt::format("r{}", side + 1), subject.units(),
                 sides[side]);
    const std::vector<Estimate> found = correlation(counts, catalogue.points);
    add_estimates(result, "triangles", sums_of(counts, catalogue.points), found, "zeta", "ζ");
    // The panel draws equilateral triangles alone: a column of their ζ, NaN elsewhere.
    AnalysisColumn equilateral{"zeta_equilateral", "ζ of equilateral triangles", {}};
    for (std::size_t kind = 0; kind < counts.classes(); ++kind)
        equilateral.values.push_back(sides[0][kind] == sides[2][kind] ? found[kind].value : std::nan(""));
    result.columns.push_back(std::move(equilateral));
    result.note = "ζ = (DDD − 3 DDR + 3 DRR − RRR)/RRR: Szapudi & Szalay 1998; " + sample_text(catalogue);
    result.panels.push_back({.title = "Three-point correlation of equilateral triangles",
                             .x_label = with_unit("r", subject.units().length),
                             .y_label = "ζ",
                             .log_x = settings.scale != AnalysisScale::kLinear,
                             .lines = {{.label = "ζ", .x = 2, .y = 13}},
                             .reference = 0});
    return result;
}

AnalysisResult four_point(const Subject& subject, const AnalysisSettings& settings, const std::stop_token& stop) {
    const Catalogue catalogue = catalogue_of(subject, settings, kQuadrupleKind);
    const Bins bins = separations(settings, kQuadrupleKind, catalogue.box);
    const TupleCounts pairs = count_tuples(subject.pool(), 2, catalogue.points, bins, settings.period, stop);
    const TupleCounts counts = count_tuples(subject.pool(), 4, catalogue.points, bins, settings.period, stop);
    if (stop.stop_requested()) return {};
    AnalysisResult result{.title = {}, .note = {}, .columns = {}, .panels = {}};
    add_bins(result, bins, "r", "r", subject.units(), every(bins.size()));
    const std::vector<Estimate> found = correlation(counts, catalogue.points),
                                xi = correlation(pairs, catalogue.points);
    add_estimates(result, "tetrahedra", sums_of(counts, catalogue.points), found, "eta", "η");
    AnalysisColumn connected{"eta_connected", "η − 3 ξ²", {}};
    for (std::size_t i = 0; i < found.size(); ++i)
        connected.values.push_back(found[i].value - 3 * xi[i].value * xi[i].value);
    result.columns.push_back(std::move(connected));
    result.note =
        "η = (D − R)⁴/R⁴ of tetrahedra whose six sides share a bin: Szapudi & Szalay 1998; " + sample_text(catalogue);
    result.panels.push_back({.title = "Four-point correlation of regular tetrahedra",
                             .x_label = result.columns[2].symbol,
                             .y_label = "η",
                             .log_x = settings.scale != AnalysisScale::kLinear,
                             .lines = {{.label = "η", .x = 2, .y = 5}, {.label = "connected", .x = 2, .y = 7}},
                             .reference = 0});
    return result;
}

}  // namespace orrery
