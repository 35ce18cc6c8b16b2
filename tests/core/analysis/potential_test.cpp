// SPDX-License-Identifier: MIT
// The potential in a plane and the contours of a grid.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/analysis/analyses.hpp"
#include "core/analysis/result.hpp"
#include "core/presets/presets.hpp"
#include "core/presets/spheres.hpp"

namespace orrery {
namespace {

/// `value` at the centres of `cells` by `cells` cells over [-1, 1]².
template <class Value>
PlotCells grid_of(std::size_t cells, const Value& value) {
    PlotCells grid;
    for (std::size_t i = 0; i <= cells; ++i)
        grid.x_edges.push_back(-1 + 2 * static_cast<double>(i) / static_cast<double>(cells));
    grid.y_edges = grid.x_edges;
    const auto middle = [&](std::size_t i) { return 0.5 * (grid.x_edges[i] + grid.x_edges[i + 1]); };
    for (std::size_t row = 0; row < cells; ++row)
        for (std::size_t column = 0; column < cells; ++column)
            grid.values.push_back(value(middle(column), middle(row)));
    return grid;
}

TEST(Contours, OfADistanceFormAClosedCircle) {
    const auto lines = contour_lines(grid_of(64, [](double x, double y) { return std::hypot(x, y); }), 0.6);
    ASSERT_EQ(lines.size(), 1u);
    const auto& points = lines[0];
    EXPECT_EQ(points.front(), points.back());
    double length = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_NEAR(std::hypot(points[i].x, points[i].y), 0.6, 2e-3);
        if (i > 0) length += std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
    }
    EXPECT_NEAR(length, 2 * std::numbers::pi * 0.6, 0.01);
}

TEST(Contours, OfALinearFunctionRunFromBorderToBorder) {
    const auto lines = contour_lines(grid_of(10, [](double x, double y) { return x + 0.25 * y; }), 0.125);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(std::abs(lines[0].front().y), 0.9);
    EXPECT_EQ(lines[0].front().y, -lines[0].back().y);
    for (const PlotPoint& point : lines[0]) EXPECT_NEAR(point.x + 0.25 * point.y, 0.125, 1e-14);
}

TEST(Contours, DoNotCrossAtASaddle) {
    for (const double level : {-0.003, 0.003}) {
        const auto lines = contour_lines(grid_of(9, [](double x, double y) { return x * y; }), level);
        ASSERT_EQ(lines.size(), 2u) << level;
        for (const auto& line : lines)  // each stays in its quadrant
            for (const PlotPoint& point : line) {
                EXPECT_GT(point.x * line.front().x, 0) << level;
                EXPECT_EQ(point.x * point.y > 0, level > 0);
            }
    }
}

TEST(Contours, StopAtNanCells) {
    auto grid = grid_of(16, [](double x, double y) { return std::hypot(x, y); });
    const std::size_t whole = contour_lines(grid, 0.5)[0].size();
    grid.values[8 * 16 + 12] = std::numeric_limits<double>::quiet_NaN();  // at (0.56, 0.06): on the circle
    const auto lines = contour_lines(grid, 0.5);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_NE(lines[0].front(), lines[0].back());
    EXPECT_LT(lines[0].size(), whole);
}

TEST(Contours, LevelsDivideTheAreaEvenly) {
    const auto grid = grid_of(40, [](double x, double) { return std::exp(5 * x); });
    const auto levels = contour_levels(grid, 3);
    ASSERT_EQ(levels.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(std::log(levels[i]) / 5, -0.5 + 0.5 * static_cast<double>(i), 0.06);
    EXPECT_TRUE(contour_levels(grid_of(5, [](double, double) { return 2.0; }), 4).empty());
}

TEST(Potential, OfPlummerMatchesAnalyticLawAndHasCircularContours) {
    Scene scene = make_preset("plummer", {.bodies = 30000, .seed = 2});
    scene.gravity.softening = 0.02;
    for (const AnalysisAxis axis : {AnalysisAxis::kX, AnalysisAxis::kY, AnalysisAxis::kZ}) {
        Pool pool{2, false};
        const AnalysisResult result = analyse(
            pool, scene,
            {.kind = "potential", .centre = AnalysisCentre::kOrigin, .axis = axis, .bins = 24, .from = -2, .to = 2});
        for (std::size_t i = 0; i < result.columns[0].values.size(); ++i) {
            const double r2 = std::pow(result.columns[0].values[i], 2) + std::pow(result.columns[1].values[i], 2);
            const double law = -1 / std::sqrt(r2 + kPlummerScale * kPlummerScale);  // Binney & Tremaine 2008, eq. 2.44a
            EXPECT_NEAR(result.columns[2].values[i], law, 0.02 * -law) << r2;
        }
        ASSERT_EQ(result.panels.size(), 1u);
        EXPECT_EQ(result.panels[0].contours.size(), 12u);
        for (const AnalysisContour& contour : result.panels[0].contours)
            for (const AnalysisPath& path : contour.paths)
                for (const PlotPoint& point : path) {
                    const double r2 = point.x * point.x + point.y * point.y;
                    EXPECT_NEAR(contour.level, 1 / std::sqrt(r2 + kPlummerScale * kPlummerScale), 0.05);
                }
        ASSERT_TRUE(result.plane);
        const Vec3d normal = cross(result.plane->x, result.plane->y);
        EXPECT_EQ(axis == AnalysisAxis::kX ? normal.x : axis == AnalysisAxis::kY ? normal.y : normal.z, 1);
    }
}

/// The potential at a point is that of a massless body there: summed over all pairs, or by `fmm` for many points.
TEST(Potential, MatchesAllPairsWhenTheTreeIsUsed) {
    const Scene scene = make_preset("collision", {.bodies = 9000, .seed = 1});
    Pool pool{2, false};
    const Subject subject{pool, scene, {.centre = AnalysisCentre::kOrigin}, AnalysisAxis::kZ};
    const std::vector<Vec3d> points{{0, 0, 0}, {1, 0.5, 0}, {-3, 2, 0.5}};
    const auto found = potentials_at(subject, points, {});
    ASSERT_EQ(found.size(), points.size());
    const double e2 = scene.gravity.softening * scene.gravity.softening;
    for (std::size_t k = 0; k < points.size(); ++k) {
        double sum = 0;
        for (const Vec4d& b : scene.bodies.position_mass) {
            const Vec3d d = xyz(b) - points[k];
            sum -= scene.gravity.constant * b.w / std::sqrt(dot(d, d) + e2);
        }
        EXPECT_NEAR(found[k], sum, 1e-5 * std::abs(sum)) << k;
    }
}

}  // namespace
}  // namespace orrery
