// SPDX-License-Identifier: MIT
// Analyses compared with analytic laws, and properties that every kind of analysis must have.
#include "core/analysis/analyses.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/analysis/bins.hpp"
#include "core/analysis/result.hpp"
#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/presets/presets.hpp"
#include "core/presets/spheres.hpp"

namespace orrery {
namespace {

Scene scene_of(std::string_view preset, std::size_t bodies) {
    return make_preset(preset, {.bodies = bodies, .seed = 5});
}

const AnalysisColumn& column(const AnalysisResult& result, std::string_view name) {
    const auto found = std::ranges::find(result.columns, name, &AnalysisColumn::name);
    EXPECT_NE(found, result.columns.end()) << name;
    return *found;
}

double total(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

AnalysisResult made(const Scene& scene, AnalysisSettings settings) {
    Pool pool{2, false};
    return analyse(pool, scene, settings);
}

class EveryAnalysis : public testing::TestWithParam<AnalysisEntry> {};

TEST_P(EveryAnalysis, ReturnsColumnsOfEqualLengthAndDrawsPanels) {
    const Scene scene = scene_of("disc-galaxy", 500);
    const AnalysisResult result = made(scene, {.kind = std::string{GetParam().id}, .least = 2});
    EXPECT_EQ(result.bodies, 500u);
    EXPECT_FALSE(result.note.empty());
    ASSERT_FALSE(result.columns.empty());
    for (const AnalysisColumn& each : result.columns) {
        EXPECT_EQ(each.values.size(), result.columns.front().values.size()) << each.name;
        EXPECT_TRUE(std::ranges::any_of(each.values, [](double v) { return std::isfinite(v); })) << each.name;
    }
    ASSERT_FALSE(result.panels.empty());
    for (const AnalysisPanel& panel : result.panels) {
        EXPECT_TRUE(panel.grid || !panel.lines.empty()) << panel.title;
        for (const AnalysisLine& line : panel.lines) EXPECT_LT(std::max(line.x, line.y), result.columns.size());
    }
    const std::string csv = analysis_csv(result), svg = analysis_svg(result, "a < b");
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(csv, '\n')), 1 + result.columns.front().values.size());
    EXPECT_THAT(svg, testing::StartsWith("<svg"));
    EXPECT_THAT(svg, testing::EndsWith("</svg>\n"));
    EXPECT_THAT(svg, testing::HasSubstr("a &lt; b"));
    EXPECT_THAT(svg, testing::Not(testing::HasSubstr("nan")));
    EXPECT_THAT(svg, testing::Not(testing::HasSubstr("inf\"")));
}

TEST_P(EveryAnalysis, IsBitwiseEqualOnAnyNumberOfThreads) {
    const Scene scene = scene_of("plummer", 20000);  // two blocks of bodies
    AnalysisSettings settings{.kind = std::string{GetParam().id}, .bins = 8};
    Pool one{1, false}, three{3, false};
    const AnalysisResult a = analyse(one, scene, settings), b = analyse(three, scene, settings);
    EXPECT_EQ(analysis_csv(a), analysis_csv(b));
}

/// One body, coincident bodies, or bodies at rest: returns a result or throws a usage error.
TEST_P(EveryAnalysis, HandlesDegenerateBodies) {
    for (const std::size_t count : {1u, 2u, 7u}) {
        Scene scene;
        for (std::size_t i = 0; i < count; ++i) scene.bodies.add({3, 4, 5}, {}, 0.5);
        try {
            const AnalysisResult result = made(scene, {.kind = std::string{GetParam().id}});
            EXPECT_FALSE(result.columns.empty());
        } catch (const Error& error) {
            EXPECT_EQ(error.blame(), Blame::kUsage);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryAnalysis, testing::ValuesIn(analyses().begin(), analyses().end()),
                         [](const auto& entry) {
                             std::string name{entry.param.id};
                             std::erase(name, '-');
                             return name;
                         });

TEST(Analysis, PlummerCircularVelocityMatchesAnalyticLaw) {
    Scene scene = scene_of("plummer", 100000);
    scene.gravity.softening = 0.02;
    const AnalysisResult result =
        made(scene, {.kind = "rotation-curve", .centre = AnalysisCentre::kOrigin, .bins = 20, .from = 0.1, .to = 3});
    const auto& r = column(result, "R").values;
    const auto& v = column(result, "v_c").values;
    const double b = kPlummerScale;
    for (std::size_t i = 0; i < r.size(); ++i) {  // v_c² = G M r² / (r² + b²)^(3/2): Binney & Tremaine 2008, eq. 2.44
        const double law = r[i] / std::pow(r[i] * r[i] + b * b, 0.75);
        EXPECT_NEAR(v[i], law, 0.04 * law) << r[i];
    }
    EXPECT_LT(std::abs(column(result, "v_phi").values[5]), 0.1) << "the model does not rotate";
}

TEST(Analysis, ExponentialDiscCircularVelocityMatchesAnalyticLaw) {
    Scene scene;
    Random random{3};
    constexpr int kBodies = 200000;
    for (int i = 0; i < kBodies; ++i) {  // Σ ∝ exp(−R): the radius is a sum of two exponential deviates
        const double r = -std::log((1 - random.uniform()) * (1 - random.uniform()));
        const double angle = random.uniform(0, 2 * std::numbers::pi);
        scene.bodies.add({r * std::cos(angle), r * std::sin(angle), 0}, {}, 1.0 / kBodies);
    }
    scene.gravity.softening = 0.02;
    const AnalysisResult result = made(scene, {.kind = "rotation-curve",
                                               .centre = AnalysisCentre::kOrigin,
                                               .axis = AnalysisAxis::kZ,
                                               .bins = 12,
                                               .from = 0.7,
                                               .to = 5});
    const auto& radius = column(result, "R").values;
    for (std::size_t i = 0; i < radius.size(); ++i) {
        // v_c² = 4πGΣ₀R_d y² (I₀K₀ − I₁K₁), y = R/2R_d, Σ₀ = 1/2π: Freeman 1970; Binney & Tremaine 2008, eq. 2.165
        const double y = radius[i] / 2;
        const double law = std::sqrt(
            2 * y * y *
            (std::cyl_bessel_i(0, y) * std::cyl_bessel_k(0, y) - std::cyl_bessel_i(1, y) * std::cyl_bessel_k(1, y)));
        EXPECT_NEAR(column(result, "v_c").values[i], law, 0.03 * law) << radius[i];
    }
}

TEST(Analysis, PlummerDispersionMatchesAnalyticLaw) {
    const AnalysisResult result =
        made(scene_of("plummer", 200000), {.kind = "dispersion", .bins = 12, .from = 0.1, .to = 3});
    const double b = kPlummerScale;
    for (std::size_t i = 0; i < 12; ++i) {
        const double r = column(result, "r").values[i];
        const double law = std::sqrt(1 / (6 * std::hypot(r, b)));  // σ² = GM/6√(r²+b²): Dejonghe 1987, MNRAS 224, 13
        for (const char* name : {"sigma_r", "sigma_t", "sigma"})
            EXPECT_NEAR(column(result, name).values[i], law, 0.05 * law) << name << " at " << r;
        EXPECT_NEAR(column(result, "beta").values[i], 0, 0.1) << r;
    }
}

TEST(Analysis, PlummerDensityMatchesAnalyticLaw) {
    const AnalysisResult result =
        made(scene_of("plummer", 200000), {.kind = "density", .bins = 16, .from = 0.1, .to = 3});
    for (std::size_t i = 0; i < 16; ++i) {
        const double r = column(result, "r").values[i], law = analytic_profile("plummer")->density(r);
        EXPECT_NEAR(column(result, "rho").values[i], law, 0.1 * law) << r;
    }
}

/// The preset's disc has Q = 1.2, except near the centre, where that would make it too hot.
TEST(Analysis, DiscGalaxyHasToomreQOfThePreset) {
    constexpr std::size_t kBodies = 200000;
    const Scene scene = scene_of("disc-galaxy", kBodies);
    AnalysisSettings settings{.kind = "toomre-q", .of = "0-147999", .bins = 12, .from = 0.12, .to = 0.36};
    const AnalysisResult result = made(scene, settings);  // from 1 to 3 scale lengths
    for (std::size_t i = 0; i < 12; ++i)
        EXPECT_NEAR(column(result, "Q").values[i], 1.2, 0.12) << column(result, "R").values[i];
    for (std::size_t i = 0; i < 12; ++i) {
        const double ratio = column(result, "kappa").values[i] / column(result, "Omega").values[i];
        EXPECT_GT(ratio, 0.95);
        EXPECT_LT(ratio, 2.05);  // between those of a Kepler potential and of a homogeneous sphere
    }
}

TEST(Analysis, RingsAndShellsContainTheTotalMass) {
    const Scene scene = scene_of("disc-galaxy", 3000);
    Pool pool{0, false};
    for (const char* kind : {"surface-density", "density"}) {
        const AnalysisResult result =
            made(scene, {.kind = kind, .from = 1e-9, .to = 1e3, .scale = AnalysisScale::kLogarithmic});
        EXPECT_NEAR(total(column(result, "mass").values), 1, 1e-9) << kind;
        EXPECT_EQ(total(column(result, "bodies").values), 3000) << kind;
        double integral = 0;
        const bool rings = std::string{kind} == "surface-density";
        const auto& inner = column(result, rings ? "R_inner" : "r_inner").values;
        const auto& outer = column(result, rings ? "R_outer" : "r_outer").values;
        for (std::size_t i = 0; i < inner.size(); ++i)
            integral += rings ? column(result, "Sigma").values[i] * std::numbers::pi *
                                    (outer[i] * outer[i] - inner[i] * inner[i])
                              : column(result, "rho").values[i] * 4 * std::numbers::pi / 3 *
                                    (std::pow(outer[i], 3) - std::pow(inner[i], 3));
        EXPECT_NEAR(integral, 1, 1e-9) << kind;
    }
}

TEST(Analysis, HistogramsCountEveryBodyOnce) {
    const Scene scene = scene_of("collision", 2500);
    for (const char* kind : {"histogram", "histogram-2d", "phase-r-vr", "phase-r-v", "phase-e-l"}) {
        EXPECT_EQ(total(column(made(scene, {.kind = kind}), "bodies").values), 2500) << kind;
        EXPECT_NEAR(total(column(made(scene, {.kind = kind, .weight = AnalysisWeight::kMass}), "mass").values), 1,
                    1e-12)
            << kind;
    }
}

/// Five bodies with the field T: 1, 2, 3, none, 10.
Scene with_field() {
    Scene scene;
    for (int i = 0; i < 5; ++i) scene.bodies.add({double(i), 0, 0}, {}, i == 1 ? 3 : 1);
    scene.bodies.fields.push_back(make_field("T", "K", {1, 2, 3, NAN, 10}));
    return scene;
}

TEST(Analysis, HistogramOfAFieldSkipsBodiesWithoutAValue) {
    const AnalysisResult result =
        made(with_field(), {.kind = "histogram", .bins = 3, .from = 0.5, .to = 9.5, .x_field = "T"});
    EXPECT_EQ(column(result, "bodies").values, (std::vector<double>{3, 0, 0}));
    EXPECT_EQ(column(result, "T").symbol, "T [K]");
    EXPECT_EQ(total(column(made(with_field(), {.kind = "histogram-2d", .x_field = "T"}), "bodies").values), 4);
}

TEST(Analysis, ProfileIsTheMeanOfAFieldInIntervals) {
    const AnalysisSettings settings{.kind = "profile",
                                    .centre = AnalysisCentre::kOrigin,
                                    .bins = 2,
                                    .from = -0.5,
                                    .to = 4.5,
                                    .x = "x",
                                    .y_field = "T"};
    const AnalysisResult plain = made(with_field(), settings);
    EXPECT_EQ(column(plain, "bodies").values, (std::vector<double>{2, 2}));
    EXPECT_EQ(column(plain, "mean").values, (std::vector<double>{1.5, 6.5}));
    EXPECT_EQ(column(plain, "dispersion").values, (std::vector<double>{0.5, 3.5}));
    AnalysisSettings weighted = settings;
    weighted.weight = AnalysisWeight::kMass;
    EXPECT_EQ(column(made(with_field(), weighted), "mean").values, (std::vector<double>{1.75, 6.5}));
}

TEST(Analysis, LineInAHistogramOfTwoEnclosesBodies) {
    const Scene scene = scene_of("plummer", 3000);
    const AnalysisResult result =
        made(scene, {.kind = "histogram-2d", .centre = AnalysisCentre::kOrigin, .scale = AnalysisScale::kLogarithmic});
    const std::vector<PlotPoint> line{{-1, -0.5}, {0, -0.5}, {0, 0.5}, {-1, 0.5}};  // log10 r, v_r
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < 3000; ++i) {
        const Vec3d at = xyz(scene.bodies.position_mass[i]), v = scene.bodies.velocity[i];
        const double r = length(at), v_r = dot(at, v) / r;
        if (r > 0.1 && r < 1 && std::abs(v_r) < 0.5) expected.push_back(i);
    }
    EXPECT_GT(expected.size(), 100u);
    EXPECT_EQ(bodies_within(result, line), expected);
}

TEST(Analysis, LineInAHistogramSelectsAnIntervalOfChosenBodies) {
    const AnalysisResult result = made(with_field(), {.kind = "histogram", .of = "1-4", .x_field = "T"});
    EXPECT_EQ(bodies_within(result, {{1.5, 0}, {9, 100}, {2, 3}}), (std::vector<std::uint32_t>{1, 2}))
        << "the first body is not in the plot, the fourth one has no value";
    EXPECT_TRUE(bodies_within(made(with_field(), {.kind = "density"}), {{0, 0}, {9, 9}, {0, 9}}).empty());
}

TEST(Analysis, SelectedBodiesAreAFurtherHistogramOfTheSameIntervals) {
    const AnalysisSettings settings{
        .kind = "histogram", .centre = AnalysisCentre::kOrigin, .bins = 2, .x = "x", .weight = AnalysisWeight::kMass};
    const AnalysisResult result = made(with_field(), settings);
    const PlotPanel plain = analysis_plots(result).front();
    const PlotPanel panel = with_selected(plain, result, std::vector<std::uint32_t>{1, 4});
    ASSERT_EQ(panel.curves.size(), plain.curves.size() + 1);
    const std::vector<PlotPoint> expected{{0, 3}, {2, 3}, {2, 1}, {4, 1}};
    EXPECT_EQ(panel.curves.back().points, expected);
    EXPECT_EQ(with_selected(plain, result, {}).curves.size(), plain.curves.size());
}

TEST(Analysis, CellsOfSelectedBodiesAreLit) {
    const Scene scene = scene_of("plummer", 500);
    const AnalysisResult result = made(scene, {.kind = "histogram-2d"});
    std::vector<std::uint32_t> all(500);
    std::iota(all.begin(), all.end(), 0u);
    const PlotPanel panel = with_selected(analysis_plots(result).front(), result, all);
    for (std::size_t i = 0; i < panel.cells->values.size(); ++i)
        EXPECT_EQ(panel.cells->lit[i] != 0, panel.cells->values[i] > 0) << i;
    const PlotPanel one = with_selected(analysis_plots(result).front(), result, std::vector<std::uint32_t>{7});
    EXPECT_EQ(std::ranges::count(one.cells->lit, 1), 1);
}

TEST(Analysis, NamesTheLoadedFieldsIfOneIsMissing) {
    try {
        made(with_field(), {.kind = "histogram", .x_field = "Z"});
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "field Z is not loaded; loaded: T");
    }
}

TEST(Analysis, TwoBodyOrbitHasKeplerEnergy) {
    Scene scene;
    scene.bodies.add({-0.5, 0, 0}, {0, -0.5, 0}, 0.5);
    scene.bodies.add({0.5, 0, 0}, {0, 0.5, 0}, 0.5);
    const AnalysisResult result =
        made(scene, {.kind = "histogram", .centre = AnalysisCentre::kOrigin, .bins = 1, .x = "E"});
    // v²/2 − G m / r = 1/8 − 1/2
    EXPECT_NEAR(column(result, "E").values[0], -0.375, 1e-12);
    EXPECT_EQ(column(result, "bodies").values[0], 2);
}

TEST(Analysis, CountsOnlySelectedBodies) {
    Scene scene = scene_of("plummer", 100);
    const auto count = [&](const std::string& of) { return made(scene, {.kind = "histogram", .of = of}).bodies; };
    EXPECT_EQ(count("10-19"), 10u);
    EXPECT_EQ(count("10-19,15-24,99"), 16u);
    for (const char* wrong : {"disk", "100", "5-3", "x", "1-", "-1", "1,,2"})
        EXPECT_THROW(count(wrong), Error) << wrong;
    scene.bodies.species.assign(100, Species::kHalo);
    std::fill_n(scene.bodies.species.begin(), 30, Species::kDisk);
    EXPECT_EQ(count("disk"), 30u);
    EXPECT_EQ(count("disk,29-30"), 31u);
    EXPECT_THROW(count("gas"), Error);
}

TEST(Analysis, IsInvariantUnderTranslationAndRotation) {
    const Scene scene = scene_of("disc-galaxy", 4000);
    Scene moved = scene;
    for (std::size_t i = 0; i < 4000; ++i) {  // x → y → z → x, then a translation
        const Vec4d p = scene.bodies.position_mass[i];
        const Vec3d v = scene.bodies.velocity[i];
        moved.bodies.position_mass[i] = {p.z + 7, p.x - 3, p.y + 2, p.w};
        moved.bodies.velocity[i] = {v.z + 0.5, v.x, v.y - 0.25};
    }
    for (const char* kind : {"rotation-curve", "disc-dispersion", "surface-density", "density"}) {
        const AnalysisResult a = made(scene, {.kind = kind}), b = made(moved, {.kind = kind});
        const auto &x = a.columns.back().values, &y = b.columns.back().values;
        ASSERT_EQ(x.size(), y.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            if (std::isfinite(x[i])) {
                EXPECT_NEAR(x[i], y[i], 1e-6 * (1 + std::abs(x[i]))) << kind << ' ' << i;
            }
    }
}

TEST(Analysis, RefusesInvalidSettings) {
    const Scene scene = scene_of("plummer", 100), atoms = scene_of("argon-drop", 100);
    EXPECT_THROW(made(scene, {.kind = "nothing"}), Error);
    EXPECT_THROW(made(scene, {.kind = "density", .from = 2, .to = 1}), Error);
    EXPECT_THROW(made(scene, {.kind = "density", .from = 0}), Error) << "a logarithmic scale cannot start at zero";
    EXPECT_THROW(made(scene, {.kind = "histogram", .scale = AnalysisScale::kLogarithmic, .x = "E"}), Error);
    EXPECT_THROW(made(scene, {.kind = "histogram", .x = "charm"}), Error);
    EXPECT_THROW(made(atoms, {.kind = "rotation-curve"}), Error) << "no gravity";
    EXPECT_THROW(made(Scene{}, {.kind = "histogram"}), Error);
}

TEST(Analysis, LabelsUseUnitsOfTheScene) {
    Scene scene = scene_of("milky-way-andromeda", 100);
    EXPECT_EQ(column(made(scene, {.kind = "histogram", .x = "r"}), "r").symbol, "r [kpc]");
    EXPECT_EQ(column(made(scene, {.kind = "histogram", .x = "v"}), "v").symbol, "v [kpc/(298.2 kyr)]");
    EXPECT_EQ(column(made(scene_of("plummer", 9), {.kind = "histogram", .x = "v"}), "v").symbol, "v");
}

TEST(Analysis, BinsIncludeTheirLowerEdges) {
    for (const bool logarithmic : {false, true}) {
        const Bins bins{1, 64, 6, logarithmic};
        for (std::size_t i = 0; i < 6; ++i) {
            EXPECT_EQ(bins.of(bins.low(i)), i);
            EXPECT_EQ(bins.of(std::nextafter(bins.high(i), 0)), i);
            EXPECT_EQ(bins.of(bins.middle(i)), i);
        }
        EXPECT_EQ(bins.of(64), 5u);
        EXPECT_EQ(bins.of(std::nextafter(64, 100)), Bins::kNone);
        EXPECT_EQ(bins.of(0.5), Bins::kNone);
        EXPECT_EQ(bins.of(std::nan("")), Bins::kNone);
    }
}

TEST(Analysis, EverySettingAppliesToSomeKind) {
    for (const Setting<AnalysisSettings>& each : analysis_settings()) {
        const bool read = std::ranges::any_of(
            analyses(), [&](const AnalysisEntry& entry) { return each.applies_to({.kind = std::string{entry.id}}); });
        EXPECT_TRUE(read) << each.info.id;
    }
}

}  // namespace
}  // namespace orrery
