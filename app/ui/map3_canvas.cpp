// SPDX-License-Identifier: MIT
#include "app/ui/map3_canvas.hpp"

#include <algorithm>
#include <cmath>

#include "app/render/color_ramp.hpp"
#include "app/ui/lab_drawings.hpp"

namespace orrery {
namespace {

constexpr ImU32 kMap3Idle = IM_COL32(255, 255, 255, 16), kMap3Cross = IM_COL32(240, 96, 72, 170);

/// Slices of so many columns and lines, side by side and below each other; in cells, a slice and a gap apart.
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

}  // namespace

void map3_drawing(const Pen& pen, const Box& box, const Map3Picture& picture) {
    const Sheet grid{picture.columns(), picture.lines(), picture.slices()};
    const Sheet layers{picture.side(), picture.side(), picture.side()};
    const float between = 1.6f * pen.size(), words = 1.2f * pen.size();
    const float cell = std::floor(std::min((box.width() - between) / (grid.wide() + layers.wide()),
                                           (box.height() - words) / std::max(grid.high(), layers.high())));
    if (cell < 3) return;
    const float second = box.low.x + std::max(cell * grid.wide(), pen.width("blocks")) + between;
    draw_grid({pen.draw(), box.low, cell}, grid, picture);
    draw_layers({pen.draw(), {second, box.low.y}, cell}, layers, picture);
    const Pen small = pen.sized(0.8f);
    const auto below = [&](const Sheet& sheet) { return box.low.y + cell * sheet.high() + 0.2f * pen.size(); };
    small.text({box.low.x, below(grid)}, lab_colors::kDim, picture.slices() > 1 ? "blocks, by z" : "blocks");
    small.text({second, below(layers)}, lab_colors::kDim, "triples, by k");
}

}  // namespace orrery
