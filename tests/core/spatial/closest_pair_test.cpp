// SPDX-License-Identifier: MIT
#include "core/spatial/contacts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "core/base/random.hpp"
#include "core/presets/presets.hpp"

namespace orrery::test {
namespace {

using Places = std::vector<Vec4d>;

/// Over all pairs.
double least_distance(const Places& places) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < places.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const Vec3d d = xyz(places[i]) - xyz(places[j]);
            least = std::min(least, std::hypot(d.x, d.y, d.z));
        }
    return least;
}

Places random_cube(std::size_t count, std::uint64_t seed, double side = 1) {
    Random random{seed};
    Places places(count);
    for (Vec4d& p : places) p = {side * random.uniform(), side * random.uniform(), side * random.uniform(), 1};
    return places;
}

struct Set {
    std::string name;
    Places places;
};

std::vector<Set> sets() {
    std::vector<Set> all;
    for (const std::size_t count : {2, 3, 4, 5, 17, 100, 1023, 1025, 3000})
        for (const std::uint64_t seed : {1, 2, 3}) all.push_back({"cube", random_cube(count, seed)});
    Random random{7};
    Places line, plane, lattice, spiral, clusters;
    for (int i = 0; i < 2000; ++i) {
        line.push_back({0.25, random.uniform(), -3, 1});
        plane.push_back({random.uniform(), 0, random.uniform(), 1});
        spiral.push_back({std::cos(0.1 * i) * std::exp(0.01 * i), std::sin(0.1 * i) * std::exp(0.01 * i), 0, 1});
    }
    for (int i = 0; i < 12 * 12 * 12; ++i) lattice.push_back({double(i % 12), double(i / 12 % 12), double(i / 144), 1});
    // Two clumps a millionth of the whole wide: each fills few cells of the curve's coarser levels.
    for (const Vec4d& p : random_cube(1500, 9, 1e-6)) {
        clusters.push_back({p.x + 1, p.y, p.z, 1});
        clusters.push_back({p.x - 1, p.y + 0.5, p.z - 0.5, 1});
    }
    clusters.push_back({1e3, 0, 0, 1});
    all.insert(all.end(),
               {{"line", line}, {"plane", plane}, {"lattice", lattice}, {"spiral", spiral}, {"clusters", clusters}});
    // Neighbours on either side of the middle, where the curve makes its longest jump.
    Places astride = lattice;
    astride.push_back({5.999999, 6.2, 6.3, 1});
    astride.push_back({6.000001, 6.2, 6.3, 1});
    for (Vec4d& p : astride) p.x -= 6, p.y -= 6, p.z -= 6;
    all.push_back({"astride", astride});
    Places far = random_cube(500, 11, 1e-12);
    far.push_back({1e6, -1e6, 1e6, 1});
    all.push_back({"far", far});
    all.push_back({"plummer", make_preset("plummer", {.bodies = 4000}).bodies.position_mass});
    return all;
}

TEST(ClosestPair, MatchesAllPairsSearch) {
    Pool pool{2, false};
    for (const Set& set : sets()) {
        const auto found = closest_pair(pool, set.places);
        ASSERT_TRUE(found);
        ASSERT_LT(found->first, found->second);
        ASSERT_LT(found->second, set.places.size());
        EXPECT_EQ(found->distance, least_distance(set.places)) << set.name << ", " << set.places.size();
        const Vec3d d = xyz(set.places[found->first]) - xyz(set.places[found->second]);
        EXPECT_EQ(found->distance, std::hypot(d.x, d.y, d.z));
    }
}

TEST(ClosestPair, DoesNotExistForFewerThanTwoBodies) {
    Pool pool{1, false};
    EXPECT_FALSE(closest_pair(pool, Places{}));
    EXPECT_FALSE(closest_pair(pool, Places{{1, 2, 3, 1}}));
}

TEST(ClosestPair, HasZeroDistanceForCoincidentBodies) {
    Pool pool{2, false};
    EXPECT_EQ(closest_pair(pool, Places(1000, {1, 2, 3, 1}))->distance, 0);
    Places places = random_cube(5000, 3);
    places[4321] = places[77];
    const auto found = closest_pair(pool, places);
    EXPECT_EQ(found->distance, 0);
    EXPECT_EQ(found->first, 77u);
    EXPECT_EQ(found->second, 4321u);
}

TEST(ClosestPair, IsEqualOnAnyNumberOfThreads) {
    Pool one{1, false}, three{3, false};
    Places lattice;  // very many equidistant pairs
    for (int i = 0; i < 40 * 40 * 40; ++i)
        lattice.push_back({double(i % 40), double(i / 40 % 40), double(i / 1600), 1});
    for (const Places& places : {lattice, random_cube(100000, 5)}) {
        const auto a = closest_pair(one, places), b = closest_pair(three, places);
        EXPECT_EQ(a->first, b->first);
        EXPECT_EQ(a->second, b->second);
        EXPECT_EQ(a->distance, b->distance);
    }
}

// The closest pair is invariant under translation, rotation by a right angle, and scaling by two.
TEST(ClosestPair, IsInvariantUnderRotationAndScaling) {
    Pool pool{2, false};
    const Places places = random_cube(20000, 8);
    const auto expected = closest_pair(pool, places);
    Places turned, grown;
    for (const Vec4d& p : places)
        turned.push_back({-p.y, p.z, p.x, 1}), grown.push_back({2 * p.x, 2 * p.y, 2 * p.z, 1});
    const auto a = closest_pair(pool, turned), b = closest_pair(pool, grown);
    EXPECT_EQ(a->first, expected->first);
    EXPECT_EQ(a->second, expected->second);
    EXPECT_EQ(a->distance, expected->distance);
    EXPECT_EQ(b->first, expected->first);
    EXPECT_EQ(b->distance, 2 * expected->distance);
}

}  // namespace
}  // namespace orrery::test
