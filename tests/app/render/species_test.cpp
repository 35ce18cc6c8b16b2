// SPDX-License-Identifier: MIT
// Hidden species are not drawn, and the frame equals that of a scene without them.
#include <gtest/gtest.h>

#include <bitset>
#include <memory>
#include <utility>
#include <vector>

#include "app/render/color_bar.hpp"
#include "core/bodies/body_metadata.hpp"
#include "tests/app/render/cloud.hpp"

namespace orrery::test {
namespace {

using enum Species;

/// Assigns three species in turn.
Species species_of(std::size_t i) { return i % 3 == 0 ? kGas : i % 3 == 1 ? kHalo : kStars; }

void name_species(Frame& frame, const std::vector<Species>& species) {
    auto words = std::make_shared<BodyMetadata>();
    words->species_of = species;
    for (const Species each : species) words->species.set(static_cast<std::size_t>(each));
    frame.words = std::move(words);
}

Frame three_species(std::size_t bodies) {
    Frame frame = cloud(bodies);
    std::vector<Species> species(bodies);
    for (std::size_t i = 0; i < bodies; ++i) species[i] = species_of(i);
    name_species(frame, species);
    return frame;
}

/// The visible bodies of `all` as a separate frame.
Frame only(const Frame& all, std::bitset<kSpeciesCount> hidden) {
    Frame frame;
    frame.extent = all.extent;
    frame.step = all.step;
    std::vector<float> masses;
    for (std::size_t i = 0; i < all.count; ++i) {
        if (hidden[static_cast<std::size_t>(species_of(i))]) continue;
        frame.host.push_back(all.host[i]);
        if (all.masses) masses.push_back((*all.masses)[i]);
    }
    frame.count = frame.host.size();
    if (all.masses) frame.masses = std::make_shared<const std::vector<float>>(std::move(masses));
    return frame;
}

ViewSettings without(DrawMode mode, ShownSpecies shown) {
    ViewSettings settings;
    settings.mode = mode;
    settings.species = shown;
    return settings;
}

OrbitCamera from_aside() {
    return OrbitCamera{CameraPose{.target = {0.3, -0.2, 0.1}, .distance = 2, .yaw = 0.4, .pitch = 0.3}};
}

/// A second renderer in the same context.
struct Another {
    explicit Another(const Studio& studio) : renderer{studio.context.gl_info()} { renderer.set_patient(true); }
    Image draw(const Frame& frame, const ViewSettings& settings) {
        const RenderTarget target{640, 360};
        renderer.note_passed(frame);
        renderer.resize(target.width(), target.height());
        buffer.upload(frame);
        renderer.draw(buffer, frame.extent, from_aside(), settings, target);
        return target.read();
    }
    Renderer renderer;
    SharedBuffer buffer;
};

constexpr ShownSpecies kNoHalo{.halo = false}, kOnlyGas{.halo = false, .stars = false};

class EverySpeciesMode : public testing::TestWithParam<DrawMode> {};

TEST_P(EverySpeciesMode, MatchesASceneWithoutHiddenSpecies) {
    Studio studio;
    Another alone{studio};
    const Frame frame = three_species(3000);
    for (const ShownSpecies& shown : {kNoHalo, kOnlyGas, kNoHalo}) {
        for (const bool fixed : {true, false}) {  // whether white is fixed
            ViewSettings settings = without(GetParam(), shown);
            if (fixed) settings.white = 20;
            const Frame some = only(frame, shown.hidden());
            ASSERT_LT(some.count, frame.count);
            const Image image = studio.draw(frame, from_aside(), settings);
            EXPECT_EQ(studio.renderer.drawn(studio.buffer).count(), some.count);
            settings.species = {};
            EXPECT_EQ(image.rgba, alone.draw(some, settings).rgba) << "white fixed: " << fixed;
        }
    }
    const ViewSettings all = without(GetParam(), {});
    EXPECT_EQ(studio.draw(frame, from_aside(), all).rgba, alone.draw(frame, all).rgba) << "shown again";
}

INSTANTIATE_TEST_SUITE_P(Modes, EverySpeciesMode,
                         testing::Values(DrawMode::kPoints, DrawMode::kSplat, DrawMode::kSmoothed));

TEST(HiddenSpecies, FollowTheBodiesAndTheirMasses) {
    Studio studio;
    Another alone{studio};
    Frame frame = three_species(900);
    ViewSettings settings = without(DrawMode::kSplat, kOnlyGas);
    settings.white = 20, settings.mass_size = 1;
    const Image before = studio.draw(frame, from_aside(), settings);
    for (Vec4f& body : frame.host) body.x += 0.2f;
    frame.step = 1;
    const Image moved = studio.draw(frame, from_aside(), settings);
    EXPECT_NE(moved.rgba, before.rgba);
    settings.species = {};
    EXPECT_EQ(moved.rgba, alone.draw(only(frame, kOnlyGas.hidden()), settings).rgba);

    auto masses = std::make_shared<std::vector<float>>(frame.count);
    for (std::size_t i = 0; i < frame.count; ++i)
        (*masses)[i] = i % 2 == 0 ? 0.5f : 1.5f;  // the mean over gas is 1 as well
    frame.masses = std::move(masses);
    settings.species = kOnlyGas;
    const Image weighed = studio.draw(frame, from_aside(), settings);
    EXPECT_NE(weighed.rgba, moved.rgba);
    settings.species = {};
    EXPECT_EQ(weighed.rgba, alone.draw(only(frame, kOnlyGas.hidden()), settings).rgba);
}

TEST(HiddenSpecies, HidingAllDrawsNothing) {
    Studio studio;
    const Frame frame = three_species(300);
    for (const DrawMode mode : {DrawMode::kPoints, DrawMode::kSplat, DrawMode::kSmoothed}) {
        EXPECT_GT(lit(studio.draw(frame, from_aside(), without(mode, {}))), 0);
        EXPECT_EQ(lit(studio.draw(frame, from_aside(), without(mode, {false, false, false, false, false, false}))), 0);
    }
}

TEST(HiddenSpecies, HaveNoEffectIfUnstatedOrAbsent) {
    Studio studio;
    Frame frame = three_species(300);
    const ViewSettings all = without(DrawMode::kSplat, {}), without_disk = without(DrawMode::kSplat, {.disk = false});
    const Image usual = studio.draw(frame, from_aside(), all);
    EXPECT_EQ(studio.draw(frame, from_aside(), without_disk).rgba, usual.rgba) << "the scene has no disk";
    EXPECT_EQ(&studio.renderer.drawn(studio.buffer), &studio.buffer) << "no copy is made";
    frame.words = nullptr;
    EXPECT_EQ(studio.draw(frame, from_aside(), without(DrawMode::kSplat, kOnlyGas)).rgba, usual.rgba);
    name_species(frame, {kGas, kHalo});  // species of other bodies
    EXPECT_EQ(studio.draw(frame, from_aside(), without(DrawMode::kSplat, kOnlyGas)).rgba, usual.rgba);
}

TEST(HiddenSpecies, AreNotInTheLegend) {
    BodyMetadata words;
    for (const Species each : {kGas, kHalo, kStars}) words.species.set(static_cast<std::size_t>(each));
    FrameExtent extent;
    extent.color_by = ColorBy::kSpecies;
    const auto named = [&](const ViewSettings& settings) {
        std::vector<std::string> names;
        for (const ColorTick& tick : color_bar(settings, extent, words).ticks) names.push_back(tick.text);
        return names;
    };
    EXPECT_EQ(named({}), (std::vector<std::string>{"gas", "halo", "stars"}));
    EXPECT_EQ(named(without(DrawMode::kPoints, {.gas = false, .disk = false})),
              (std::vector<std::string>{"halo", "stars"}));
}

/// Trails of hidden bodies disappear, and those of visible bodies include the states between two frames.
TEST(HiddenSpecies, HaveNoTrails) {
    Studio studio;
    Another alone{studio};
    ViewSettings settings = without(DrawMode::kPoints, kOnlyGas);
    settings.trails.on = true;
    settings.white = 20;
    ViewSettings all = settings;
    all.species = {};
    Frame frame = three_species(30);
    const auto moved = [](std::vector<Vec4f> bodies) {
        for (Vec4f& body : bodies) body = {body.x + 0.1f * body.y, body.y - 0.1f * body.x, body.z, body.w};
        return bodies;
    };
    studio.draw(frame, from_aside(), all);  // with trails of all bodies
    Image image, expected;
    for (int picture = 1; picture < 4; ++picture) {
        frame.passed = moved(frame.host), frame.passed_steps = {frame.step + 1};
        frame.host = moved(frame.passed);
        frame.step += 2;
        Frame some = only(frame, kOnlyGas.hidden());
        Frame between = frame;
        between.host = frame.passed;
        some.passed = only(between, kOnlyGas.hidden()).host, some.passed_steps = frame.passed_steps;
        image = studio.draw(frame, from_aside(), settings);
        if (picture == 1) some.passed.clear(), some.passed_steps.clear();  // theirs start when the others are hidden
        expected = alone.draw(some, all);
    }
    EXPECT_EQ(image.rgba, expected.rgba);
    ViewSettings bare = settings;
    bare.trails.on = false;
    EXPECT_GT(lit(image), lit(studio.draw(frame, from_aside(), bare))) << "visible bodies have trails";
}

}  // namespace
}  // namespace orrery::test
