// SPDX-License-Identifier: MIT
#include "app/window/maps/map_canvas.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "app/render/color_maps.hpp"
#include "app/ui/words.hpp"
#include "app/window/lab/lab_drawings.hpp"
#include "core/maps/explain.hpp"

namespace orrery {
namespace {

constexpr ImU32 kMapIdle = IM_COL32(255, 255, 255, 16), kMapCross = IM_COL32(240, 96, 72, 170);
constexpr ImU32 kMapIdleNow = IM_COL32(255, 64, 40, 255);
constexpr ImU32 kMapMark = IM_COL32(255, 255, 255, 255), kShadow = IM_COL32(0, 0, 0, 255);
constexpr float kNumberedCell = 22;  // pixels at scale 1 from which a block shows its index

/// Opacity of a block that the walk has not begun.
constexpr float kToCome = 0.16f;

ImU32 faded(ImU32 color, float opacity) {
    const auto alpha = static_cast<ImU32>(static_cast<float>(color >> IM_COL32_A_SHIFT) * opacity);
    return (color & ~IM_COL32_A_MASK) | alpha << IM_COL32_A_SHIFT;
}

/// Position of a block among all blocks, 0 to 1, which gives its colour.
template <class Picture>
float share_of(const Picture& picture, std::uint32_t block) {
    return picture.blocks() < 2 ? 0 : static_cast<float>(block) / static_cast<float>(picture.blocks() - 1);
}

bool to_come(const MapMarks& marks, std::uint32_t block) { return marks.walked >= 0 && block >= marks.walked; }

template <class Picture>
ImU32 color_of(const Picture& picture, const MapMarks& marks, std::uint32_t block) {
    return faded(ramp_color(share_of(picture, block)), to_come(marks, block) ? kToCome : 1);
}

/// How red an idle block is: it blinks while the walk is at it, then fades.
float redness(const MapMarks& marks, std::uint32_t block) {
    const double since = marks.walked - 1 - block;
    if (marks.walked < 0 || since <= -1) return 0;
    if (marks.lit && marks.lit->block == block)
        return static_cast<float>(0.65 + 0.35 * std::cos(2 * std::numbers::pi * 2 * ImGui::GetTime()));
    return marks.fading > 0 ? static_cast<float>(std::clamp(1 - since / marks.fading, 0.0, 1.0)) * 0.8f : 0;
}

/// One of the two drawings: a board of cells in columns and lines.
class Board {
public:
    Board(ImVec2 origin, float cell, float scale)
        : draw_{*ImGui::GetWindowDrawList()}, origin_{origin}, cell_{cell}, scale_{scale} {}

    void fill(std::uint32_t column, std::uint32_t line, ImU32 color) const {
        const ImVec2 at = corner(column, line);
        draw_.AddRectFilled(at, {at.x + side(), at.y + side()}, color);
    }
    void cross(std::uint32_t column, std::uint32_t line, float opacity = 1) const {
        const ImVec2 at = corner(column, line);
        const float low = 0.2f * side(), high = 0.8f * side();
        const float thick = std::max(1.0f, cell_ / 12);
        const ImU32 color = faded(kMapCross, opacity);
        draw_.AddLine({at.x + low, at.y + low}, {at.x + high, at.y + high}, color, thick);
        draw_.AddLine({at.x + low, at.y + high}, {at.x + high, at.y + low}, color, thick);
    }
    /// The index of a block in its cell, dark on light colours.
    void number(std::uint32_t column, std::uint32_t line, std::uint32_t index, ImU32 color) const {
        if (cell_ < kNumberedCell * scale_) return;
        const std::string text = fmt::format("{}", index);
        const float size = std::min(ImGui::GetFontSize(), 0.48f * cell_);
        const ImVec2 at = corner(column, line), full = ImGui::CalcTextSize(text.c_str());
        const float shrunk = std::min(size / ImGui::GetFontSize(), 0.86f * side() / full.x);
        draw_.AddText(ImGui::GetFont(), shrunk * ImGui::GetFontSize(),
                      {at.x + (side() - shrunk * full.x) / 2, at.y + (side() - shrunk * full.y) / 2}, color,
                      text.c_str());
    }
    void mark(std::uint32_t column, std::uint32_t line, ImU32 color = kMapMark) const {
        const ImVec2 at = corner(column, line);
        const float out = 2 * scale_;
        draw_.AddRect({at.x - out, at.y - out}, {at.x + side() + out, at.y + side() + out}, kShadow, 0, 0, 4 * scale_);
        draw_.AddRect({at.x - out, at.y - out}, {at.x + side() + out, at.y + side() + out}, color, 0, 0, 2 * scale_);
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

/// Letters on a block: dark on light colours.
ImU32 ink(const MapPicture& picture, const MapMarks& marks, std::uint32_t block) {
    if (to_come(marks, block)) return faded(kMapMark, 0.45f);
    return share_of(picture, block) > 0.45f ? kShadow : kMapMark;
}

void draw_grid(const Board& board, const MapPicture& picture, const MapMarks& marks) {
    for (std::uint32_t block = 0; block < picture.blocks(); ++block) {
        const std::uint32_t column = block % picture.columns(), line = block / picture.columns();
        if (picture.useful(block)) {
            board.fill(column, line, color_of(picture, marks, block));
            board.number(column, line, block, ink(picture, marks, block));
            continue;
        }
        board.fill(column, line, kMapIdle);
        const float red = redness(marks, block);
        if (red > 0) board.fill(column, line, faded(kMapIdleNow, red));
        board.cross(column, line, to_come(marks, block) ? 0.35f : 1);
    }
}

void draw_triangle(const Board& board, const MapPicture& picture, const MapMarks& marks) {
    for (std::uint32_t row = 0; row < picture.drawn(); ++row)
        for (std::uint32_t col = 0; col <= row; ++col) {
            const std::uint32_t block = picture.block_of({row, col}), times = picture.times({row, col});
            board.fill(col, row, times == 0 ? kMapIdle : color_of(picture, marks, block));
            if (times > 0) board.number(col, row, block, ink(picture, marks, block));
            if (picture.wrong(row) || times == 0) board.cross(col, row);
            if (times > 1) board.mark(col, row, kMapIdleNow);
        }
}

void mark(const Board& grid, const Board& triangle, const MapPicture& picture, MapPick pick) {
    const std::uint32_t column = pick.block % picture.columns(), line = pick.block / picture.columns();
    const bool useful = picture.useful(pick.block);
    grid.mark(column, line, useful ? kMapMark : kMapIdleNow);
    if (!useful) return;
    const Tile tile = picture.tile(pick.block);
    const ImVec2 from = grid.centre(column, line), to = triangle.centre(tile.col, tile.row);
    ImGui::GetWindowDrawList()->AddLine(from, to, IM_COL32(255, 255, 255, 150), 1.5f);
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
    /// The inverse of place(), in units of a cell from the sheet's corner; none in a gap or outside.
    struct Spot {
        std::uint32_t column, line, slice;
    };
    std::optional<Spot> spot(ImVec2 at) const {
        if (at.x < 0 || at.y < 0 || at.x >= wide() || at.y >= high()) return std::nullopt;
        const auto x = static_cast<std::uint32_t>(at.x), y = static_cast<std::uint32_t>(at.y);
        const Spot found{x % (columns + 1), y % (lines + 1), y / (lines + 1) * across() + x / (columns + 1)};
        if (found.column == columns || found.line == lines || found.slice >= slices) return std::nullopt;
        return found;
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
    ImVec2 centre(ImVec2 place) const {
        return {origin.x + cell * (place.x + 0.45f), origin.y + cell * (place.y + 0.45f)};
    }
    void mark(ImVec2 place, ImU32 color) const {
        const ImVec2 at{origin.x + cell * place.x - 1, origin.y + cell * place.y - 1};
        draw.AddRect(at, {at.x + cell + 1, at.y + cell + 1}, kShadow, 0, 0, 4);
        draw.AddRect(at, {at.x + cell + 1, at.y + cell + 1}, color, 0, 0, 2);
    }
};

void draw_grid(const SliceBoard& board, const Sheet& sheet, const Map3Picture& picture, const MapMarks& marks) {
    const std::uint32_t slice = sheet.columns * sheet.lines;
    for (std::uint32_t block = 0; block < picture.blocks(); ++block) {
        const std::uint32_t in = block % slice;
        const bool useful = picture.useful(block);
        const ImVec2 at = sheet.place(in % sheet.columns, in / sheet.columns, block / slice);
        board.fill(at, useful ? color_of(picture, marks, block) : kMapIdle, !useful);
        if (const float red = useful ? 0 : redness(marks, block); red > 0)
            board.fill(at, faded(kMapIdleNow, red), false);
    }
}

void draw_layers(const SliceBoard& board, const Sheet& sheet, const Map3Picture& picture, const MapMarks& marks) {
    for (std::uint32_t k = 0; k < picture.side(); ++k)
        for (std::uint32_t j = 0; j <= k; ++j)
            for (std::uint32_t i = 0; i <= j; ++i)
                board.fill(sheet.place(i, j, k), color_of(picture, marks, picture.block_of({i, j, k})), false);
}

std::optional<MapPick> pick_in(const SliceBoard& blocks, const Sheet& grid, const SliceBoard& triples,
                               const Sheet& layers, const Map3Picture& picture) {
    if (!ImGui::IsWindowHovered()) return std::nullopt;
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto spot = [&](const SliceBoard& board, const Sheet& sheet) {
        return sheet.spot({(mouse.x - board.origin.x) / board.cell, (mouse.y - board.origin.y) / board.cell});
    };
    if (const auto at = spot(blocks, grid)) {
        const std::uint32_t block = (at->slice * grid.lines + at->line) * grid.columns + at->column;
        if (block < picture.blocks()) return MapPick{block};
    }
    if (const auto at = spot(triples, layers);
        at && useful(TileTriple{at->column, at->line, at->slice}, picture.side()))
        return MapPick{picture.block_of({at->column, at->line, at->slice})};
    return std::nullopt;
}

void mark(const SliceBoard& blocks, const Sheet& grid, const SliceBoard& triples, const Sheet& layers,
          const Map3Picture& picture, MapPick pick) {
    const std::uint32_t slice = grid.columns * grid.lines, in = pick.block % slice;
    const ImVec2 from = grid.place(in % grid.columns, in / grid.columns, pick.block / slice);
    const bool useful = picture.useful(pick.block);
    blocks.mark(from, useful ? kMapMark : kMapIdleNow);
    if (!useful) return;
    const TileTriple triple = picture.triple(pick.block);
    const ImVec2 to = layers.place(triple.i, triple.j, triple.k);
    blocks.draw.AddLine(blocks.centre(from), triples.centre(to), IM_COL32(255, 255, 255, 150), 1.5f);
    triples.mark(to, kMapMark);
}

/// Draws cubes in space whose edges have this many pixels. share(block): its place on the ramp of colours, 0 … 1.
template <class Share>
void draw_in_space(ImDrawList& draw, ImVec2 origin, float edge, const CubeDrawing& drawing, const Share& share) {
    constexpr ImU32 kEdgeColor = IM_COL32(0, 0, 0, 120);
    for (const CubeFace& face : drawing.faces) {
        std::array<ImVec2, 4> at;
        for (std::size_t i = 0; i < at.size(); ++i)
            at[i] = {origin.x + edge * face.corners[i][0], origin.y + edge * face.corners[i][1]};
        ImVec4 color = ImGui::ColorConvertU32ToFloat4(ramp_color(share(face.block)));
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

std::string pick_text(const Map3Picture& picture, MapPick pick) {
    const Block3 block = picture.block(pick.block);
    if (!picture.useful(pick.block)) return phrase("block ({}, {}, {}) → no triple: wasted", block.x, block.y, block.z);
    const TileTriple triple = picture.triple(pick.block);
    return phrase("block ({}, {}, {}) → triple ({}, {}, {})", block.x, block.y, block.z, triple.i, triple.j, triple.k);
}

std::string worked_text(const MapPicture& picture, MapPick pick) {
    const auto lines = worked_out(map(picture.map()), root(picture.root()), picture.block(pick.block), picture.drawn());
    return translated(fmt::format("{}", fmt::join(lines, ", ")));
}

std::string worked_text(const Map3Picture& picture, MapPick pick) {
    const auto lines =
        worked_out(simplex3_map(picture.map()), root(picture.root()), picture.block(pick.block), picture.side());
    return translated(fmt::format("{}", fmt::join(lines, ", ")));
}

BoardShape shape_of(const MapPicture& picture) { return {picture.columns(), picture.lines(), picture.drawn()}; }

MapPlaces map_places(Widgets& ui, const BoardShape& shape, float cell, float second, const BoardNames& names) {
    const auto pixels = [&](std::uint32_t cells) { return cell * static_cast<float>(cells); };
    MapPlaces places{.grid = {}, .triangle = {}, .cell = cell};
    const float start = ImGui::GetCursorPosX();
    places.over_grid = ui.canvas(names.grid, pixels(shape.columns), pixels(shape.lines));
    places.pressed = ImGui::IsItemActive();
    places.grid = ImGui::GetItemRectMin();
    ImGui::SameLine(start + second);
    places.over_triangle = ui.canvas(names.triangle, pixels(shape.rows), pixels(shape.rows));
    places.pressed |= ImGui::IsItemActive();
    places.triangle = ImGui::GetItemRectMin();
    return places;
}

std::optional<MapPick> pick_under_mouse(const MapPlaces& places, const MapPicture& picture) {
    if (places.over_grid) {
        const auto [column, line] = Board{places.grid, places.cell, 1}.under_mouse();
        const std::uint64_t block = std::uint64_t{line} * picture.columns() + column;
        if (column < picture.columns() && block < picture.blocks()) return MapPick{static_cast<std::uint32_t>(block)};
    }
    if (places.over_triangle)
        if (const auto [col, row] = Board{places.triangle, places.cell, 1}.under_mouse();
            col <= row && row < picture.drawn() && picture.times({row, col}) > 0)
            return MapPick{picture.block_of({row, col})};
    return std::nullopt;
}

void draw_map(const MapPlaces& places, const MapPicture& picture, const MapMarks& marks, float scale) {
    const Board grid{places.grid, places.cell, scale}, triangle{places.triangle, places.cell, scale};
    draw_grid(grid, picture, marks);
    draw_triangle(triangle, picture, marks);
    if (marks.lit) mark(grid, triangle, picture, *marks.lit);
}

std::optional<MapPick> map_canvas(Widgets& ui, const MapPicture& picture, float cell, float second) {
    const MapPlaces places = map_places(ui, shape_of(picture), cell, second);
    const auto pick = pick_under_mouse(places, picture);
    draw_map(places, picture, {.lit = pick}, ui.scale());
    return pick;
}

std::optional<MapPick> map3_drawing(const Pen& pen, const Box& box, const Map3Picture& picture,
                                    const MapMarks& wanted) {
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
    if (cell < 3) return std::nullopt;
    const float second = box.low.x + std::max(cell * grid.wide(), pen.width(tr("blocks"))) + between;
    const float third = second + cell * layers.wide() + between;
    const SliceBoard blocks{pen.draw(), box.low, cell}, triples{pen.draw(), {second, box.low.y}, cell};
    const auto pick = pick_in(blocks, grid, triples, layers, picture);
    MapMarks marks = wanted;
    if (pick) marks.lit = pick;
    draw_grid(blocks, grid, picture, marks);
    draw_layers(triples, layers, picture, marks);
    const Pen small = pen.sized(0.8f);
    const auto below = [&](const Sheet& sheet) { return box.low.y + cell * sheet.high() + 0.2f * pen.size(); };
    small.text({box.low.x, below(grid)}, lab_colors::kDim, tr(picture.slices() > 1 ? "blocks, by z" : "blocks"));
    small.text({second, below(layers)}, lab_colors::kDim, tr("triples, by k"));
    if (in_space) {
        draw_in_space(pen.draw(), {third, box.low.y}, cell * layers.wide() / space.width, space,
                      [&](std::uint32_t block) { return share_of(picture, block); });
        small.text({third, box.low.y + cell * high + 0.2f * pen.size()}, lab_colors::kDim, tr("in space, k downwards"));
    }
    if (marks.lit) mark(blocks, grid, triples, layers, picture, *marks.lit);
    return pick;
}

void map4_drawing(const Pen& pen, const Box& box, const Map4Picture& picture) {
    const CubeDrawing& drawing = picture.drawing;
    const float words = 1.2f * pen.size();
    const float edge = std::min(box.width() / drawing.width, (box.height() - words) / drawing.height);
    if (edge < kLeastCellWithSpace) return;
    draw_in_space(pen.draw(), box.low, edge, drawing, [&](std::uint32_t block) {
        return static_cast<float>(block) / static_cast<float>(std::max(1u, picture.blocks - 1));
    });
    pen.sized(0.8f).text({box.low.x, box.low.y + edge * drawing.height + 0.2f * pen.size()}, lab_colors::kDim,
                         tr("quadruples, by l"));
}

}  // namespace orrery
