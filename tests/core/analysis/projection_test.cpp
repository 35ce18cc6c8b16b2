// SPDX-License-Identifier: MIT
// Projections and slices against plain loops over the kernel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "core/analysis/analyses.hpp"
#include "core/analysis/voxels.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

constexpr double kLow = -2, kHigh = 2;
constexpr int kCells = 24;

/// Sixty bodies of unequal mass with smoothing lengths of several cells, a density and a temperature; one lacks it.
Scene gas(float least = 0.4f, float most = 0.9f) {
    std::mt19937 random{3};
    std::uniform_real_distribution<double> place{-1.5, 1.5}, unit{0, 1};
    Scene scene;
    scene.length_unit = "kpc", scene.mass_unit = "M☉";
    std::vector<float> lengths, densities, temperatures;
    for (int i = 0; i < 60; ++i) {
        scene.bodies.add({place(random), place(random), place(random)}, {unit(random), unit(random), 0},
                         0.5 + unit(random));
        lengths.push_back(least + (most - least) * static_cast<float>(unit(random)));
        densities.push_back(0.1f + static_cast<float>(unit(random)));
        temperatures.push_back(i == 7 ? NAN : 1e4f + 1e5f * static_cast<float>(unit(random)));
    }
    scene.bodies.fields = {make_field("SmoothingLength", "kpc", lengths), make_field("Density", "", densities),
                           make_field("Temperature", "K", temperatures)};
    return scene;
}

AnalysisSettings in_plane(const char* kind) {
    AnalysisSettings settings{.kind = kind, .centre = AnalysisCentre::kOrigin, .bins = kCells};
    settings.from = kLow, settings.to = kHigh;
    return settings;
}

std::vector<double> values(const Scene& scene, const AnalysisSettings& settings, int threads = 2) {
    Pool pool{threads, false};
    return analyse(pool, scene, settings).columns.at(2).values;
}

/// The kernel's integral along z by Simpson's rule, at distance b from a centre.
double along(double b, double h) {
    constexpr int kParts = 4000;
    const double step = 2 * h / kParts;
    double sum = 0;
    for (int k = 0; k <= kParts; ++k) {
        const double z = -h + k * step;
        sum += (k == 0 || k == kParts ? 1
                : k % 2 == 1          ? 4
                                      : 2) *
               sph_kernel(std::sqrt(b * b + z * z) / h) / (h * h * h);
    }
    return sum * step / 3;
}

/// Calls visit(body, share, cell) for each body and cell, where `share` is the kernel there.
template <class Share, class Visit>
void plain_loop(const Scene& scene, const Share& share, const Visit& visit) {
    constexpr double kStep = (kHigh - kLow) / kCells;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
        for (int row = 0; row < kCells; ++row)
            for (int column = 0; column < kCells; ++column) {
                const Vec4d& at = scene.bodies.position_mass[i];
                const double dx = kLow + (column + 0.5) * kStep - at.x, dy = kLow + (row + 0.5) * kStep - at.y;
                if (const double s = share(i, dx, dy); s > 0)
                    visit(i, s, static_cast<std::size_t>(row * kCells + column));
            }
}
double field_of(const Scene& scene, std::size_t field, std::size_t i) {
    return static_cast<double>((*scene.bodies.fields[field].values)[i]);
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double relative) {
    ASSERT_EQ(found.size(), expected.size());
    double most = 0;
    for (const double value : expected) most = std::fmax(most, value);
    std::size_t known = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (std::isnan(expected[i])) {
            EXPECT_TRUE(std::isnan(found[i])) << i;
            continue;
        }
        ++known;
        EXPECT_NEAR(found[i], expected[i], relative * most) << i;
    }
    EXPECT_GT(known, found.size() / 4);
}

TEST(Kernel, IsNormalised) {
    double space = 0, plane = 0;
    constexpr int kParts = 20'000;
    const ColumnKernel column;
    for (int k = 0; k < kParts; ++k) {
        const double r = (k + 0.5) / kParts;
        space += 4 * M_PI * r * r * sph_kernel(r) / kParts;
        plane += 2 * M_PI * r * column(r) / kParts;
    }
    EXPECT_NEAR(space, 1, 1e-7);
    EXPECT_NEAR(plane, 1, 1e-5);
    EXPECT_NEAR(column(0.3), along(0.3, 1), 1e-6);
    EXPECT_EQ(column(1), 0);
}

TEST(Projection, EqualsAPlainLoopOverTheKernel) {
    const Scene scene = gas();
    const auto share = [&](std::size_t i, double dx, double dy) {
        return along(std::hypot(dx, dy), field_of(scene, 0, i));
    };
    std::vector<double> mass(kCells * kCells), by_mass(mass), weights(mass), by_volume(mass), volumes(mass),
        most(mass.size(), NAN);
    plain_loop(scene, share, [&](std::size_t i, double s, std::size_t cell) {
        const double m = scene.bodies.position_mass[i].w, t = field_of(scene, 2, i), v = m / field_of(scene, 1, i);
        mass[cell] += m * s;
        if (std::isnan(t)) return;
        by_mass[cell] += m * s * t, weights[cell] += m * s;
        by_volume[cell] += v * s * t, volumes[cell] += v * s;
        most[cell] = std::fmax(most[cell], t);
    });
    for (std::size_t i = 0; i < mass.size(); ++i) by_mass[i] /= weights[i], by_volume[i] /= volumes[i];
    AnalysisSettings settings = in_plane("projection");
    expect_near(values(scene, settings), mass, 1e-5);
    settings.field = "Temperature";
    expect_near(values(scene, settings), by_mass, 1e-4);
    settings.weight = AnalysisWeight::kVolume;
    expect_near(values(scene, settings), by_volume, 1e-4);
    settings.weight = AnalysisWeight::kMaximum;
    expect_near(values(scene, settings), most, 0);
}

TEST(Slice, EqualsAPlainLoopOverTheKernel) {
    const Scene scene = gas();
    constexpr double kHeight = 0.25;
    const auto share = [&](std::size_t i, double dx, double dy) {
        const double dz = kHeight - scene.bodies.position_mass[i].z, h = field_of(scene, 0, i);
        return sph_kernel(std::sqrt(dx * dx + dy * dy + dz * dz) / h) / (h * h * h);
    };
    std::vector<double> density(kCells * kCells), mean(density), weights(density);
    plain_loop(scene, share, [&](std::size_t i, double s, std::size_t cell) {
        const double m = scene.bodies.position_mass[i].w, t = field_of(scene, 2, i);
        density[cell] += m * s;
        if (!std::isnan(t)) mean[cell] += m * s * t, weights[cell] += m * s;
    });
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] /= weights[i];
    AnalysisSettings settings = in_plane("slice");
    settings.height = kHeight;
    expect_near(values(scene, settings), density, 1e-12);
    settings.field = "Temperature";
    expect_near(values(scene, settings), mean, 1e-12);
}

TEST(Projection, KeepsTheMassOfNarrowKernels) {
    const Scene scene = gas(0.001f, 0.3f);
    const std::vector<double> found = values(scene, in_plane("projection"));
    double mass = 0;
    for (const Vec4d& body : scene.bodies.position_mass) mass += body.w;
    const double cell = (kHigh - kLow) / kCells;
    EXPECT_NEAR(std::accumulate(found.begin(), found.end(), 0.0) * cell * cell, mass, 1e-9 * mass);
}

TEST(Projection, IsTheSameOnAnyNumberOfThreads) {
    AnalysisSettings settings = in_plane("projection");
    settings.field = "Temperature";
    const auto bits = [&](int threads) {
        std::vector<double> found = values(gas(), settings, threads);
        std::ranges::replace_if(
            found, [](double v) { return std::isnan(v); }, -1.0);
        return found;
    };
    EXPECT_EQ(bits(1), bits(4));
}

TEST(Projection, NamesUnitsAndUsesTheAxis) {
    Pool pool{2, false};
    AnalysisSettings settings = in_plane("projection");
    settings.axis = AnalysisAxis::kX;
    const AnalysisResult density = analyse(pool, gas(), settings);
    EXPECT_EQ(density.panels.front().grid->label, "mass per area [M☉/kpc²]");
    EXPECT_EQ(density.panels.front().x_label, "y [kpc]");
    settings.field = "Temperature";
    EXPECT_EQ(analyse(pool, gas(), settings).panels.front().grid->label, "Temperature [K]");
    settings.field = "";
    settings.kind = "slice";
    EXPECT_EQ(analyse(pool, gas(), settings).panels.front().grid->label, "density [M☉/kpc³]");
}

TEST(Slice, ArrowsOfAUniformFlowAreEqual) {
    Scene scene = gas();
    for (Vec3d& v : scene.bodies.velocity) v = {0, 3, 0};
    AnalysisSettings settings = in_plane("slice");
    settings.arrows = "v";
    Pool pool{2, false};
    const AnalysisResult result = analyse(pool, scene, settings);
    ASSERT_GT(result.panels.front().arrows.size(), 30u);
    for (const AnalysisPath& path : result.panels.front().arrows) {
        EXPECT_NEAR(path[1].x, path[0].x, 1e-9);
        EXPECT_NEAR(path[1].y - path[0].y, (kHigh - kLow) / 20, 1e-9);
    }
    EXPECT_THAT(result.note, testing::HasSubstr("longest arrow: v = 3"));
}

TEST(Projection, WithoutSmoothingLengthsUsesNeighbours) {
    Scene scene = gas();
    scene.bodies.fields.erase(scene.bodies.fields.begin());
    const std::vector<double> found = values(scene, in_plane("projection"));
    EXPECT_GT(std::ranges::count_if(found, [](double v) { return v > 0; }), kCells * kCells / 2);
}

TEST(Projection, RefusesInvalidSettingsOfAProjection) {
    const auto refused = [](AnalysisSettings settings) -> std::string {
        Scene scene = gas();
        if (settings.weight == AnalysisWeight::kVolume) scene.bodies.fields.erase(scene.bodies.fields.begin() + 1);
        try {
            values(scene, settings);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    AnalysisSettings settings = in_plane("projection");
    settings.field = "Z";
    EXPECT_THAT(refused(settings), testing::HasSubstr("field Z is not loaded"));
    settings.field = "", settings.weight = AnalysisWeight::kMaximum;
    EXPECT_THAT(refused(settings), testing::HasSubstr("choose a field"));
    settings.field = "Temperature", settings.weight = AnalysisWeight::kVolume;
    EXPECT_THAT(refused(settings), testing::HasSubstr("needs the field rho"));
    settings.kind = "slice", settings.weight = AnalysisWeight::kMaximum;
    EXPECT_THAT(refused(settings), testing::HasSubstr("one value at each point"));
    settings.kind = "histogram";
    EXPECT_THAT(refused(settings), testing::HasSubstr("for projections and slices"));
}

}  // namespace
}  // namespace orrery
