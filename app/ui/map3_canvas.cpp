// SPDX-License-Identifier: MIT
#include "app/ui/map3_canvas.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/render/color_maps.hpp"
#include "app/ui/lab_drawings.hpp"
#include "app/ui/words.hpp"

namespace orrery {
namespace {

constexpr ImU32 kMap3Idle = IM_COL32(255, 255, 255, 16), kMap3Cross = IM_COL32(240, 96, 72, 170);
constexpr float kLeastCellWithSpace = 5;  // pixels; below this, only slices are drawn

/// Layout of slices in rows. Unit: a cell; slices are one cell apart.
struct Sheet {
    std::uint32_t columns, lines, slices;
    std::uint32_t across() const { return static_cast<std::uint32_t>(std::ceil(std::sqrt(slices))); }
    float wide() const { return static_cast<float>(across() * (columns + 1) - 1); }
    float high() const { return static_cast<float>((slices + across() - 1) / across() * (lines + 1) - 1); }
    ImVec2 place(std::uint32_t column, std::uint32_t line, std::uint32_t slice) const {
        return {static_cast<float>(slice % across() * (columns + 1) + column),
                static_cast<float>(slice / across() * (lines + 1) + line)};
    }
};

struct SliceBoard {
    ImDrawList& draw;
    ImVec2 origin;
    float cell;
    void fill(ImVec2 place, ImU32 color, bool crossed) const {
        const float side = cell >= 5 ? cell - 1 : cell;
        const ImVec2 at{origin.x + cell * place.x, origin.y + cell * place.y};
        draw.AddRectFilled(at, {at.x + side, at.y + side}, color);
        if (!crossed) return;
        draw.AddLine({at.x + 1, at.y + 1}, {at.x + side - 1, at.y + side - 1}, kMap3Cross);
        draw.AddLine({at.x + 1, at.y + side - 1}, {at.x + side - 1, at.y + 1}, kMap3Cross);
    }
};

float share_of(const Map3Picture& picture, std::uint32_t block) {
    return picture.blocks() < 2 ? 0 : static_cast<float>(block) / static_cast<float>(picture.blocks() - 1);
}

void draw_grid(const SliceBoard& board, const Sheet& sheet, const Map3Picture& picture) {
    const std::uint32_t slice = sheet.columns * sheet.lines;
    for (std::uint32_t block = 0; block < picture.blocks(); ++block) {
        const std::uint32_t in = block % slice;
        const bool useful = picture.useful(block);
        board.fill(sheet.place(in % sheet.columns, in / sheet.columns, block / slice),
                   useful ? ramp_color(share_of(picture, block)) : kMap3Idle, !useful);
    }
}

void draw_layers(const SliceBoard& board, const Sheet& sheet, const Map3Picture& picture) {
    for (std::uint32_t k = 0; k < picture.side(); ++k)
        for (std::uint32_t j = 0; j <= k; ++j)
            for (std::uint32_t i = 0; i <= j; ++i)
                board.fill(sheet.place(i, j, k), ramp_color(share_of(picture, picture.block_of({i, j, k}))), false);
}

/// Draws cubes in space whose edges have this many pixels.
void draw_in_space(ImDrawList& draw, ImVec2 origin, float edge, const CubeDrawing& drawing,
                   const Map3Picture& picture) {
    constexpr ImU32 kEdgeColor = IM_COL32(0, 0, 0, 120);
    for (const CubeFace& face : drawing.faces) {
        std::array<ImVec2, 4> at;
        for (std::size_t i = 0; i < at.size(); ++i)
            at[i] = {origin.x + edge * face.corners[i][0], origin.y + edge * face.corners[i][1]};
        ImVec4 color = ImGui::ColorConvertU32ToFloat4(ramp_color(share_of(picture, face.block)));
        color.x *= face.light, color.y *= face.light, color.z *= face.light;
        draw.AddQuadFilled(at[0], at[1], at[2], at[3], ImGui::ColorConvertFloat4ToU32(color));
        draw.AddQuad(at[0], at[1], at[2], at[3], kEdgeColor);
    }
}

}  // namespace

void map3_drawing(const Pen& pen, const Box& box, const Map3Picture& picture) {
    const Sheet grid{picture.columns(), picture.lines(), picture.slices()};
    const Sheet layers{picture.side(), picture.side(), picture.side()};
    const float between = 1.6f * pen.size(), words = 1.2f * pen.size(), room = box.height() - words;
    // The tetrahedron in space is as wide as a row of its layers.
    const CubeDrawing space = triples_in_space(picture);
    const float high = layers.wide() * space.height / space.width;
    const auto cell_of = [&](float wide, float tall) { return std::floor(std::min(wide, room / tall)); };
    const float with_space = cell_of((box.width() - 2 * between) / (grid.wide() + 2 * layers.wide()),
                                     std::max({grid.high(), layers.high(), high}));
    const bool in_space = with_space >= kLeastCellWithSpace;
    const float cell = in_space ? with_space
                                : cell_of((box.width() - between) / (grid.wide() + layers.wide()),
                                          std::max(grid.high(), layers.high()));
    if (cell < 3) return;
    const float second = box.low.x + std::max(cell * grid.wide(), pen.width(std::string{tr("blocks")})) + between;
    const float third = second + cell * layers.wide() + between;
    draw_grid({pen.draw(), box.low, cell}, grid, picture);
    draw_layers({pen.draw(), {second, box.low.y}, cell}, layers, picture);
    const Pen small = pen.sized(0.8f);
    const auto below = [&](const Sheet& sheet) { return box.low.y + cell * sheet.high() + 0.2f * pen.size(); };
    small.text({box.low.x, below(grid)}, lab_colors::kDim,
               std::string{tr(picture.slices() > 1 ? "blocks, by z" : "blocks")});
    small.text({second, below(layers)}, lab_colors::kDim, std::string{tr("triples, by k")});
    if (!in_space) return;
    draw_in_space(pen.draw(), {third, box.low.y}, cell * layers.wide() / space.width, space, picture);
    small.text({third, box.low.y + cell * high + 0.2f * pen.size()}, lab_colors::kDim,
               std::string{tr("in space, k downwards")});
}

}  // namespace orrery
