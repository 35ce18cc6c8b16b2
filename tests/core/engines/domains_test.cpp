// SPDX-License-Identifier: MIT
#include "core/engines/domains.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/presets/presets.hpp"

namespace orrery {
namespace {

/// Sorted keys of a preset's bodies.
std::vector<std::uint64_t> keys_of(const std::string& preset, std::uint64_t bodies) {
    const Scene scene = make_preset(preset, {.bodies = bodies});
    Vec3d low = xyz(scene.bodies.position_mass[0]), high = low;
    for (const Vec4d& x : scene.bodies.position_mass) {
        low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
        high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
    }
    const auto grid = key_grid(low, std::max({high.x - low.x, high.y - low.y, high.z - low.z}));
    std::vector<std::uint64_t> keys;
    for (const Vec4d& x : scene.bodies.position_mass) keys.push_back(key_of(grid, xyz(x)));
    std::ranges::sort(keys);
    return keys;
}
std::uint64_t in_range(const std::vector<std::uint64_t>& keys, std::uint64_t first, std::uint64_t end) {
    return static_cast<std::uint64_t>(std::ranges::lower_bound(keys, end) - std::ranges::lower_bound(keys, first));
}

TEST(DomainsOfRanks, LevelOfABorder) {
    EXPECT_EQ(level_of_border(0), 0);
    EXPECT_EQ(level_of_border(kKeyEnd), 0);
    EXPECT_EQ(level_of_border(1), kKeyLevels);
    for (int level = 1; level <= kKeyLevels; ++level) {
        EXPECT_EQ(level_of_border(keys_in_cell(level)), level);
        EXPECT_EQ(level_of_border(3 * keys_in_cell(level)), level);
    }
}

/// Every cell lies within one domain or is listed; a listed cell's children refer to it.
TEST(DomainsOfRanks, BorderCellsSpanSeveralDomains) {
    std::mt19937_64 random{11};
    for (int round = 0; round < 200; ++round) {
        Domains domains;
        for (int d = 0; d < 1 + round % 6; ++d) {
            const int level = 1 + static_cast<int>(random() % 9);
            domains.ends.push_back(first_key(random() % kKeyEnd, level));
        }
        domains.ends.push_back(kKeyEnd);
        std::ranges::sort(domains.ends);
        domains.ends.erase(std::unique(domains.ends.begin(), domains.ends.end()), domains.ends.end());
        if (domains.ends.front() == 0) domains.ends.erase(domains.ends.begin());
        const std::vector<BorderCell> cells = border_cells(domains);
        ASSERT_EQ(cells.empty(), domains.count() == 1);
        std::vector<int> parents(cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const BorderCell& cell = cells[i];
            EXPECT_EQ(first_key(cell.first, cell.level), cell.first);
            EXPECT_NE(domains.of(cell.first), domains.of(cell.first + keys_in_cell(cell.level) - 1));
            for (std::uint64_t octant = 0; octant < 8; ++octant) {
                const std::uint64_t first = cell.first + octant * keys_in_cell(cell.level + 1),
                                    last = first + keys_in_cell(cell.level + 1) - 1;
                const int child = cell.child[octant];
                if (child < 0) {
                    EXPECT_EQ(domains.of(first), -1 - child);
                    EXPECT_EQ(domains.of(last), -1 - child);
                } else {
                    EXPECT_GT(child, static_cast<int>(i)) << "parents come before children";
                    EXPECT_EQ(cells[static_cast<std::size_t>(child)].first, first);
                    EXPECT_EQ(cells[static_cast<std::size_t>(child)].level, cell.level + 1);
                    ++parents[static_cast<std::size_t>(child)];
                }
            }
        }
        for (std::size_t i = 0; i < cells.size(); ++i) EXPECT_EQ(parents[i], i == 0 ? 0 : 1);
    }
}

/// Domains have nearly equal numbers of bodies; each after the first starts with a cell of at least kLeast bodies.
TEST(DomainsOfRanks, AreBalanced) {
    constexpr std::uint64_t kBodies = 300'000, kLeast = 1024, kStep = 20;
    for (const char* preset : {"plummer", "collision", "cold-sphere", "uniform-sphere"}) {
        const std::vector<std::uint64_t> keys = keys_of(preset, kBodies);
        std::vector<std::uint64_t> samples;
        for (std::size_t i = 0; i < keys.size(); i += kStep) samples.push_back(keys[i]);
        for (const int count : {2, 3, 8}) {
            const auto domains = cut_curve(samples, keys.size(), count, kLeast, 14);
            ASSERT_TRUE(domains) << preset;
            ASSERT_EQ(domains->count(), count);
            for (int d = 0; d < count; ++d) {
                const std::uint64_t begin = domains->begin(d), here = in_range(keys, begin, domains->end(d)),
                                    even = keys.size() / static_cast<std::uint64_t>(count);
                // Tolerates one cell of the size that a cut needs at either end.
                EXPECT_LT(std::max(here, even) - std::min(here, even), 16 * kLeast) << preset << ' ' << count;
                if (d == 0) continue;
                EXPECT_GT(in_range(keys, begin, begin + keys_in_cell(level_of_border(begin))), kLeast);
                EXPECT_LE(level_of_border(begin), 14);
            }
        }
    }
}

TEST(DomainsOfRanks, CostsMoveTheCuts) {
    const std::vector<std::uint64_t> keys = keys_of("uniform-sphere", 100'000);
    const auto even = cut_curve(keys, keys.size(), 2, 100, 14);
    ASSERT_TRUE(even);
    const DomainCosts costs{*even, {3.0, 1.0}};
    const auto moved = cut_curve(keys, keys.size(), 2, 100, 14, &costs);
    ASSERT_TRUE(moved);
    // 3 x = 3 (1/2 − x) + 1/2: a third of the bodies.
    EXPECT_NEAR(static_cast<double>(in_range(keys, 0, moved->ends[0])), 1e5 / 3, 1e3);
}

TEST(DomainsOfRanks, DoNotExistWhenAllBodiesCoincide) {
    const std::vector<std::uint64_t> samples(1000, 12345);
    EXPECT_FALSE(cut_curve(samples, 1'000'000, 2, 2048, 14));
    EXPECT_FALSE(cut_curve({}, 0, 2, 2048, 14));
}

}  // namespace
}  // namespace orrery
