// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>

#include "tests/app/render/cloud.hpp"

namespace orrery::test {
namespace {

constexpr int kOctreeWidth = 640, kOctreeHeight = 360;

SharedCells cells(std::vector<TreeCell> list) { return std::make_shared<const std::vector<TreeCell>>(std::move(list)); }

/// A root of side 2 centred on the origin with two children: a leaf, and a cell that contains one leaf.
SharedCells small_tree() {
    return cells({{{-1, -1, -1}, {1, 1, 1}, 0, 30, false},
                  {{0, 0, 0}, {1, 1, 1}, 1, 10, true},
                  {{-1, -1, -1}, {0, 0, 0}, 1, 20, false},
                  {{-1, -1, -1}, {-0.5f, -0.5f, -0.5f}, 2, 20, true}});
}

OrbitCamera aside() {
    CameraPose pose;
    pose.distance = 6;
    pose.yaw = 0.4, pose.pitch = 0.3;
    return OrbitCamera{pose};
}

struct SeenPixel {
    int x, y;
};
SeenPixel seen_at(const OrbitCamera& camera, glm::dvec3 point) {
    const glm::dvec4 clip =
        camera.projection(static_cast<double>(kOctreeWidth) / kOctreeHeight) * camera.view() * glm::dvec4{point, 1};
    return {static_cast<int>((clip.x / clip.w * 0.5 + 0.5) * kOctreeWidth),
            static_cast<int>((0.5 - clip.y / clip.w * 0.5) * kOctreeHeight)};
}

/// The brightest component within one pixel.
int light_near(const Image& image, SeenPixel at) {
    int most = 0;
    for (int y = at.y - 1; y <= at.y + 1; ++y)
        for (int x = at.x - 1; x <= at.x + 1; ++x)
            for (int c = 0; c < 3; ++c) most = std::max<int>(most, image.row(y)[4 * x + c]);
    return most;
}

ViewSettings with_octree() {
    ViewSettings settings;
    settings.octree.on = true;
    settings.octree.opacity = 1;
    return settings;
}

/// Draws cells without bodies, so that all light comes from lines.
Image draw(Studio& studio, const SharedCells& cells, const ViewSettings& settings) {
    studio.renderer.show_cells(cells);
    return studio.draw(cloud(0), aside(), settings, kOctreeWidth, kOctreeHeight);
}

TEST(Octree, DrawsTheTwelveEdgesOfACell) {
    Studio studio;
    ViewSettings settings = with_octree();
    settings.octree.last = 0;  // sets the range of colours and line widths
    const Image image = draw(studio, cells({{{-1, -1, -1}, {1, 1, 1}, 0, 5, true}}), settings);
    EXPECT_EQ(studio.renderer.cells_drawn(), 1u);
    const OrbitCamera camera = aside();
    double length = 0;
    for (int axis = 0; axis < 3; ++axis) {
        for (const double u : {-1, 1}) {
            for (const double v : {-1, 1}) {
                glm::dvec3 from, to;
                from[axis] = -1, to[axis] = 1;
                from[(axis + 1) % 3] = to[(axis + 1) % 3] = u;
                from[(axis + 2) % 3] = to[(axis + 2) % 3] = v;
                for (const double t : {0.1, 0.35, 0.6, 0.9})
                    EXPECT_GT(light_near(image, seen_at(camera, from + t * (to - from))), 60)
                        << "axis " << axis << " at " << u << ", " << v << ", part " << t;
                const SeenPixel a = seen_at(camera, from), b = seen_at(camera, to);
                length += std::hypot(a.x - b.x, a.y - b.y);
            }
        }
    }
    // Nothing else is lit: a line is two to three pixels wide.
    EXPECT_LT(lit(image), 3.5 * length);
    EXPECT_GT(lit(image), length);
    EXPECT_EQ(light_near(image, seen_at(camera, {0.5, 0.1, -0.3})), 0) << "inside the cell";
    EXPECT_EQ(light_near(image, {5, 5}), 0) << "outside the cell";
}

TEST(Octree, DrawsNothingWhenOff) {
    Studio studio;
    EXPECT_EQ(lit(draw(studio, small_tree(), ViewSettings{})), 0);
    EXPECT_EQ(studio.renderer.cells_drawn(), 0u);
    ViewSettings clear = with_octree();
    clear.octree.opacity = 0;
    EXPECT_EQ(lit(draw(studio, small_tree(), clear)), 0);
    EXPECT_EQ(lit(draw(studio, nullptr, with_octree())), 0) << "no tree";
    EXPECT_EQ(lit(draw(studio, cells({}), with_octree())), 0) << "an empty tree";
}

TEST(Octree, RespectsLevelsAndLeavesOnly) {
    Studio studio;
    ViewSettings settings = with_octree();
    EXPECT_GT(lit(draw(studio, small_tree(), settings)), 0);
    EXPECT_EQ(studio.renderer.cells_drawn(), 4u);
    settings.octree.first = 1;
    draw(studio, small_tree(), settings);
    EXPECT_EQ(studio.renderer.cells_drawn(), 3u);
    settings.octree.leaves_only = true;
    const Image leaves = draw(studio, small_tree(), settings);
    EXPECT_EQ(studio.renderer.cells_drawn(), 2u);
    const OrbitCamera camera = aside();
    EXPECT_GT(light_near(leaves, seen_at(camera, {1, 0.5, 1})), 20) << "the large leaf";
    EXPECT_GT(light_near(leaves, seen_at(camera, {-0.5, -0.75, -0.5})), 20) << "the small leaf";
    EXPECT_EQ(light_near(leaves, seen_at(camera, {1, -0.6, -1})), 0) << "the root is not a leaf";
    settings.octree.last = 1;
    draw(studio, small_tree(), settings);
    EXPECT_EQ(studio.renderer.cells_drawn(), 1u);
    settings.octree.first = 3, settings.octree.last = 5;
    EXPECT_EQ(lit(draw(studio, small_tree(), settings)), 0);
}

TEST(Octree, ColoursLevelsAndIsReproducible) {
    Studio studio;
    ViewSettings settings = with_octree();
    settings.octree.last = 2;
    const Image image = draw(studio, small_tree(), settings);
    const OrbitCamera camera = aside();
    const auto ratio = [&](glm::dvec3 point) {
        const SeenPixel at = seen_at(camera, point);
        const std::uint8_t* best = image.row(at.y) + 4 * at.x;
        for (int y = at.y - 1; y <= at.y + 1; ++y)
            for (int x = at.x - 1; x <= at.x + 1; ++x)
                if (const std::uint8_t* p = image.row(y) + 4 * x; p[0] + p[1] + p[2] > best[0] + best[1] + best[2])
                    best = p;
        return static_cast<double>(best[2]) / (best[0] + best[1] + best[2]);
    };
    EXPECT_GT(ratio({1, -0.6, -1}), 0.45) << "the root is blue";
    EXPECT_LT(ratio({-0.5, -0.75, -0.5}), 0.3) << "the deepest level is yellow";
    EXPECT_EQ(draw(studio, small_tree(), settings).rgba, image.rgba);
    Studio another;
    EXPECT_EQ(draw(another, small_tree(), settings).rgba, image.rgba);
}

TEST(Octree, IsDrawnOverTheBodiesAndLeavesNoTrace) {
    Studio studio;
    const Frame frame = cloud(5000);
    const ViewSettings without;
    const Image before = studio.draw(frame, aside(), without, kOctreeWidth, kOctreeHeight);
    studio.renderer.show_cells(small_tree());
    const Image over = studio.draw(frame, aside(), with_octree(), kOctreeWidth, kOctreeHeight);
    for (std::size_t i = 0; i < before.rgba.size(); ++i)
        ASSERT_GE(over.rgba[i] + 1, before.rgba[i]) << "byte " << i << ": lines only add";
    EXPECT_NE(over.rgba, before.rgba);
    EXPECT_EQ(studio.draw(frame, aside(), without, kOctreeWidth, kOctreeHeight).rgba, before.rgba);
}

TEST(Octree, IsDrawnFromWithinACell) {
    Studio studio;
    CameraPose pose;
    pose.distance = 0.5;  // the eye is inside the cell, with corners behind it
    studio.renderer.show_cells(cells({{{-1, -1, -1}, {1, 1, 1}, 0, 5, true}}));
    const Image image = studio.draw(cloud(0), OrbitCamera{pose}, with_octree(), kOctreeWidth, kOctreeHeight);
    EXPECT_GT(lit(image), 0);
    EXPECT_LT(lit(image), kOctreeWidth * kOctreeHeight / 20) << "lines, not triangles across the frame";
}

}  // namespace
}  // namespace orrery::test
