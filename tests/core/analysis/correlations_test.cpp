// SPDX-License-Identifier: MIT
// Correlation functions against plain loops, Poisson points and clusters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/analyses.hpp"
#include "core/analysis/tuples.hpp"
#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/cuda/info.hpp"
#include "core/gl/info.hpp"
#include "core/maps/exact/exact_maps.hpp"
#include "tests/support/needs_device.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery {
namespace {

std::vector<CataloguePoint> points_in_box(std::size_t data, std::size_t randoms, std::uint64_t seed) {
    Random random{seed};
    std::vector<CataloguePoint> points;
    for (std::size_t i = 0; i < data + randoms; ++i) {
        const double x = random.uniform(), y = random.uniform(), z = random.uniform();
        points.push_back({{x, y, z}, random.uniform(0.5, 2), i < data, static_cast<std::uint8_t>(i % 8)});
    }
    return points;
}

double between(const CataloguePoint& a, const CataloguePoint& b, double period) {
    const Vec3d d = a.position - b.position;
    const auto near = [period](double x) { return period > 0 ? x - period * std::round(x / period) : x; };
    return std::hypot(near(d.x), near(d.y), near(d.z));
}

/// Plain nested loops: every tuple of `order` points with its class.
TupleCounts plain(std::size_t order, const std::vector<CataloguePoint>& points, const Bins& bins, double period) {
    TupleCounts counts{order, order == 3 ? triangle_classes(bins.size()) : bins.size()};
    std::vector<double> sums(counts.classes());
    std::vector<std::size_t> tuple;
    const auto visit = [&](const auto& self, std::size_t first) -> void {
        if (tuple.size() == order) {
            std::vector<std::size_t> sides;
            for (std::size_t i = 0; i < order; ++i)
                for (std::size_t j = 0; j < i; ++j)
                    sides.push_back(bins.of(between(points[tuple[i]], points[tuple[j]], period)));
            std::ranges::sort(sides);
            if (sides.back() == Bins::kNone || (order != 3 && sides.front() != sides.back())) return;
            std::size_t kind = sides[0];
            if (order == 3)
                kind = exact::index_of(exact::Triple{static_cast<std::uint32_t>(sides[0]),
                                                     static_cast<std::uint32_t>(sides[1]),
                                                     static_cast<std::uint32_t>(sides[2])});
            double weight = 1;
            std::size_t data = 0;
            std::vector<std::uint8_t> regions;
            for (const std::size_t i : tuple)
                weight *= points[i].weight, data += points[i].data, regions.push_back(points[i].region);
            std::ranges::fill(sums, 0);
            sums[kind] = weight;
            counts.add(sums, data, regions);
            return;
        }
        for (std::size_t i = first; i < points.size(); ++i) {
            tuple.push_back(i);
            self(self, i + 1);
            tuple.pop_back();
        }
    };
    visit(visit, 0);
    return counts;
}

TEST(Tuples, EqualPlainLoops) {
    Pool pool{3, false};
    for (const double period : {0.0, 1.0})
        for (const bool logarithmic : {false, true})
            for (const std::size_t order : {2u, 3u, 4u}) {
                if (order > 2 && logarithmic != (period > 0) && !test::runs_long()) continue;
                // More than one tile of each kind and region in pairs and triples.
                const auto points = order == 2   ? points_in_box(600, 500, 1)
                                    : order == 3 ? points_in_box(90, 110, 2)
                                                 : points_in_box(35, 40, 3);
                const Bins bins{0.1, 0.5, order == 4 ? 2u : 5u, logarithmic};
                const TupleCounts found = count_tuples(pool, order, points, bins, period),
                                  wanted = plain(order, points, bins, period);
                ASSERT_EQ(found.classes(), wanted.classes());
                double all = 0;
                for (std::size_t data = 0; data <= order; ++data)
                    for (std::size_t kind = 0; kind < found.classes(); ++kind) {
                        const double sum = wanted.sum(data, kind);
                        all += sum;
                        EXPECT_NEAR(found.sum(data, kind), sum, 1e-12 * sum) << order << ' ' << data << ' ' << kind;
                        for (std::size_t region = 0; region < kJackknifeRegions; ++region)
                            EXPECT_NEAR(found.without(region, data, kind), wanted.without(region, data, kind),
                                        1e-9 * (sum + 1))
                                << order << ' ' << data << ' ' << kind << ' ' << region;
                    }
                EXPECT_GT(all, 100) << order;
            }
}

/// Of a few values each, so that every sum of products of weights is exact; other weights differ in rounding.
TEST(Tuples, OnADeviceEqualThoseOnTheHost) {
    if (!cuda_info().available) return test::skip_or_fail(cuda_info().reason);
    Pool pool{3, false};
    for (const bool equal : {true, false})
        for (const double period : {0.0, 1.0})
            for (const bool logarithmic : {false, true})
                for (const std::size_t order : {2u, 3u})
                    for (const std::size_t size :
                         {std::size_t{3}, std::size_t{200}, test::everyday<std::size_t>(500, 1500)})
                        for (const std::size_t count : {1u, 5u, 32u}) {
                            auto points = points_in_box(size / 2, size - size / 2, size);
                            for (CataloguePoint& point : points)
                                if (equal) point.weight = point.data ? 1 : 2;
                            const Bins bins{0.05, 0.5, count, logarithmic};
                            const TupleCounts found = count_tuples_on_device(order, points, bins, period).counts,
                                              wanted = count_tuples(pool, order, points, bins, period);
                            for (std::size_t data = 0; data <= order; ++data)
                                for (std::size_t kind = 0; kind < wanted.classes(); ++kind) {
                                    const double sum = wanted.sum(data, kind);
                                    ASSERT_NEAR(found.sum(data, kind), sum, equal ? 0 : 1e-11 * sum)
                                        << order << ", " << size << " points, " << count << " bins, class " << kind;
                                    for (std::size_t region = 0; region < kJackknifeRegions; ++region)
                                        ASSERT_NEAR(found.without(region, data, kind),
                                                    wanted.without(region, data, kind), 1e-9 * (sum + 1));
                                }
                        }
}

TEST(Tuples, OnOpenGlEqualThoseOnTheHost) {
    if (!gl_compute_info().available) return test::skip_or_fail(gl_compute_info().reason);
    Pool pool{3, false};
    for (const double period : {0.0, 1.0})
        for (const std::size_t count : {1u, 5u, 32u}) {
            auto points = points_in_box(110, 120, 3);
            for (CataloguePoint& point : points) point.weight = point.data ? 1 : 2;
            const Bins bins{0.05, 0.5, count, false};
            const TupleCounts found = count_triples_on_gl(pool, points, bins, period).counts,
                              wanted = count_tuples(pool, 3, points, bins, period);
            for (std::size_t data = 0; data <= 3; ++data)
                for (std::size_t kind = 0; kind < wanted.classes(); ++kind) {
                    ASSERT_EQ(found.sum(data, kind), wanted.sum(data, kind)) << count << " bins, class " << kind;
                    for (std::size_t region = 0; region < kJackknifeRegions; ++region)
                        ASSERT_EQ(found.without(region, data, kind), wanted.without(region, data, kind));
                }
        }
    EXPECT_THROW(count_triples_on_gl(pool, points_in_box(10, 10, 1), Bins{0.1, 0.5, 3, false}, 0), Error)
        << "weights differ";
}

TEST(Tuples, AreRefusedWithoutADevice) {
    if (cuda_info().available) GTEST_SKIP() << "there is a device";
    EXPECT_THROW(count_tuples_on_device(3, points_in_box(10, 10, 1), Bins{0.1, 0.5, 3, false}, 0), Error);
}

/// Tiles end at groups of kind and region, so sizes around a tile's matter.
TEST(Tuples, CountEveryPairOnceForAnyNumberOfPoints) {
    Pool pool{2, false};
    for (const std::size_t n : {2u, 31u, 32u, 33u, 64u, 65u, 200u}) {
        std::vector<CataloguePoint> points(n, {{0.5, 0, 0}, 1, true, 0});
        for (std::size_t i = 0; i < n; ++i) points[i].position.x = static_cast<double>(i);
        const TupleCounts counts = count_tuples(pool, 2, points, Bins{0.5, 1000, 1, false}, 0);
        EXPECT_EQ(counts.sum(2, 0), static_cast<double>(n * (n - 1) / 2));
        EXPECT_EQ(counts.without(0, 2, 0), 0) << "all points are in region 0";
    }
}

TEST(Tuples, ProductsAreElementarySymmetricPolynomials) {
    const std::vector<CataloguePoint> points{{{}, 2, true, 0}, {{}, 3, true, 1}, {{}, 5, true, 2}, {{}, 7, false, 0}};
    EXPECT_THAT(products_of(points, true, kJackknifeRegions), testing::ElementsAre(1, 10, 31, 30, 0));
    EXPECT_THAT(products_of(points, true, 1), testing::ElementsAre(1, 7, 10, 0, 0));
    EXPECT_THAT(products_of(points, false, 1), testing::ElementsAre(1, 7, 0, 0, 0));
}

AnalysisResult analysed(const Scene& scene, const AnalysisSettings& settings) {
    Pool pool{2, false};
    return analyse(pool, scene, settings);
}

const std::vector<double>& values(const AnalysisResult& result, std::string_view name) {
    const auto found = std::ranges::find(result.columns, name, &AnalysisColumn::name);
    EXPECT_NE(found, result.columns.end()) << name;
    return found->values;
}

Scene poisson(std::size_t bodies, std::uint64_t seed) {
    Scene scene;
    Random random{seed};
    for (std::size_t i = 0; i < bodies; ++i) {
        const double x = random.uniform(), y = random.uniform(), z = random.uniform();
        scene.bodies.add({x, y, z}, {}, random.uniform(1, 2));
    }
    return scene;
}

struct KindOfCorrelation {
    std::string_view kind, value, error, counted;
    int sample;
};
constexpr KindOfCorrelation kKinds[]{{"two-point", "xi", "xi_error", "pairs", 2000},
                                     {"three-point", "zeta", "zeta_error", "triangles", 500},
                                     {"four-point", "eta", "eta_error", "tetrahedra", 150}};

/// Poisson points are not correlated: all estimates vanish within a few of their errors.
TEST(Correlation, OfPoissonPointsVanishes) {
    const Scene scene = poisson(2000, 11);
    for (const auto& [kind, value, error, counted, sample] : kKinds) {
        const AnalysisResult result = analysed(
            scene, {.kind = std::string{kind}, .weight = AnalysisWeight::kMass, .period = 1, .sample = sample});
        double chi2 = 0, classes = 0;
        for (std::size_t i = 0; i < values(result, value).size(); ++i) {
            const double sigma = values(result, error)[i];
            if (!(sigma > 0) || values(result, "expected")[i] < 20) continue;
            chi2 += std::pow(values(result, value)[i] / sigma, 2), ++classes;
        }
        ASSERT_GT(classes, 1) << kind;
        EXPECT_LT(chi2 / classes, 5) << kind;
    }
}

/// Points in pairs of a fixed separation: ξ is large in its bin alone.
TEST(Correlation, FindsTheSeparationOfPairs) {
    Scene scene;
    Random random{5};
    for (int i = 0; i < 500; ++i) {
        const Vec3d at{random.uniform(0.1, 0.9), random.uniform(0.1, 0.9), random.uniform(0.1, 0.9)};
        scene.bodies.add(at, {}, 1), scene.bodies.add(at + 0.03 * random.direction(), {}, 1);
    }
    const AnalysisResult result =
        analysed(scene, {.kind = "two-point", .bins = 4, .from = 0.02, .to = 0.1, .scale = AnalysisScale::kLinear});
    const auto& xi = values(result, "xi");
    // 500 pairs where the density gives 1000² n̄ 4π/3 (0.04³ − 0.02³)/2 ≈ 180, less the volume outside 0.1 … 0.9.
    EXPECT_GT(xi[0], 1.5);
    for (std::size_t i = 1; i < xi.size(); ++i) EXPECT_LT(std::abs(xi[i]), 0.5) << i;
    EXPECT_GT(values(result, "pairs")[0], 500);
}

/// Clusters are correlated in every order, and more strongly in higher ones.
TEST(Correlation, OfClustersGrowsWithTheOrder) {
    Scene scene;
    Random random{7};
    for (int cluster = 0; cluster < 12; ++cluster) {
        const Vec3d at{random.uniform(), random.uniform(), random.uniform()};
        for (int i = 0; i < 12; ++i) scene.bodies.add(at + 0.04 * random.uniform() * random.direction(), {}, 1);
    }
    std::vector<double> first;
    for (const auto& [kind, value, error, counted, sample] : kKinds) {
        const AnalysisResult result =
            analysed(scene, {.kind = std::string{kind}, .bins = 1, .from = 0.01, .to = 0.08, .sample = 144});
        const double found = values(result, counted)[0], expected = values(result, "expected")[0];
        first.push_back(found / std::max(expected, 0.5));  // half a tuple: none was found
    }
    EXPECT_GT(first[0], 5);
    EXPECT_GT(first[1], 2 * first[0]);
}

TEST(Correlation, ReadsARandomCatalogueFromTheBodies) {
    Scene scene = poisson(900, 3);
    const AnalysisResult result =
        analysed(scene, {.kind = "two-point", .of = "0-299", .bins = 3, .from = 0.1, .to = 0.4, .randoms = "300-899"});
    EXPECT_THAT(result.note, testing::HasSubstr("300 of 300 bodies, 600 random points"));
    for (const double xi : values(result, "xi")) EXPECT_LT(std::abs(xi), 0.3);
}

TEST(Correlation, RefusesImpossibleSettings) {
    const Scene scene = poisson(50, 1);
    for (const AnalysisSettings& settings :
         {AnalysisSettings{.kind = "two-point", .from = 0.3, .to = 0.2},
          AnalysisSettings{.kind = "two-point", .from = 0.0}, AnalysisSettings{.kind = "three-point", .bins = 33},
          AnalysisSettings{.kind = "four-point", .of = "0-2"},
          AnalysisSettings{.kind = "two-point", .to = 0.7, .period = 1},
          AnalysisSettings{.kind = "three-point", .randoms = "0-1"}})
        EXPECT_THROW(analysed(scene, settings), Error) << settings.kind;
}

TEST(Correlation, StopsOnRequest) {
    std::stop_source stop;
    stop.request_stop();
    Pool pool{2, false};
    const Scene scene = poisson(400, 1);
    EXPECT_TRUE(analyse(pool, scene, {.kind = "three-point"}, stop.get_token()).columns.empty());
}

}  // namespace
}  // namespace orrery
