// SPDX-License-Identifier: MIT
// Legends in recorded frames, where there is no window.
#include <gtest/gtest.h>

#include "app/platform/offscreen_context.hpp"
#include "app/record/picture_maker.hpp"
#include "core/bodies/body_metadata.hpp"
#include "tests/app/render/cloud.hpp"

namespace orrery::test {
namespace {

constexpr int kLegendWidth = 640, kLegendHeight = 360;

struct Pixel {
    int x, y;
};

/// Pixels in which two images differ.
std::vector<Pixel> differences(const Image& a, const Image& b) {
    std::vector<Pixel> found;
    for (int y = 0; y < a.height; ++y)
        for (int x = 0; x < a.width; ++x)
            if (!std::equal(a.row(y) + 4 * x, a.row(y) + 4 * x + 4, b.row(y) + 4 * x)) found.push_back({x, y});
    return found;
}

struct LegendTest : ::testing::Test {
    /// Draws one frame of three named bodies.
    Image picture(const ViewSettings& view, bool legend, double time = 1.5, int supersampling = 1) {
        Frame frame = test::cloud(3);
        frame.host = {{0, 0, 0, 0}, {0.5f, 0, 0, 1}, {0, 0, 0, 0}};
        frame.extent = {{0, 0, 0}, 1, 0, 1};
        frame.time = time;
        BodyMetadata words{"AU", "M☉", 365.25};
        words.names = {"Sun", "Earth", "Vulcan"};
        frame.words = std::make_shared<const BodyMetadata>(words);
        SharedBuffer bodies;
        bodies.upload(frame);
        PictureMaker maker{context.gl_info(), {kLegendWidth, kLegendHeight, supersampling}, 60, legend};
        maker.draw(bodies, frame, {.target = {0, 0, 0}, .distance = 3, .yaw = 0, .pitch = 1}, view);
        return *maker.take();
    }
    static ViewSettings nothing() {
        ViewSettings view;
        view.color_bar = view.guides.scale_bar = view.guides.time_stamp = view.guides.labels = false;
        return view;
    }
    OffscreenContext context{-1};
};

TEST_F(LegendTest, IsDrawnOnlyOnRequest) {
    EXPECT_EQ(picture(ViewSettings{}, false).rgba, picture(nothing(), false).rgba);
    EXPECT_EQ(picture(nothing(), true).rgba, picture(nothing(), false).rgba);
}

TEST_F(LegendTest, EachPartHasItsPlaceAndIsReproducible) {
    const Image plain = picture(nothing(), true);
    ViewSettings bar = nothing(), scale = nothing(), clock = nothing(), labels = nothing();
    bar.color_bar = scale.guides.scale_bar = clock.guides.time_stamp = labels.guides.labels = true;
    const auto count = [&](const ViewSettings& view, auto where) {
        const Image with = picture(view, true);
        EXPECT_EQ(with.rgba, picture(view, true).rgba) << "must be reproducible";
        const auto found = differences(plain, with);
        for (const Pixel& p : found) EXPECT_TRUE(where(p)) << p.x << ' ' << p.y;
        return found.size();
    };
    const auto lower_right = [](Pixel p) { return p.x > kLegendWidth * 3 / 4 && p.y > kLegendHeight / 4; };
    const auto lower_left = [](Pixel p) { return p.x < kLegendWidth / 2 && p.y > kLegendHeight * 3 / 4; };
    const auto middle = [](Pixel p) {
        return std::abs(p.y - kLegendHeight / 2) < kLegendHeight / 4 && p.x > kLegendWidth / 4;
    };
    EXPECT_GT(count(bar, lower_right), 800u);
    EXPECT_GT(count(scale, lower_left), 100u);
    EXPECT_GT(count(clock, lower_left), 100u);
    EXPECT_GT(count(labels, middle), 100u);
}

TEST_F(LegendTest, ShowsTheTimeOfTheFrame) {
    ViewSettings clock = nothing();
    clock.guides.time_stamp = true;
    EXPECT_NE(picture(clock, true, 1.5).rgba, picture(clock, true, 2.5).rgba);
}

TEST_F(LegendTest, OmitsOverlappingNames) {
    ViewSettings labels = nothing();
    labels.guides.labels = true;
    // Vulcan coincides with the Sun, and its name would make the Sun's unreadable: two names are drawn, not three.
    const auto found = differences(picture(nothing(), true), picture(labels, true));
    int left = 0;
    for (const Pixel& p : found) left += p.x < kLegendWidth * 5 / 9;
    EXPECT_GT(left, 50);
    EXPECT_LT(left, 400);
}

TEST_F(LegendTest, HasTheSameSizeWithSupersampling) {
    ViewSettings bar = nothing();
    bar.color_bar = true;
    const auto box = [&](int supersampling) {
        Pixel low{kLegendWidth, kLegendHeight}, high{0, 0};
        for (const Pixel& p :
             differences(picture(nothing(), true, 1, supersampling), picture(bar, true, 1, supersampling)))
            low = {std::min(low.x, p.x), std::min(low.y, p.y)}, high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        return std::pair{low, high};
    };
    const auto [low, high] = box(1);
    const auto [low2, high2] = box(2);
    for (const int off : {low.x - low2.x, low.y - low2.y, high.x - high2.x, high.y - high2.y})
        EXPECT_LE(std::abs(off), 2);
}

}  // namespace
}  // namespace orrery::test
