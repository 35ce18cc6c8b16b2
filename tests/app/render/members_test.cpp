// SPDX-License-Identifier: MIT
// Bodies of a filter and selected bodies: alone, bright, dimmed or hidden.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/bodies/body_metadata.hpp"
#include "tests/app/render/cloud.hpp"

namespace orrery::test {
namespace {

OrbitCamera from_above() {
    return OrbitCamera{CameraPose{.target = {0.3, -0.2, 0.1}, .distance = 2, .yaw = 0.4, .pitch = 0.9}};
}

bool is_member(std::size_t i) { return i % 4 == 0; }

/// A frame whose filter, or whose selection, has every fourth body.
Frame with_members(std::size_t bodies, bool as_filter) {
    Frame frame = cloud(bodies);
    std::vector<float> shown;
    std::vector<std::uint32_t> picked;
    for (std::uint32_t i = 0; i < bodies; ++i) {
        shown.push_back(is_member(i) ? 1.0f : 0.0f);
        if (is_member(i)) picked.push_back(i);
    }
    auto words = std::make_shared<BodyMetadata>();
    if (as_filter) words->shown = std::make_shared<const std::vector<float>>(std::move(shown));
    if (!as_filter) frame.picked = std::make_shared<const std::vector<std::uint32_t>>(std::move(picked));
    frame.words = std::move(words);
    return frame;
}

/// The bodies for which keep(i) is true, as a separate frame whose bodies have these shares of light.
template <class Share>
Frame shares(const Frame& all, const Share& share) {
    Frame frame;
    frame.extent = all.extent, frame.step = all.step;
    std::vector<float> light;
    for (std::size_t i = 0; i < all.count; ++i)
        if (share(i) != 0) frame.host.push_back(all.host[i]), light.push_back(share(i));
    frame.count = frame.host.size();
    if (std::ranges::any_of(light, [](float each) { return each != 1; })) {
        frame.lights = true;
        frame.masses = std::make_shared<const std::vector<float>>(std::move(light));
    }
    return frame;
}

struct MembersCase {
    DrawMode mode;
    bool as_filter;
};
class EveryMembersMode : public testing::TestWithParam<MembersCase> {};

TEST_P(EveryMembersMode, DrawsTheSharesOfLight) {
    Studio studio, alone;
    const Frame frame = with_members(2000, GetParam().as_filter);
    struct Expected {
        MembersShown as;
        float members, others;
    };
    for (const Expected& each : {Expected{MembersShown::kAll, 1, 1},
                                 {MembersShown::kAlone, 1, 0},
                                 {MembersShown::kBright, 1, kDimmedLight},
                                 {MembersShown::kDimmed, kDimmedLight, 1},
                                 {MembersShown::kHidden, 0, 1}}) {
        ViewSettings settings;
        settings.mode = GetParam().mode;
        settings.filter_as = GetParam().as_filter ? each.as : MembersShown::kAll;
        settings.selection_as = GetParam().as_filter ? MembersShown::kAll : each.as;
        const Image image = studio.draw(frame, from_above(), settings);
        const Frame expected = shares(frame, [&](std::size_t i) { return is_member(i) ? each.members : each.others; });
        EXPECT_EQ(image.rgba, alone.draw(expected, from_above(), settings).rgba) << static_cast<int>(each.as);
        EXPECT_EQ(studio.renderer.drawn(studio.buffer).count(), expected.count);
    }
}

INSTANTIATE_TEST_SUITE_P(Modes, EveryMembersMode,
                         testing::Values(MembersCase{DrawMode::kPoints, true}, MembersCase{DrawMode::kPoints, false},
                                         MembersCase{DrawMode::kSplat, true}, MembersCase{DrawMode::kSplat, false},
                                         MembersCase{DrawMode::kSmoothed, true},
                                         MembersCase{DrawMode::kSmoothed, false}));

TEST(Members, WithoutEffectMakeNoCopy) {
    Studio studio;
    const Frame frame = with_members(300, false);
    studio.draw(frame, from_above(), {});
    EXPECT_EQ(&studio.renderer.drawn(studio.buffer), &studio.buffer) << "a selection alone dims nothing";
}

TEST(Members, OfFilterAndSelectionMultiply) {
    Studio studio;
    Frame frame = with_members(300, true);
    frame.picked = std::make_shared<const std::vector<std::uint32_t>>(std::vector<std::uint32_t>{0, 1, 4});
    ViewSettings settings;
    settings.filter_as = MembersShown::kAlone, settings.selection_as = MembersShown::kHidden;
    studio.draw(frame, from_above(), settings);
    EXPECT_EQ(studio.renderer.drawn(studio.buffer).count(), 73u) << "75 satisfy the filter, of which 2 are selected";
}

/// A dimmed body has a share of the light that its mass gives it.
TEST(Members, KeepTheLightOfTheirMasses) {
    Studio studio;
    Frame frame = with_members(2, false);
    frame.host = {{0, 0, 0, 0}, {0.5f, 0, 0, 0}};
    frame.picked = std::make_shared<const std::vector<std::uint32_t>>(1, 0u);
    frame.masses = std::make_shared<const std::vector<float>>(std::vector<float>{0.5f, 1.5f});
    ViewSettings settings = linear_view(DrawMode::kSplat);
    settings.mass_size = 1, settings.white = 1000;
    const auto total = [&](MembersShown as) {
        settings.selection_as = as;
        const OrbitCamera camera = from_above();
        studio.draw(frame, camera, settings);
        const LightImage light =
            studio.renderer.read_light(studio.buffer, frame.extent, camera, settings, LightOf::kColors);
        double sum = 0;
        for (std::size_t i = 0; i < light.numbers.size(); i += 4) sum += static_cast<double>(light.numbers[i]);
        return sum;
    };
    const double both = total(MembersShown::kAll);
    EXPECT_NEAR(total(MembersShown::kDimmed) / both, (0.5 * kDimmedLight + 1.5) / 2, 1e-3);
    EXPECT_NEAR(total(MembersShown::kBright) / both, (0.5 + 1.5 * kDimmedLight) / 2, 1e-3);
}

}  // namespace
}  // namespace orrery::test
