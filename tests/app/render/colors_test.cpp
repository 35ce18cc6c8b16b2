// SPDX-License-Identifier: MIT
// Every colour mode of the menu.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/render/color_bar.hpp"
#include "app/render/color_maps.hpp"
#include "app/render/color_modes.hpp"
#include "app/render/interop.hpp"
#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/bodies/body_errors.hpp"
#include "core/bodies/body_system.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/simulation.hpp"
#include "core/spatial/density.hpp"
#include "tests/app/render/cloud.hpp"
#include "tests/support/every_engine.hpp"

namespace orrery::test {
namespace {

/// The scalars of a frame on the host or the device.
std::vector<float> scalars(const Frame& frame) {
    std::vector<Vec4f> vertices = frame.host;
    if (frame.device) vertices.resize(frame.count), download(*frame.device, vertices);
    std::vector<float> result;
    for (const Vec4f& v : vertices) result.push_back(v.w);
    return result;
}

constexpr Gravity kGravity{.constant = 1, .softening = 0.01};

/// A body system whose forces and potentials were evaluated once.
std::unique_ptr<BodySystem> evaluated(const EngineConfig& config, const Bodies& bodies) {
    auto system = make_body_system(config, bodies);
    const std::uint64_t items = system->begin_forces(kGravity, Potential::kCompute);
    system->run_forces(0, items);
    system->wait();
    return system;
}

Frame colored(const BodySystem& system, ColorBy by) {
    Coloring coloring{.by = by, .forces = true, .may_reuse = false};
    if (by == ColorBy::kError) {
        Pool pool{0, false};
        coloring.errors =
            std::make_shared<const BodyErrors>(body_errors(pool, system.save(), system.law(), kGravity, {}));
    }
    const std::vector<BodyField>& fields = system.labels().fields;
    if (by == ColorBy::kField && !fields.empty()) coloring.field = fields[0].values;
    if (by == ColorBy::kStarlight && fields.size() > 1) coloring.field = fields[1].values;
    Frame frame;
    system.fill(frame, coloring);
    return frame;
}

/// Adds two fields, all six species, charges of both signs, and descending ids, each of which two bodies share.
Bodies with_labels(Bodies bodies) {
    std::vector<float> values, light;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        values.push_back(10 + std::sqrt(static_cast<float>(i)));
        light.push_back(1 + std::cbrt(static_cast<float>(i)));
    }
    bodies.fields.push_back(make_field("Temperature", "K", std::move(values)));
    bodies.fields.push_back(make_field("starlight_i", "L☉", std::move(light)));
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        bodies.species.push_back(static_cast<Species>(i % kSpeciesCount));
        bodies.charge.push_back(static_cast<double>(i % 3) - 1);
        bodies.ids.push_back(1'000'000 - i / 2);
    }
    return bodies;
}

class EveryEngineColors : public NeedsEngine {};

TEST_P(EveryEngineColors, EveryModeIsFiniteAndDistinctOrExplainsWhyNot) {
    const auto system = evaluated(GetParam().config(), with_labels(ball(1000)));
    std::map<std::vector<float>, std::string_view> seen;
    for (const ColorModeEntry& mode : color_modes()) {
        const Frame frame = colored(*system, mode.by);
        const std::vector<float> values = scalars(frame);
        ASSERT_EQ(values.size(), 1000u) << mode.id;
        EXPECT_EQ(frame.extent.color_by, mode.by);
        if (!frame.no_color.empty()) {
            EXPECT_TRUE(std::ranges::all_of(values, [](float v) { return v == 0; })) << mode.id;
            const bool tile = mode.by == ColorBy::kTile, tree = mode.by == ColorBy::kLeaf || mode.by == ColorBy::kLevel;
            EXPECT_TRUE(tile || tree) << mode.id << ": must work on every engine";
            if (GetParam().entry->id == "auto") continue;  // it may have chosen any engine
            if (tree) {
                EXPECT_FALSE(GetParam().entry->has_tree()) << frame.no_color;
            }
            if (tile) {
                EXPECT_FALSE(GetParam().entry->walks_pairs()) << frame.no_color;
            }
            continue;
        }
        EXPECT_TRUE(std::ranges::all_of(values, [](float v) { return std::isfinite(v); })) << mode.id;
        EXPECT_GE(frame.extent.scalar_high, frame.extent.scalar_low) << mode.id;
        const auto [place, fresh] = seen.emplace(values, mode.id);
        EXPECT_TRUE(fresh) << mode.id << " equals " << place->second;
    }
    EXPECT_GE(seen.size(), 5u);
}

TEST_P(EveryEngineColors, ModesNeedForcesAsDeclared) {
    const auto system = make_body_system(GetParam().config(), with_labels(ball(100)));
    for (const ColorModeEntry& mode : color_modes()) {
        Frame frame;
        const auto field = system->labels().fields.at(0).values;
        system->fill(frame, {.by = mode.by, .forces = false, .field = field});
        EXPECT_EQ(frame.no_color.empty(), !needs_forces(mode.by)) << mode.id;
    }
}

TEST_P(EveryEngineColors, SpeedMassAccelerationAndPotentialAreCorrect) {
    const Bodies bodies = rounded(ball(500), GetParam().precision);
    const auto system = evaluated(GetParam().config(), bodies);
    const std::vector<Vec4d> accelerations = system->accelerations();
    const auto speed = scalars(colored(*system, ColorBy::kSpeed)), mass = scalars(colored(*system, ColorBy::kMass)),
               acceleration = scalars(colored(*system, ColorBy::kAcceleration)),
               potential = scalars(colored(*system, ColorBy::kPotential));
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec3d v = bodies.velocity[i], a = xyz(accelerations[i]);
        EXPECT_NEAR(speed[i], std::sqrt(dot(v, v)), 1e-6);
        EXPECT_FLOAT_EQ(mass[i], static_cast<float>(bodies.position_mass[i].w));
        EXPECT_FLOAT_EQ(acceleration[i], static_cast<float>(std::sqrt(dot(a, a))));
        EXPECT_FLOAT_EQ(potential[i], static_cast<float>(accelerations[i].w));
        EXPECT_LT(potential[i], 0);
    }
}

TEST_P(EveryEngineColors, ErrorsEqualTheMeasuredOnes) {
    const auto system = evaluated(GetParam().config(), ball(200));
    Coloring coloring{.by = ColorBy::kError, .forces = true};
    Frame frame;
    for (const float each : {0.25f, 0.5f}) {
        auto errors = std::make_shared<BodyErrors>();
        errors->each.assign(200, each), errors->each[7] = 1;
        coloring.errors = errors;
        system->fill(frame, coloring);
        ASSERT_EQ(frame.no_color, "");
        EXPECT_EQ(scalars(frame), errors->each);
    }
    coloring.errors = std::make_shared<const BodyErrors>(BodyErrors{std::vector<float>(199), 0});
    system->fill(frame, coloring);
    EXPECT_THAT(frame.no_color, ::testing::HasSubstr("not been measured")) << "those of other bodies";
}

TEST_P(EveryEngineColors, LineOfSightVelocitiesAndAgesAreCorrect) {
    const Bodies bodies = rounded(with_labels(ball(100)), GetParam().precision);
    const auto system = make_body_system(GetParam().config(), bodies);
    const Vec3d along{2.0 / 7, -3.0 / 7, 6.0 / 7};
    Frame frame;
    system->fill(frame, {.by = ColorBy::kSightLine, .along = along});
    const auto speeds = scalars(frame), ages = scalars(colored(*system, ColorBy::kAge));
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        EXPECT_NEAR(speeds[i], dot(along, bodies.velocity[i]), 1e-6);
        EXPECT_EQ(ages[i], static_cast<float>(98 - i / 2 * 2));
    }
    const auto unnamed = make_body_system(GetParam().config(), ball(100));
    EXPECT_THAT(colored(*unnamed, ColorBy::kAge).no_color, ::testing::HasSubstr("no ids"));
}

TEST_P(EveryEngineColors, SpeciesAndChargesMatchTheSnapshot) {
    const auto system = make_body_system(GetParam().config(), with_labels(ball(100)));
    for (int again = 0; again < 2; ++again) {
        const auto species = scalars(colored(*system, ColorBy::kSpecies));
        for (std::size_t i = 0; i < species.size(); ++i) ASSERT_EQ(species[i], static_cast<float>(i % kSpeciesCount));
        const auto charge = scalars(colored(*system, ColorBy::kCharge));
        for (std::size_t i = 0; i < charge.size(); ++i) ASSERT_EQ(charge[i], static_cast<float>(i % 3) - 1);
    }
    const auto unnamed = make_body_system(GetParam().config(), ball(100));
    EXPECT_THAT(colored(*unnamed, ColorBy::kSpecies).no_color, ::testing::HasSubstr("the species of its bodies"));
    EXPECT_THAT(colored(*unnamed, ColorBy::kCharge).no_color, ::testing::HasSubstr("no charges"));
}

TEST_P(EveryEngineColors, LeavesAreCompactAndTilesConsecutive) {
    const Bodies bodies = ball(3000);
    const auto system = evaluated(GetParam().config(), bodies);
    const EngineReport report = system->engine_report();
    if (const Frame frame = colored(*system, ColorBy::kTile); frame.no_color.empty()) {
        const auto tiles = scalars(frame);
        for (std::size_t i = 0; i < tiles.size(); ++i)
            ASSERT_EQ(tiles[i], static_cast<float>(i / static_cast<std::size_t>(report.tile_size)));
    }
    const Frame frame = colored(*system, ColorBy::kLeaf);
    if (!frame.no_color.empty()) return;
    const auto leaf = scalars(frame), level = scalars(colored(*system, ColorBy::kLevel));
    EXPECT_EQ(leaf, scalars(colored(*evaluated(GetParam().config(), bodies), ColorBy::kLeaf))) << "in another run";
    const std::vector<TreeCell> cells = system->engine_cells(1 << 20);
    const double side = cells.front().high.x - cells.front().low.x;
    struct Span {
        Vec3d low{1e9, 1e9, 1e9}, high{-1e9, -1e9, -1e9};
        float level = -1;
    };
    std::map<float, Span> spans;
    for (std::size_t i = 0; i < leaf.size(); ++i) {
        Span& span = spans[leaf[i]];
        const Vec3d x = xyz(bodies.position_mass[i]);
        span.low = {std::min(span.low.x, x.x), std::min(span.low.y, x.y), std::min(span.low.z, x.z)};
        span.high = {std::max(span.high.x, x.x), std::max(span.high.y, x.y), std::max(span.high.z, x.z)};
        EXPECT_TRUE(span.level < 0 || span.level == level[i]) << "bodies of one leaf have different levels";
        span.level = level[i];
        EXPECT_LT(level[i], static_cast<float>(report.levels));
    }
    EXPECT_GT(spans.size(), 100u);
    if (!GetParam().entry->opens_by_theta_alone()) {
        EXPECT_EQ(spans.size(), report.leaves) << "in `tree`, only leaves contain bodies";
    }
    for (const auto& [number, span] : spans) {
        const double room = side / std::exp2(span.level) * (1 + 1e-5);
        EXPECT_LE(std::max({span.high.x - span.low.x, span.high.y - span.low.y, span.high.z - span.low.z}), room)
            << "leaf " << number << " of level " << span.level;
    }
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryEngineColors, ::testing::ValuesIn(every_engine()), case_name);

TEST(Density, MatchesAUniformBall) {
    std::mt19937_64 random{3};
    std::uniform_real_distribution<double> side{-1, 1};
    Bodies bodies;
    while (bodies.size() < 40000)
        if (const Vec3d x{side(random), side(random), side(random)}; dot(x, x) < 1) bodies.add(x, {}, 1.0 / 40000);
    const auto system = make_body_system({.engine = "direct", .backend = Backend::kCpu}, bodies);
    const auto found = scalars(colored(*system, ColorBy::kDensity));
    std::vector<float> inner;
    for (std::size_t i = 0; i < found.size(); ++i)
        if (const Vec3d x = xyz(bodies.position_mass[i]); dot(x, x) < 0.64) inner.push_back(found[i]);
    std::ranges::nth_element(inner, inner.begin() + static_cast<std::ptrdiff_t>(inner.size() / 2));
    const double median = inner[inner.size() / 2], truth = 3 / (4 * 3.14159265);
    EXPECT_NEAR(median / truth, 1, 0.1);
}

TEST(Density, MatchesAPlummerSphereAtAllRadii) {
    const Scene scene = make_preset("plummer", {.bodies = 30000});
    const auto system = make_body_system({.engine = "direct", .backend = Backend::kCpu}, scene.bodies);
    const auto found = scalars(colored(*system, ColorBy::kDensity));
    const double a = 3 * 3.14159265 / 16;  // scale radius in N-body units
    std::map<int, std::vector<double>> shells;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Vec3d x = xyz(scene.bodies.position_mass[i]);
        const double r2 = dot(x, x) / (a * a);
        const double truth = 3 / (4 * 3.14159265 * a * a * a) * std::pow(1 + r2, -2.5);
        shells[static_cast<int>(std::sqrt(r2) / 0.5)].push_back(found[i] / truth);
    }
    for (int shell = 0; shell < 6; ++shell) {
        std::vector<double>& ratios = shells[shell];
        std::ranges::nth_element(ratios, ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2));
        EXPECT_NEAR(ratios[ratios.size() / 2], 1, 0.15) << "shell " << shell << " of " << ratios.size();
    }
}

TEST(Density, IsFiniteForFewOrCoincidentBodies) {
    for (const std::size_t count : {1u, 2u, 3u, 17u, 64u, 65u, 66u, 200u}) {
        for (const bool together : {false, true}) {
            Bodies bodies = ball(count);
            if (together)
                for (Vec4d& x : bodies.position_mass) x.x = x.y = x.z = 1;
            const auto system = make_body_system({.engine = "direct", .backend = Backend::kCpu}, bodies);
            for (const float density : scalars(colored(*system, ColorBy::kDensity))) {
                EXPECT_TRUE(std::isfinite(density)) << count;
                EXPECT_EQ(density > 0, count >= 3) << count;
            }
        }
    }
}

TEST(Potential, IsAvailableAfterTheNextForceEvaluation) {
    Simulation simulation{make_preset("plummer", {.bodies = 300}), {.engine = "direct", .backend = Backend::kCpu}};
    simulation.step();
    simulation.set_color_by(ColorBy::kPotential);
    Frame frame;
    simulation.fill(frame);
    EXPECT_THAT(frame.no_color, ::testing::HasSubstr("forces"));
    EXPECT_TRUE(simulation.forces().color_due());
    while (!simulation.evaluate(std::chrono::hours{1})) {
    }
    simulation.fill(frame);
    EXPECT_EQ(frame.no_color, "");
    EXPECT_LT(frame.extent.scalar_high, 0);
    EXPECT_EQ(simulation.now().steps, 1u);
}

class EveryColorMode : public ::testing::TestWithParam<ColorModeEntry> {};

TEST_P(EveryColorMode, HasAUnitASourceAndASuitableMap) {
    const ColorModeEntry& mode = GetParam();
    EXPECT_FALSE(mode.doc.empty());
    EXPECT_FALSE(mode.source.empty());
    EXPECT_EQ(color_mode(mode.id).by, mode.by);
    EXPECT_EQ(color_mode(mode.by).id, mode.id);
    const ColorMapEntry& map = color_map_for(kAutoColorMap, mode.by);
    EXPECT_EQ(map.kind == ColorMapKind::kCategorical, without_order(mode.scale));
    const SceneUnits none, physical{"AU", "M☉", 58.1324};
    EXPECT_EQ(shown_unit(mode.unit, none).factor, 1);
    if (mode.unit.length != 0 || mode.unit.mass != 0 || mode.unit.time != 0) {
        EXPECT_EQ(shown_unit(mode.unit, none).text, "");
        EXPECT_NE(shown_unit(mode.unit, physical).text, "");
    }
}

TEST(ShownUnits, UseConventionalUnits) {
    const SceneUnits galaxy{"kpc", "M☉", 3.0857e16 / 86400}, planets{"AU", "M☉", 58.1324408670488},
        unknown{"furlong", "", 14};
    EXPECT_EQ(with_unit(200, {1, -1, 0}, galaxy, 4), "200 km/s");
    EXPECT_EQ(with_unit(1, {1, -1, 0}, planets, 4), "29.78 km/s");
    EXPECT_EQ(shown_unit({2, -2, 0}, galaxy).text, "km²/s²");
    EXPECT_EQ(shown_unit({2, -2, 1}, planets).text, "M☉ km²/s²");
    EXPECT_EQ(shown_unit({2, -1, 1}, planets).text, "M☉ AU km/s");
    EXPECT_EQ(shown_unit({1, -2, 0}, galaxy).text, "km/s/Myr");
    EXPECT_NEAR(shown_unit({1, -2, 0}, galaxy).factor, 1 / 977.8, 1e-6);
    EXPECT_EQ(with_unit(28, {1, -1, 0}, unknown, 4), "2 furlong/d");
    EXPECT_EQ(shown_unit({-3, 0, 1}, galaxy).text, "M☉/kpc³");
    EXPECT_EQ(with_unit(1.5, {1, -1, 0}, {}, 4), "1.5");
}

TEST_P(EveryColorMode, ChangesTheFrame) {
    test::Studio studio;
    Frame frame = test::cloud(3000);
    for (std::size_t i = 0; i < frame.host.size(); ++i) frame.host[i].w = static_cast<float>(i % 90);
    frame.extent.scalar_low = 0, frame.extent.scalar_high = 90;
    OrbitCamera camera;
    camera.fit(frame.extent, 640.0 / 360, Transition::kAtOnce);
    frame.extent.color_by = GetParam().by;
    const Image colored = studio.draw(frame, camera, {});
    for (Vec4f& body : frame.host) body.w = 0;
    EXPECT_NE(studio.draw(frame, camera, {}).rgba, colored.rgba);
}

TEST_P(EveryColorMode, ColourBarHasTicksWithinItsRange) {
    for (const auto& [low, high] : {std::pair{0.02, 37.0}, {-5.0, -0.3}, {0.0, 0.0}, {3.0, 3.1}, {0.0, 1e12}}) {
        FrameExtent extent;
        extent.scalar_low = low, extent.scalar_high = high, extent.color_by = GetParam().by;
        BodyMetadata words{"AU", "M☉", 58.1324};
        words.species = 0b101101;
        const ColorBar bar = color_bar({}, extent, words);
        EXPECT_EQ(bar.names, GetParam().by == ColorBy::kSpecies || GetParam().by == ColorBy::kStarlight);
        EXPECT_THAT(bar.title, ::testing::StartsWith(std::string{GetParam().label}));
        EXPECT_LE(bar.ticks.size(), 8u) << low << ' ' << high;
        EXPECT_EQ(bar.ticks.empty(), bar.categories) << low << ' ' << high;
        std::set<std::string> texts;
        for (const ColorTick& tick : bar.ticks) {
            EXPECT_GE(tick.at, -1e-3f);
            EXPECT_LE(tick.at, 1.001f);
            EXPECT_TRUE(texts.insert(tick.text).second) << tick.text << " occurs twice";
        }
    }
}

TEST(ForceErrors, LegendNamesASample) {
    FrameExtent extent{.scalar_low = 1e-6, .scalar_high = 1e-2, .color_by = ColorBy::kError};
    const ColorBar all = color_bar({}, extent, {});
    EXPECT_EQ(all.title, "Force error");
    ASSERT_EQ(all.ticks.size(), 5u);
    EXPECT_EQ(all.ticks.front().text, "1e-06");
    extent.samples = 400;
    EXPECT_EQ(color_bar({}, extent, {}).title, "Force error, from a sample of 400");
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryColorMode, ::testing::ValuesIn(color_modes().begin(), color_modes().end()),
                         [](const auto& line) {
                             std::string name{line.param.id};
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace orrery::test
