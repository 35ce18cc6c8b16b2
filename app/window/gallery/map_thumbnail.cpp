// SPDX-License-Identifier: MIT
#include "app/window/gallery/map_thumbnail.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include "core/engines/config.hpp"
#include "core/maps/picture.hpp"

namespace orrery {
namespace {

constexpr std::uint32_t kThumbnailRows = 9;
constexpr double kBlocksPerSecond = 6;
constexpr ImU32 kIdleBlock = IM_COL32(255, 255, 255, 22), kIdleCross = IM_COL32(240, 96, 72, 200);
constexpr ImU32 kLitBlock = IM_COL32(255, 255, 255, 255);

const MapPicture& picture_of_map(const std::string& map) {
    static std::map<std::string, MapPicture> all;
    const auto known = all.find(map);
    return known != all.end() ? known->second
                              : all.emplace(map, MapPicture{map, EngineConfig{}.root, kThumbnailRows}).first->second;
}

/// From blue to amber, by the index of the block.
ImU32 color_of_block(std::uint32_t index, std::uint32_t blocks) {
    const float share = static_cast<float>(index) / static_cast<float>(std::max(1u, blocks - 1));
    const auto mixed = [&](float from, float to) { return static_cast<int>(from + share * (to - from)); };
    return IM_COL32(mixed(58, 240), mixed(110, 158), mixed(190, 72), 255);
}

/// Cells in columns and lines.
struct CellBoard {
    ImDrawList& draw;
    ImVec2 corner;
    float cell;

    void fill(std::uint32_t column, std::uint32_t line, ImU32 color) const {
        const ImVec2 at{corner.x + cell * static_cast<float>(column), corner.y + cell * static_cast<float>(line)};
        draw.AddRectFilled(at, {at.x + cell - 1, at.y + cell - 1}, color);
    }
    void cross(std::uint32_t column, std::uint32_t line) const {
        const ImVec2 at{corner.x + cell * static_cast<float>(column), corner.y + cell * static_cast<float>(line)};
        const float near = 0.25f * cell, far = 0.7f * cell;
        draw.AddLine({at.x + near, at.y + near}, {at.x + far, at.y + far}, kIdleCross);
        draw.AddLine({at.x + near, at.y + far}, {at.x + far, at.y + near}, kIdleCross);
    }
};

}  // namespace

void draw_map_picture(ImDrawList& draw, ImVec2 low, ImVec2 high, const std::string& map, bool moves) {
    const MapPicture& picture = picture_of_map(map);
    const float width = high.x - low.x, height = high.y - low.y, margin = 0.1f * height;
    const auto columns = static_cast<float>(picture.columns() + picture.drawn() + 2);  // 2: the gap
    const auto lines = static_cast<float>(std::max(picture.lines(), picture.drawn()));
    const float cell = std::floor(std::min((width - 2 * margin) / columns, (height - 2 * margin) / lines));
    const auto top = [&](std::uint32_t of) { return low.y + (height - cell * static_cast<float>(of)) / 2; };
    const float left = low.x + (width - cell * columns) / 2;
    const CellBoard grid{draw, {left, top(picture.lines())}, cell};
    const CellBoard tiles{draw, {left + cell * static_cast<float>(picture.columns() + 2), top(picture.drawn())}, cell};
    const std::uint32_t lit =
        moves ? static_cast<std::uint32_t>(ImGui::GetTime() * kBlocksPerSecond) % picture.blocks() : picture.blocks();
    for (std::uint32_t i = 0; i < picture.blocks(); ++i) {
        const std::uint32_t column = i % picture.columns(), line = i / picture.columns();
        const bool useful = picture.useful(i);
        const ImU32 color = i == lit ? kLitBlock : useful ? color_of_block(i, picture.blocks()) : kIdleBlock;
        grid.fill(column, line, color);
        if (useful)
            tiles.fill(picture.tile(i).col, picture.tile(i).row, color);
        else
            grid.cross(column, line);
    }
}

}  // namespace orrery
