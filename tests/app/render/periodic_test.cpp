// SPDX-License-Identifier: MIT
// Pictures of periodic boxes, compared with pictures of bodies that were moved by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/camera/periodic.hpp"
#include "app/render/lasso.hpp"
#include "app/render/shutter.hpp"
#include "app/window/hand/pick.hpp"
#include "core/base/error.hpp"
#include "core/bodies/body_metadata.hpp"
#include "tests/app/render/cloud.hpp"

namespace orrery::test {
namespace {

constexpr double kEdge = 4;  // a power of two: shifts by it are exact
constexpr int kBoxWide = 192, kBoxHigh = 108;

/// Bodies within a box from the origin on, at multiples of 2⁻¹².
Frame boxed(std::size_t bodies) {
    Frame frame = cloud(bodies);
    for (Vec4f& body : frame.host)
        for (float* x : {&body.x, &body.y, &body.z}) {
            const float rounded = std::round(4096 * (*x + 1.75f)) / 4096;
            *x = rounded - 4 * std::floor(rounded / 4);
        }
    BodyMetadata words;
    words.box = kEdge;
    frame.words = std::make_shared<const BodyMetadata>(words);
    return frame;
}

/// The same bodies at an image of each.
template <class Place>
Frame moved(Frame frame, Place place) {
    for (Vec4f& body : frame.host) {
        const Vec3d at = place(Vec3d{body.x, body.y, body.z});
        body = {static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z), body.w};
    }
    return frame;
}

OrbitCamera around(Vec3d centre, double distance = 14) {
    return OrbitCamera{{{centre.x, centre.y, centre.z}, distance, 0.5, 0.4}};
}

ViewSettings drawn_as(DrawMode mode) {
    ViewSettings settings = linear_view(mode);
    settings.exposure_by = ExposureBy::kBodies;
    return settings;
}

std::vector<float> light(Studio& studio, const Frame& frame, const OrbitCamera& camera, const ViewSettings& settings) {
    studio.draw(frame, camera, settings, kBoxWide, kBoxHigh);
    return studio.renderer.read_light(studio.buffer, frame.extent, camera, settings, LightOf::kColors).numbers;
}

double sum(const std::vector<float>& light) {
    double all = 0;
    for (std::size_t i = 0; i < light.size(); i += 4) all += double{light[i]};
    return all;
}

TEST(PeriodicBox, ImagesAreShiftsByWholeEdges) {
    const Periodic space{kEdge, {1, 2, 3}, 3};
    EXPECT_EQ(space.copies(), 27);
    for (int copy = 0; copy < 27; ++copy) {
        const Vec3d at = space.image({-5.25, 2, 4.75}, copy), middle = space.image({-5.25, 2, 4.75}, 13);
        EXPECT_EQ(at, (middle + kEdge * Vec3d{copy % 3 - 1.0, copy / 3 % 3 - 1.0, copy / 9 - 1.0}));
    }
    EXPECT_EQ(space.nearest({-5.25, 2, 4.75}), (Vec3d{2.75, 2, 4.75}));
    EXPECT_EQ(space.nearest({3, 4, 5}), (Vec3d{-1, 0, 1})) << "the upper sides belong to the next box";
    EXPECT_EQ(Periodic{}.image({9, 9, 9}, 0), (Vec3d{9, 9, 9}));
}

TEST(PeriodicBox, SettingsChooseSpace) {
    ViewSettings view;
    EXPECT_FALSE(periodic_of(view, kEdge).on());
    view.space.wrap = true;
    EXPECT_EQ(periodic_of(view, kEdge).centre, (Vec3d{2, 2, 2}));
    EXPECT_FALSE(periodic_of(view, 0).on());
    view.space = {.recentre = "1, -2.5,3", .tiles = 2, .box = 8};
    const Periodic space = periodic_of(view, kEdge);
    EXPECT_EQ(space.edge, 8);
    EXPECT_EQ(space.centre, (Vec3d{1, -2.5, 3}));
    EXPECT_EQ(space.copies(), 8);
    EXPECT_EQ(point_in(text_of_point({0.1, -1e-30, 7})), (Vec3d{0.1, -1e-30, 7}));
    for (const char* wrong : {"", "1 2", "1 2 3 4", "1 2 x", "1 2 inf"}) EXPECT_FALSE(point_in(wrong)) << wrong;
    const ViewSetting& recentre = setting(view_settings(), "recentre");
    for (const char* right : {"", "1 2 3", "halo", "body 7"})
        EXPECT_TRUE(accepts(recentre.info, std::string{right})) << right;
    EXPECT_FALSE(accepts(recentre.info, std::string{"somewhere"}));
}

/// Bodies at any of their images give the same picture.
TEST(PeriodicBox, ShiftsByAnEdgeChangeNothing) {
    Studio studio;
    const Frame frame = boxed(900);
    int turn = 0;
    const Frame shifted = moved(frame, [&](Vec3d at) {
        ++turn;
        return at + kEdge * Vec3d{turn % 3 - 1.0, turn % 5 - 2.0, turn % 2 - 0.0};
    });
    const Frame all_shifted = moved(frame, [](Vec3d at) { return at + Vec3d{kEdge, 0, -kEdge}; });
    for (const DrawMode mode : {DrawMode::kPoints, DrawMode::kSplat, DrawMode::kSmoothed}) {
        ViewSettings settings = drawn_as(mode);
        settings.space.wrap = true;
        // The distances to neighbours are those of the bodies as they are.
        const Frame& other = mode == DrawMode::kSmoothed ? all_shifted : shifted;
        const auto expected = light(studio, frame, around({2, 2, 2}), settings);
        EXPECT_EQ(light(studio, other, around({2, 2, 2}), settings), expected) << static_cast<int>(mode);
        settings.space.wrap = false;
        EXPECT_NE(light(studio, other, around({2, 2, 2}), settings), expected) << static_cast<int>(mode);
        EXPECT_EQ(light(studio, frame, around({2, 2, 2}), settings), expected) << "bodies of the box are not moved";
    }
}

TEST(PeriodicBox, RecentredBodiesAreDrawnAsIfMovedByHand) {
    Studio studio;
    const Frame frame = boxed(900);
    const Vec3d edge{0.125, 3.75, 2.5};
    const Frame by_hand = moved(frame, [&](Vec3d at) {
        const auto near = [](double x, double middle) { return x >= middle + 2 ? x - 4 : x < middle - 2 ? x + 4 : x; };
        return Vec3d{near(at.x, edge.x), near(at.y, edge.y), near(at.z, edge.z)};
    });
    for (const DrawMode mode : {DrawMode::kPoints, DrawMode::kSplat}) {
        ViewSettings settings = drawn_as(mode);
        const auto expected = light(studio, by_hand, around(edge), settings),
                   raw = light(studio, frame, around(edge), settings);
        settings.space.recentre = text_of_point(edge);
        EXPECT_EQ(light(studio, frame, around(edge), settings), expected) << static_cast<int>(mode);
        EXPECT_NE(raw, expected);
    }
}

/// n³ copies have n³ times the light, in the pixels where bodies that were copied by hand are drawn.
TEST(PeriodicBox, TilesAreCopies) {
    Studio studio;
    const Frame frame = boxed(150);
    for (const int n : {2, 3}) {
        Frame copies = frame;
        copies.host.clear();
        for (const Vec4f& body : frame.host)
            for (int copy = 0; copy < n * n * n; ++copy) {
                const float half = 2.0f * static_cast<float>(n - 1), step = 4;
                copies.host.push_back({body.x - half + step * static_cast<float>(copy % n),
                                       body.y - half + step * static_cast<float>(copy / n % n),
                                       body.z - half + step * static_cast<float>(copy / (n * n)), body.w});
            }
        copies.count = copies.host.size();
        copies.words = nullptr;
        for (const DrawMode mode : {DrawMode::kPoints, DrawMode::kSplat}) {
            ViewSettings settings = drawn_as(mode);
            const OrbitCamera camera = around({2, 2, 2}, 60);
            const double one = sum(light(studio, frame, camera, settings));
            const auto expected = light(studio, copies, camera, settings);
            settings.space.tiles = n;
            const auto tiles = light(studio, frame, camera, settings);
            if (mode == DrawMode::kSplat) {
                EXPECT_EQ(tiles, expected) << "sums of whole numbers";
            }
            EXPECT_NEAR(sum(tiles), n * n * n * one, mode == DrawMode::kSplat ? 1e-3 * sum(tiles) : 0.03 * sum(tiles));
        }
    }
}

TEST(PeriodicBox, SmoothedTilesHaveTheLightOfAllCopies) {
    Studio studio;
    const Frame frame = boxed(300);
    ViewSettings settings = drawn_as(DrawMode::kSmoothed);
    const OrbitCamera camera = around({2, 2, 2}, 60);
    const double one = sum(light(studio, frame, camera, settings));
    settings.space.tiles = 2;
    EXPECT_NEAR(sum(light(studio, frame, camera, settings)), 8 * one, 0.01 * 8 * one);
}

TEST(PeriodicBox, WithoutABoxSettingsChangeNothing) {
    Studio studio;
    Frame frame = boxed(500);
    frame.words = nullptr;
    ViewSettings settings = drawn_as(DrawMode::kSplat);
    const auto expected = light(studio, frame, around({2, 2, 2}), settings);
    settings.space = {.wrap = true, .recentre = "1 1 1", .tiles = 3};
    EXPECT_EQ(light(studio, frame, around({2, 2, 2}), settings), expected);
}

/// A trail continues at the other side instead of crossing the picture.
TEST(PeriodicBox, TrailsCrossTheBorder) {
    const auto walker = [](float x, std::int64_t step) {
        Frame frame = boxed(1);
        frame.host = {{x, 2, 2, 0.5f}};
        frame.step = step;
        return frame;
    };
    ViewSettings settings = drawn_as(DrawMode::kSplat);
    settings.trails = {.on = true, .points = 8, .every = 1, .opacity = 1};
    const OrbitCamera camera{{{2, 2, 2}, 8, -1.5707963267948966, 0}};
    const auto lit_in_the_middle = [&](bool wrap) {
        settings.space.wrap = wrap;
        Studio studio;
        studio.draw(walker(3.75f, 0), camera, settings, kBoxWide, kBoxHigh);
        const Image image = studio.draw(walker(0.25f, 1), camera, settings, kBoxWide, kBoxHigh);
        int lit = 0;
        for (int y = 0; y < kBoxHigh; ++y) lit += light_of(image, kBoxWide / 2, y) > 0 ? 1 : 0;
        return lit;
    };
    EXPECT_GT(lit_in_the_middle(false), 0);
    EXPECT_EQ(lit_in_the_middle(true), 0);
}

/// Between two states a body passes through the side of the box.
TEST(PeriodicBox, InstantsCrossTheBorder) {
    OffscreenContext context;
    SharedBuffer from, to;
    BodiesBetween between;
    const auto middle = [&](float a, float b, bool boxed_scene) {
        Frame frame = boxed(1);
        if (!boxed_scene) frame.words = nullptr;
        frame.host = {{a, 1, 2, 0.5f}};
        from.upload(frame);
        frame.host = {{b, 1, 2, 0.5f}};
        to.upload(frame);
        return between.at(from, to, 0.5f).read(1).front().x;
    };
    EXPECT_EQ(middle(3.75f, 0.75f, true), 0.25f);
    EXPECT_EQ(middle(3.75f, 0.75f, false), 2.25f);
    EXPECT_EQ(middle(1, 2, true), 1.5f);
    EXPECT_EQ(middle(-1, 3.5f, true), 1.25f) << "outside the box space is not periodic";
}

/// A click and a lasso find bodies where they are seen, on the host and on the GPU.
TEST(PeriodicBox, PickingFindsTheVisibleImage) {
    const Frame frame = boxed(2000);
    const Periodic space{kEdge, {0.25, 3.5, 1}, 2};
    const OrbitCamera camera = around(space.centre, 20);
    constexpr double kWide = 800, kHigh = 600;
    const Projector project{camera, kWide, kHigh};
    const std::vector<Vec4f> lone{{3.75f, 0.25f, 1, 0}};
    for (int copy = 0; copy < space.copies(); ++copy) {
        const Vec3d at = space.image({3.75, 0.25, 1}, copy);
        const auto seen = project({at.x, at.y, at.z});
        ASSERT_TRUE(seen);
        EXPECT_EQ(body_at(lone, {camera, kWide, kHigh, space}, *seen, 2), 0u);
        EXPECT_EQ(body_at(lone, {camera, kWide, kHigh}, *seen, 2), std::nullopt);
    }
    OffscreenContext context;
    SharedBuffer buffer;
    buffer.upload(frame);
    Lasso lasso;
    for (const double reach : {20.0, 60.0, 200.0}) {
        const Outline line{std::vector<OutlinePoint>{{400 - reach, 300 - reach},
                                                     {400 + reach, 300 - reach},
                                                     {400 + 0.3 * reach, 300},
                                                     {400 + reach, 300 + reach},
                                                     {400 - reach, 300 + reach}}};
        const BodySet found = bodies_within(frame.host, project, line, space);
        EXPECT_GT(found.count(), 0u);
        EXPECT_EQ(lasso.within(buffer, camera, kWide, kHigh, line, space), found);
        const Frame by_hand = moved(frame, [&](Vec3d at) { return space.nearest(at); });
        const Periodic one{kEdge, space.centre, 1};
        EXPECT_EQ(bodies_within(frame.host, project, line, one), bodies_within(by_hand.host, project, line));
    }
}

}  // namespace
}  // namespace orrery::test
