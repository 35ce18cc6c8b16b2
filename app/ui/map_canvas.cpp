// SPDX-License-Identifier: MIT
#include "app/ui/map_canvas.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/render/color_maps.hpp"
#include "app/ui/words.hpp"

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

float share_of(const MapPicture& picture, std::uint32_t block) {
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

}  // namespace orrery
