// SPDX-License-Identifier: MIT
// Level-of-detail selection and streaming of cloud files.
#include "core/cloud/cloud_stream.hpp"

#include <cmath>
#include <map>
#include <numeric>

#include "tests/core/cloud/clouds.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

/// The view from (2, -1, z) along −z in a square frame of 1000 pixels with a field of view of 90°.
ViewRegion region_from(double z, std::uint64_t bodies, double spacing) {
    ViewRegion region;
    const double near = 1e-4;
    // Column-major: x and y unchanged apart from the eye, w = −(z − eye), depth starts at −w = `near`.
    region.clip_from_world = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, -2, 1, z - 2 * near, z};
    region.eye = {2, -1, z};
    region.pixels_per_length = 500;
    region.everywhere = false;
    region.bodies = bodies;
    region.spacing = spacing;
    return region;
}

class CloudStreams : public Scratch {
protected:
    CloudStreams() { write_cloud(*cloud_source(scene), path("x.cloud"), kSmallCells); }
    static double light(const Frame& frame) {
        if (!frame.masses) return static_cast<double>(frame.count);
        return std::accumulate(frame.masses->begin(), frame.masses->end(), 0.0);
    }
    Scene scene = concentrated(30'000);
};

TEST_F(CloudStreams, ShowTheRootAtOnceAndAllBodiesOnRequest) {
    CloudStream stream{path("x.cloud")};
    Frame frame;
    stream.fill(frame);
    EXPECT_LT(frame.count, 200u);
    EXPECT_EQ(stream.status().bodies, 30'000u);
    EXPECT_NEAR(light(frame), 30'000, 0.01);
    EXPECT_TRUE(frame.lights);
    stream.look(region_from(30, 1'000'000, 0));
    stream.wait();
    stream.fill(frame);
    EXPECT_EQ(frame.count, 30'000u);
    EXPECT_EQ(frame.masses, nullptr);
    EXPECT_EQ(stream.status().most, 1);
    EXPECT_EQ(stream.status().spacing, 0);
    EXPECT_FALSE(stream.status().full);
    auto found = frame.host;
    std::vector<Vec4f> expected;
    for (const Row& row : rows(scene.bodies)) expected.push_back({row[0], row[1], row[2], row[3]});
    const auto before = [](const Vec4f& a, const Vec4f& b) {
        return std::tuple{a.x, a.y, a.z, a.w} < std::tuple{b.x, b.y, b.z, b.w};
    };
    std::ranges::sort(found, before);
    std::ranges::sort(expected, before);
    EXPECT_TRUE(found == expected);
}

TEST_F(CloudStreams, ColorByTheFieldOfTheView) {
    std::vector<float> first, second;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        first.push_back(static_cast<float>(scene.bodies.position_mass[i].x));
        second.push_back(i % 4 == 0 ? NAN : static_cast<float>(scene.bodies.position_mass[i].w));
    }
    scene.bodies.fields = {make_field("X", "kpc", first), make_field("M", "", second)};
    write_cloud(*cloud_source(scene), path("x.cloud"), kSmallCells);
    CloudStream stream{path("x.cloud"), CloudStream::default_budget(), "M"};
    EXPECT_EQ(stream.scene().bodies.fields.size(), 2u);
    ViewRegion region = region_from(30, 1'000'000, 0);
    region.color_by = ColorBy::kField;
    for (const std::string field : {"", "X", "Z"}) {
        region.color_field = field;
        stream.look(region);
        stream.wait();
        Frame frame;
        stream.fill(frame);
        ASSERT_EQ(frame.count, 30'000u);
        if (field == "Z") {
            EXPECT_EQ(frame.no_color, "this cloud has no field Z; it has X, M");
            continue;
        }
        EXPECT_EQ(frame.no_color, "");
        EXPECT_EQ(frame.extent.field, field.empty() ? "M" : "X") << "the first of the request";
        std::size_t missing = 0;
        for (const Vec4f& vertex : frame.host) {
            missing += std::isnan(vertex.w) ? 1 : 0;
            ASSERT_TRUE(field.empty() || vertex.w == vertex.x);
        }
        EXPECT_EQ(missing, field.empty() ? 7500u : 0u);
        EXPECT_NEAR(frame.extent.missing, field.empty() ? 0.25 : 0, 0.1) << "of the root's sample";
    }
    EXPECT_THROW((CloudStream{path("x.cloud"), CloudStream::default_budget(), "Z"}), Error);
}

/// Light is the number of bodies or, with --mass-size 1, their mass.
TEST_F(CloudStreams, ConserveLightAtEveryLevelOfDetail) {
    for (const float power : {0.0f, 1.0f})
        for (const std::uint64_t bodies : {1000, 5000, 20'000}) {
            CloudStream stream{path("x.cloud")};
            ViewRegion region = region_from(100, bodies, 0);
            region.mass_power = power;
            stream.look(region);
            stream.wait();
            Frame frame;
            stream.fill(frame);
            EXPECT_LE(frame.count, bodies);
            EXPECT_GT(frame.count, bodies / 3);
            EXPECT_TRUE(stream.status().full);
            EXPECT_EQ(stream.status().stands_for, 30'000u);
            EXPECT_NEAR(light(frame), 30'000, 0.02) << power << ' ' << bodies;
        }
}

TEST_F(CloudStreams, ReadVisibleAndNearCellsFirst) {
    CloudStream stream{path("x.cloud")};
    stream.look(region_from(30, 1'000'000, 2));
    stream.wait();
    const CloudStatus far = stream.status();
    EXPECT_LE(far.spacing, 2);
    EXPECT_GT(far.most, 1);
    EXPECT_LT(far.shown, 30'000u);
    stream.look(region_from(0.5, 1'000'000, 2));  // from inside: only the half in front of the eye is visible
    stream.wait();
    const CloudStatus near = stream.status();
    EXPECT_LE(near.spacing, 2);
    EXPECT_LT(near.stands_for, 30'000u);
    EXPECT_LT(near.most, far.most);
    stream.look(region_from(-100, 1'000'000, 2));  // the whole cloud is behind the eye
    stream.wait();
    EXPECT_EQ(stream.status().shown, 0u);
    Frame frame;
    stream.fill(frame);
    EXPECT_EQ(frame.count, 0u);
}

/// A cut covers every position with exactly one cell.
TEST_F(CloudStreams, CoverEveryPositionOnce) {
    const CloudFile file{path("x.cloud")};
    const auto all = [](std::uint32_t) { return true; };
    for (const std::uint64_t bodies : {0, 2000, 10'000, 1'000'000}) {
        ViewRegion region = region_from(30, bodies, 0);
        region.everywhere = true;
        const CloudCut cut = cloud_cut(file.nodes(), file.about().cube, region, all);
        std::uint64_t stands_for = 0;
        for (const std::uint32_t a : cut.shown) {
            stands_for += file.nodes()[a].bodies;
            for (const std::uint32_t b : cut.shown) {
                const int deeper = file.nodes()[b].level() - file.nodes()[a].level();
                EXPECT_FALSE(a != b && deeper >= 0 && file.nodes()[b].key >> 3 * deeper == file.nodes()[a].key);
            }
        }
        EXPECT_EQ(stands_for, 30'000u);
        EXPECT_EQ(cut.stands_for, 30'000u);
    }
}

/// From so far away that all cells are equally distant. No cell stays coarse beside a divided one whose bodies were
/// denser, and a slightly larger budget does not bring in all bodies of the children at once.
TEST_F(CloudStreams, AreRefinedEvenlyUpToTheLastBody) {
    const CloudFile file{path("x.cloud")};
    const auto& nodes = file.nodes();
    const CloudCube& cube = file.about().cube;
    const auto all = [](std::uint32_t) { return true; };
    const auto spacing = [&](std::uint32_t n) {
        return nodes[n].shown == nodes[n].bodies ? 0 : nodes[n].side(cube) / std::cbrt(nodes[n].shown);
    };
    std::map<std::uint32_t, std::uint64_t> before;  // bodies drawn for each cell, by itself or by its descendants
    int replaced = 0, sudden = 0;
    for (double bodies = 1000; bodies < 29'000; bodies *= 1.02) {
        ViewRegion region = region_from(1e6, static_cast<std::uint64_t>(bodies), 0);
        region.everywhere = true;
        const CloudCut cut = cloud_cut(nodes, cube, region, all);
        ASSERT_EQ(cut.shown.size(), cut.counts.size());
        EXPECT_LE(cut.bodies, bodies);
        EXPECT_GT(cut.bodies, 0.85 * bodies);
        double widest = 0, narrowest = 1e300;
        std::map<std::uint32_t, std::uint64_t> drawn;
        for (std::size_t i = 0; i < cut.shown.size(); ++i) {
            drawn[cut.shown[i]] = cut.counts[i];
            EXPECT_LE(cut.counts[i], nodes[cut.shown[i]].shown);
            EXPECT_GT(cut.counts[i], 0u);
        }
        for (auto n = static_cast<std::uint32_t>(nodes.size()); n-- > 0;) {
            if (std::ranges::find(cut.visited, n) == cut.visited.end()) continue;
            const bool shown = drawn.contains(n);
            if (nodes[n].children > 0)
                (shown ? widest : narrowest) = shown ? std::max(widest, spacing(n)) : std::min(narrowest, spacing(n));
            for (std::uint32_t k = 0; !shown && k < nodes[n].children; ++k) drawn[n] += drawn[nodes[n].first_child + k];
        }
        EXPECT_LE(widest, narrowest * (1 + 1e-9)) << bodies;
        for (const auto& [n, count] : drawn) {
            if (!before.contains(n) || before[n] != nodes[n].shown || count == before[n]) continue;
            std::uint64_t whole = 0;
            for (std::uint32_t k = 0; k < nodes[n].children; ++k) whole += nodes[nodes[n].first_child + k].shown;
            ++replaced;
            sudden += count > before[n] + (whole - before[n]) * 2 / 5;
        }
        before = std::move(drawn);
    }
    EXPECT_GT(replaced, 20);
    EXPECT_LT(sudden, replaced / 10);
}

TEST_F(CloudStreams, ShowLoadedCellsUntilTheRestArrives) {
    const CloudFile file{path("x.cloud")};
    const CloudCut cut = cloud_cut(file.nodes(), file.about().cube, region_from(30, 1'000'000, 0),
                                   [](std::uint32_t node) { return node == 0; });
    EXPECT_EQ(cut.shown, std::vector<std::uint32_t>{0});
    EXPECT_EQ(cut.wanted.size(), file.nodes()[0].children);
    EXPECT_EQ(cut.stands_for, 30'000u);
}

TEST_F(CloudStreams, ReportDamageAndShowTheRest) {
    std::string bytes = content(path("x.cloud"));
    const CloudFile file{path("x.cloud")};
    bytes[static_cast<std::size_t>(file.nodes().back().offset)] ^= 1;
    CloudStream stream{save("bad.cloud", bytes)};
    stream.look(region_from(30, 1'000'000, 0));
    expect_error([&] { stream.wait(); }, Blame::kUsage, "bad.cloud", "checksum");
    EXPECT_THAT(stream.remark(), testing::HasSubstr("checksum"));
    Frame frame;
    stream.fill(frame);
    EXPECT_NEAR(light(frame), 30'000, 0.02);
}

}  // namespace
}  // namespace orrery::test
