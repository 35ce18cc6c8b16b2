// SPDX-License-Identifier: MIT
// Filters of running simulations and played series.
#include "core/live/live_filter.hpp"

#include <cmath>

#include "core/bodies/body_metadata.hpp"
#include "core/formats/formats.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/live/world.hpp"
#include "core/presets/presets.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

const EngineConfig kOfFilter{.backend = Backend::kCpu, .precision = Precision::kDouble, .threads = 1};

/// The filter's values in a new frame; empty: there is none.
std::vector<float> shown_in(World& world) {
    Frame frame;
    world.fill(frame);
    return frame.words->shown ? *frame.words->shown : std::vector<float>{};
}

template <class Satisfies>
std::vector<float> values_of(const World& world, const Satisfies& satisfies) {
    const Bodies bodies = world.simulation.system().bodies();
    std::vector<float> values;
    for (std::size_t i = 0; i < bodies.size(); ++i) values.push_back(satisfies(bodies, i) ? 1.0f : 0.0f);
    return values;
}

class FilteredWorld : public Scratch {
protected:
    void SetUp() override {
        if (!hdf5::kWhyNot.empty()) GTEST_SKIP() << hdf5::kWhyNot;
    }
    /// Sixty bodies with the field T: 0, 1, 2 … at `time`, where each is `more` larger.
    std::string write(const std::string& name, double time, float more) const {
        Scene scene = make_preset("plummer", {.bodies = 60});
        scene.time = time;
        std::vector<float> values;
        for (int i = 0; i < 60; ++i) values.push_back(static_cast<float>(i) + more);
        scene.bodies.fields = {make_field("T", "K", std::move(values))};
        write_snapshot(scene, path(name));
        return path(name).string();
    }
};

TEST(LiveFilter, FollowsTheMotionOfAPreset) {
    const SceneRequest request{.source = "plummer", .bodies = 200, .filter = "x > 0 & r < 1"};
    World world{open_scene_or_series(request), kOfFilter, nullptr, request};
    const auto inside = [](const Bodies& bodies, std::size_t i) {
        const Vec3d at = xyz(bodies.position_mass[i]);
        return at.x > 0 && length(at) < 1;
    };
    const std::vector<float> before = shown_in(world);
    EXPECT_EQ(before, values_of(world, inside));
    world.take_steps(100, {});
    EXPECT_EQ(shown_in(world), values_of(world, inside));
    EXPECT_NE(shown_in(world), before) << "some bodies have crossed";
}

TEST_F(FilteredWorld, LoadsTheFieldsThatItNames) {
    const SceneRequest request{.source = write("snap.h5", 0, 0)};
    World world{open_scene_or_series(request), kOfFilter, nullptr, request};
    EXPECT_TRUE(shown_in(world).empty());
    EXPECT_TRUE(world.apply(SetFilter{"T >= 57.5"}));
    EXPECT_EQ(world.request.filter, "T >= 57.5");
    const std::vector<float> shown = shown_in(world);
    for (std::size_t i = 0; i < shown.size(); ++i) EXPECT_EQ(shown[i], i >= 58 ? 1.0f : 0.0f) << i;
    EXPECT_TRUE(world.apply(SetFilter{}));
    EXPECT_TRUE(shown_in(world).empty());
}

TEST_F(FilteredWorld, RefusedConditionChangesNothing) {
    const SceneRequest request{.source = write("snap.h5", 0, 0), .filter = "T > 30"};
    World world{open_scene_or_series(request), kOfFilter, nullptr, request};
    const std::vector<float> before = shown_in(world);
    const auto fields = world.simulation.system().labels().fields.size();
    for (const char* wrong : {"Q > 1", "T >", "T > 1 & (x"}) {
        EXPECT_THROW(world.apply(SetFilter{wrong}), Error) << wrong;
        EXPECT_EQ(world.request.filter, "T > 30");
        EXPECT_EQ(shown_in(world), before) << wrong;
        EXPECT_EQ(world.simulation.system().labels().fields.size(), fields) << wrong;
    }
}

TEST_F(FilteredWorld, SeriesEvaluatesItAtEveryTime) {
    write("s0.h5", 0, 0), write("s1.h5", 1, 10);
    const SceneRequest request{.source = path("s*").string(), .filter = "T > 30.25"};
    World world{open_scene_or_series(request), kOfFilter, nullptr, request};
    ASSERT_TRUE(world.motion.player());
    const auto count = [&] {
        std::size_t all = 0;
        for (const float value : shown_in(world)) all += value != 0 ? 1 : 0;
        return all;
    };
    EXPECT_EQ(count(), 29u) << "31 to 59";
    EXPECT_TRUE(world.apply(SetPlayRate{0.5}));
    world.take_steps(1, {});
    EXPECT_EQ(count(), 34u) << "halfway, each is 5 larger";
    world.take_steps(1, {});
    EXPECT_EQ(count(), 39u);
    EXPECT_THROW(world.apply(SetFilter{"rho > 1"}), Error) << "a series loads its fields when it is opened";
    EXPECT_EQ(count(), 39u);
}

TEST(LiveFilter, NamesKeptSelections) {
    const SceneRequest request{.source = "plummer", .bodies = 100};
    World world{open_scene_or_series(request), kOfFilter, nullptr, request};
    NamedSets sets;
    sets.store({"hot", {3, 50, 99}, true});
    EXPECT_TRUE(world.apply(SetFilter{"hot | x > 1", sets}));
    const auto wanted = [](const Bodies& bodies, std::size_t i) {
        return i == 3 || i == 50 || i == 99 || bodies.position_mass[i].x > 1;
    };
    EXPECT_EQ(shown_in(world), values_of(world, wanted));
    world.take_steps(50, {});
    EXPECT_EQ(shown_in(world), values_of(world, wanted)) << "after the bodies have moved";
    EXPECT_THROW(world.apply(SetFilter{"cold", sets}), Error);
    EXPECT_EQ(shown_in(world), values_of(world, wanted)) << "a refused filter changes nothing";
}

TEST_F(FilteredWorld, KeptSelectionWithTheNameOfAFieldIsRefused) {
    const SceneRequest request{.source = write("snap.h5", 0, 0)};
    World world{open_scene_or_series(request), kOfFilter, nullptr, request};
    NamedSets sets;
    sets.store({"T", {1, 2}, false});
    expect_error([&] { world.apply(SetFilter{"T > 0", sets}); }, Blame::kUsage, "selection T", "field of this name");
}

TEST(LiveFilter, FollowsTheMotionOfTheSecondRun) {
    const SceneRequest request{.source = "plummer", .bodies = 200, .filter = "x > 0"};
    World world{open_scene_or_series(request), kOfFilter, nullptr, request};
    EXPECT_TRUE(world.apply(SetCompare{{.engine = kOfFilter, .softening = 0.5}}));
    world.take_steps(200, {});
    Frame frame;
    world.fill(frame);
    ASSERT_TRUE(frame.other && frame.other->words && frame.other->words->shown);
    const Bodies b = world.comparison.b()->system().bodies();
    std::vector<float> expected;
    for (const Vec4d& at : b.position_mass) expected.push_back(at.x > 0 ? 1.0f : 0.0f);
    EXPECT_EQ(*frame.other->words->shown, expected);
    EXPECT_NE(*frame.other->words->shown, *frame.words->shown) << "the runs differ by their softening";
    EXPECT_TRUE(world.apply(SetFilter{"y > 0"}));
    world.fill(frame);
    for (std::size_t i = 0; i < b.size(); ++i)
        EXPECT_EQ((*frame.other->words->shown)[i],
                  world.comparison.b()->system().bodies().position_mass[i].y > 0 ? 1.0f : 0.0f);
    EXPECT_TRUE(world.apply(SetFilter{}));
    world.fill(frame);
    EXPECT_FALSE(frame.other->words->shown) << "no filter";
}

/// Both runs of a comparison get a field that is read later, and keep their filters.
TEST_F(FilteredWorld, FieldReadLaterBelongsToBothRuns) {
    const SceneRequest request{.source = write("snap.h5", 0, 0), .filter = "x >= 0"};
    World world{open_scene_or_series(request), kOfFilter, nullptr, request};
    EXPECT_TRUE(world.apply(SetCompare{{.engine = kOfFilter, .softening = 0.5}}));
    world.take_steps(1, {});
    ASSERT_TRUE(world.comparison.b());
    Frame frame;
    world.fill(frame);
    const auto values = [](Simulation& run, std::string_view name) {
        const auto& fields = run.system().labels().fields;
        const auto found = std::ranges::find(fields, name, &BodyField::name);
        return found == fields.end() ? std::vector<float>{} : *found->values;
    };
    const std::vector<float> filter = values(*world.comparison.b(), kFilterField);
    EXPECT_TRUE(world.apply(SetColorBy{.by = ColorBy::kField, .field = "T"}));
    EXPECT_FALSE(values(world.simulation, "T").empty());
    EXPECT_EQ(values(*world.comparison.b(), "T"), values(world.simulation, "T"));
    EXPECT_EQ(values(*world.comparison.b(), kFilterField), filter);
    world.fill(frame);
    EXPECT_EQ(frame.no_color, "");
    EXPECT_EQ(frame.other->no_color, "");
}

TEST(LiveFilter, IsRestoredWhenASceneChangeIsUndone) {
    const SceneRequest first{.source = "plummer", .bodies = 100, .filter = "x > 0"};
    World world{open_scene_or_series(first), kOfFilter, nullptr, first};
    const std::vector<float> before = shown_in(world);
    EXPECT_TRUE(world.apply(LoadScene{.request = {.source = "plummer", .bodies = 50}}));
    EXPECT_TRUE(shown_in(world).empty());
    EXPECT_TRUE(world.apply(Undo{}));
    EXPECT_EQ(shown_in(world), before);
}

}  // namespace
}  // namespace orrery::test
