// SPDX-License-Identifier: MIT
// Colour maps: published tables, lightness, kinds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "app/render/color_maps.hpp"

namespace orrery::test {
namespace {

/// Converts linear light to an sRGB byte.
double byte_of(float linear) {
    const double c = std::clamp(linear, 0.0f, 1.0f);
    return 255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055);
}

/// At multiples of 1/255, from matplotlib 3.6, lib/matplotlib/_cm_listed.py, which contains all seven; twilight's 510
/// entries are interpolated.
TEST(ColorMaps, MatchThePublishedTables) {
    struct Published {
        std::string_view id;
        std::vector<std::pair<int, unsigned>> colors;
    };
    const std::vector<Published> tables{
        {"viridis",
         {{0, 0x440154}, {40, 0x453781}, {100, 0x2a768e}, {152, 0x22a785}, {200, 0x70cf57}, {255, 0xfde725}}},
        {"magma", {{0, 0x000004}, {40, 0x29115a}, {100, 0x892881}, {152, 0xdc4869}, {200, 0xfd9869}, {255, 0xfcfdbf}}},
        {"inferno",
         {{0, 0x000004}, {40, 0x2f0a5b}, {100, 0x902568}, {152, 0xdb503b}, {200, 0xfb9d07}, {255, 0xfcffa4}}},
        {"plasma", {{0, 0x0d0887}, {40, 0x5901a5}, {100, 0xae2892}, {152, 0xe06363}, {200, 0xfba139}, {255, 0xf0f921}}},
        {"cividis",
         {{0, 0x00224e}, {40, 0x273e6e}, {100, 0x656870}, {152, 0x938e78}, {200, 0xc4b468}, {255, 0xfee838}}},
        {"turbo", {{0, 0x30123b}, {40, 0x4680f6}, {100, 0x3ff68a}, {152, 0xdfdf37}, {200, 0xf46617}, {255, 0x7a0403}}},
        {"twilight",
         {{0, 0xe2d9e2}, {40, 0x80a6c3}, {100, 0x562183}, {152, 0x61184a}, {200, 0xbc6a59}, {255, 0xe2d9e2}}},
    };
    for (const Published& table : tables)
        for (const auto& [place, color] : table.colors) {
            const Vec3f found = color_at(color_map(table.id), static_cast<float>(place) / 255);
            for (const auto& [part, shift] : {std::pair{found.x, 16}, {found.y, 8}, {found.z, 0}})
                EXPECT_NEAR(byte_of(part), color >> shift & 255, 6) << table.id << ' ' << place;
        }
}

/// CIE lightness ascends monotonically, so the order is visible without hue.
TEST(ColorMaps, PerceptualOnesAscendInLightness) {
    for (const std::string_view id : {"viridis", "magma", "inferno", "plasma", "cividis", "grey"}) {
        double last = -1, first = 0;
        for (int i = 0; i < 256; ++i) {
            const Vec3f c = color_at(color_map(id), static_cast<float>(i) / 255);
            const double y = 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z;  // luminance of sRGB primaries
            const double lightness = y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
            EXPECT_GT(lightness, last - 0.05) << id << ' ' << i;
            if (i == 0) first = lightness;
            last = lightness;
        }
        EXPECT_GT(last - first, 55) << id;
    }
}

TEST(ColorMaps, CyclicEndsMeetAndOthersDiffer) {
    std::set<std::string_view> ids;
    int perceptual = 0;
    for (const ColorMapEntry& map : color_maps()) {
        EXPECT_TRUE(ids.insert(map.id).second) << map.id;
        EXPECT_FALSE(map.source.empty());
        perceptual += map.source != "Orrery";
        const ColorTable table = color_table(map);
        for (const Vec4f& c : table) {
            const float most = std::max({c.x, c.y, c.z});
            EXPECT_LE(most, 1.0001f) << map.id;
            EXPECT_GE(most, 0.1f) << map.id << ": invisible bodies";
            EXPECT_GE(std::min({c.x, c.y, c.z}), 0) << map.id;
        }
        const Vec4f ends = {table.front().x - table.back().x, table.front().y - table.back().y,
                            table.front().z - table.back().z, 0};
        const float apart = std::abs(ends.x) + std::abs(ends.y) + std::abs(ends.z);
        if (map.kind == ColorMapKind::kCyclic) {
            EXPECT_LT(apart, 0.02f) << map.id;
        } else {
            EXPECT_GT(apart, 0.2f) << map.id;
        }
    }
    EXPECT_GE(perceptual, 8);
}

}  // namespace
}  // namespace orrery::test
