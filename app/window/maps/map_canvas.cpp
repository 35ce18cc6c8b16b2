// SPDX-License-Identifier: MIT
#include "app/window/maps/map_canvas.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/render/color_maps.hpp"
#include "app/ui/words.hpp"
#include "app/window/lab/lab_drawings.hpp"

namespace orrery {
namespace {

constexpr ImU32 kMapIdle = IM_COL32(255, 255, 255, 16), kMapCross = IM_COL32(240, 96, 72, 170);
constexpr ImU32 kMapMark = IM_COL32(255, 255, 255, 255), kShadow = IM_COL32(0, 0, 0, 255);
constexpr float kNumberedCell = 22;  // pixels at scale 1 from which a block shows its index

/// One of the two drawings: a board of cells in columns and lines.
class Board {
public:
    Board(float cell, float scale)
        : draw_{*ImGui::GetWindowDrawList()}, origin_{ImGui::GetItemRectMin()}, cell_{cell}, scale_{scale} {}

    void fill(std::uint32_t column, std::uint32_t line, ImU32 color) const {
        const ImVec2 at = corner(column, line);
        draw_.AddRectFilled(at, {at.x + side(), at.y + side()}, color);
    }
    void cross(std::uint32_t column, std::uint32_t line) const {
        const ImVec2 at = corner(column, line);
        const float low = 0.2f * side(), high = 0.8f * side();
        const float thick = std::max(1.0f, cell_ / 12);
        draw_.AddLine({at.x + low, at.y + low}, {at.x + high, at.y + high}, kMapCross, thick);
        draw_.AddLine({at.x + low, at.y + high}, {at.x + high, at.y + low}, kMapCross, thick);
    }
    /// The index of a block in its cell, dark on light colours.
    void number(std::uint32_t column, std::uint32_t line, std::uint32_t index, float share) const {
        if (cell_ < kNumberedCell * scale_) return;
        const std::string text = fmt::format("{}", index);
        const float size = std::min(ImGui::GetFontSize(), 0.48f * cell_);
        const ImVec2 at = corner(column, line), full = ImGui::CalcTextSize(text.c_str());
        const float shrunk = std::min(size / ImGui::GetFontSize(), 0.86f * side() / full.x);
        draw_.AddText(ImGui::GetFont(), shrunk * ImGui::GetFontSize(),
                      {at.x + (side() - shrunk * full.x) / 2, at.y + (side() - shrunk * full.y) / 2},
                      share > 0.45f ? kShadow : kMapMark, text.c_str());
    }
    void mark(std::uint32_t column, std::uint32_t line) const {
        const ImVec2 at = corner(column, line);
        const float out = 2 * scale_;
        draw_.AddRect({at.x - out, at.y - out}, {at.x + side() + out, at.y + side() + out}, kShadow, 0, 0, 4 * scale_);
        draw_.AddRect({at.x - out, at.y - out}, {at.x + side() + out, at.y + side() + out}, kMapMark, 0, 0, 2 * scale_);
    }
    ImVec2 centre(std::uint32_t column, std::uint32_t line) const {
        const ImVec2 at = corner(column, line);
        return {at.x + side() / 2, at.y + side() / 2};
    }
    /// Column and line under the mouse; beyond the board if the mouse is left of it or above it.
    std::pair<std::uint32_t, std::uint32_t> under_mouse() const {
        const ImVec2 mouse = ImGui::GetMousePos();
        const auto place = [&](float at, float from) {
            return at < from ? ~std::uint32_t{0} : static_cast<std::uint32_t>((at - from) / cell_);
        };
        return {place(mouse.x, origin_.x), place(mouse.y, origin_.y)};
    }

private:
    ImVec2 corner(std::uint32_t column, std::uint32_t line) const {
        return {origin_.x + cell_ * static_cast<float>(column), origin_.y + cell_ * static_cast<float>(line)};
    }
    float side() const { return cell_ >= 5 ? cell_ - 1 : cell_; }  // a gap between cells that are large enough

    ImDrawList& draw_;
    ImVec2 origin_;
    float cell_, scale_;
};

/// Position of a block among all blocks, 0 to 1, which gives its colour.
template <class Picture>
float share_of(const Picture& picture, std::uint32_t block) {
    return picture.blocks() < 2 ? 0 : static_cast<float>(block) / static_cast<float>(picture.blocks() - 1);
}

void draw_grid(const Board& board, const MapPicture& picture) {
    for (std::uint32_t block = 0; block < picture.blocks(); ++block) {
        const std::uint32_t column = block % picture.columns(), line = block / picture.columns();
        const float share = share_of(picture, block);
        board.fill(column, line, picture.useful(block) ? ramp_color(share) : kMapIdle);
        if (picture.useful(block))
            board.number(column, line, block, share);
        else
            board.cross(column, line);
    }
}

void draw_triangle(const Board& board, const MapPicture& picture) {
    for (std::uint32_t row = 0; row < picture.drawn(); ++row)
        for (std::uint32_t col = 0; col <= row; ++col) {
            const std::uint32_t block = picture.block_of({row, col});
            const float share = share_of(picture, block);
            board.fill(col, row, ramp_color(share));
            board.number(col, row, block, share);
            if (picture.wrong(row)) board.cross(col, row);
        }
}

void mark(const Board& grid, const Board& triangle, const MapPicture& picture, MapPick pick) {
    const std::uint32_t column = pick.block % picture.columns(), line = pick.block / picture.columns();
    grid.mark(column, line);
    if (!picture.useful(pick.block)) return;
    const Tile tile = picture.tile(pick.block);
    const ImVec2 from = grid.centre(column, line), to = triangle.centre(tile.col, tile.row);
    ImGui::GetWindowDrawList()->AddLine(from, to, IM_COL32(255, 255, 255, 120), 1.5f);
    triangle.mark(tile.col, tile.row);
}

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
        draw.AddLine({at.x + 1, at.y + 1}, {at.x + side - 1, at.y + side - 1}, kMapCross);
        draw.AddLine({at.x + 1, at.y + side - 1}, {at.x + side - 1, at.y + 1}, kMapCross);
    }
};

void draw_grid(const SliceBoard& board, const Sheet& sheet, const Map3Picture& picture) {
    const std::uint32_t slice = sheet.columns * sheet.lines;
    for (std::uint32_t block = 0; block < picture.blocks(); ++block) {
        const std::uint32_t in = block % slice;
        const bool useful = picture.useful(block);
        board.fill(sheet.place(in % sheet.columns, in / sheet.columns, block / slice),
                   useful ? ramp_color(share_of(picture, block)) : kMapIdle, !useful);
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

std::string pick_text(const MapPicture& picture, MapPick pick) {
    const Block block = picture.block(pick.block);
    if (!picture.useful(pick.block)) return phrase("block ({}, {}) → no tile: wasted", block.x, block.y);
    const Tile tile = picture.tile(pick.block);
    return phrase("block ({}, {}) → tile ({}, {})", block.x, block.y, tile.row, tile.col);
}

std::optional<MapPick> map_canvas(Widgets& ui, const MapPicture& picture, float cell, float second) {
    std::optional<MapPick> pick;
    const auto pixels = [&](std::uint32_t cells) { return cell * static_cast<float>(cells); };
    const float start = ImGui::GetCursorPosX();
    const bool over_grid = ui.canvas("Launch grid", pixels(picture.columns()), pixels(picture.lines()));
    const Board grid{cell, ui.scale()};
    if (const auto [column, line] = grid.under_mouse(); over_grid && column < picture.columns())
        if (const std::uint64_t block = std::uint64_t{line} * picture.columns() + column; block < picture.blocks())
            pick = MapPick{static_cast<std::uint32_t>(block)};
    ImGui::SameLine(start + second);
    const bool over_triangle = ui.canvas("Triangle", pixels(picture.drawn()), pixels(picture.drawn()));
    const Board triangle{cell, ui.scale()};
    if (const auto [col, row] = triangle.under_mouse(); over_triangle && col <= row && row < picture.drawn())
        pick = MapPick{picture.block_of({row, col})};
    draw_grid(grid, picture);
    draw_triangle(triangle, picture);
    if (pick) mark(grid, triangle, picture, *pick);
    return pick;
}

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
    const float second = box.low.x + std::max(cell * grid.wide(), pen.width(tr("blocks"))) + between;
    const float third = second + cell * layers.wide() + between;
    draw_grid({pen.draw(), box.low, cell}, grid, picture);
    draw_layers({pen.draw(), {second, box.low.y}, cell}, layers, picture);
    const Pen small = pen.sized(0.8f);
    const auto below = [&](const Sheet& sheet) { return box.low.y + cell * sheet.high() + 0.2f * pen.size(); };
    small.text({box.low.x, below(grid)}, lab_colors::kDim, tr(picture.slices() > 1 ? "blocks, by z" : "blocks"));
    small.text({second, below(layers)}, lab_colors::kDim, tr("triples, by k"));
    if (!in_space) return;
    draw_in_space(pen.draw(), {third, box.low.y}, cell * layers.wide() / space.width, space, picture);
    small.text({third, box.low.y + cell * high + 0.2f * pen.size()}, lab_colors::kDim, tr("in space, k downwards"));
}

}  // namespace orrery
