// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/picture/format.hpp"
#include "app/ui/lab_drawings.hpp"

namespace orrery {
namespace {

using namespace lab_colors;

constexpr float kTableRow = 1.38f;  // height, in letters

/// Columns as they are headed. What a table has besides is left out, unless it has few of these; then those with values
/// are shown.
constexpr auto kHeads = std::to_array<std::pair<std::string_view, std::string_view>>({{"map", "map"},
                                                                                      {"root", "root"},
                                                                                      {"first_wrong", "first wrong"},
                                                                                      {"bodies", "exact up to N"},
                                                                                      {"claimed_bodies", "papers: N"},
                                                                                      {"claim_holds", "claim"}});

struct Cell {
    std::string text;
    ImU32 color = kText;
    Align align = Align::kLeft;
};

Cell cell_of(std::string_view column, const LabValue& value) {
    if (std::holds_alternative<std::monostate>(value))
        return {column == "first_wrong" ? "none found" : "–", kDim, Align::kRight};
    if (const bool* yes = std::get_if<bool>(&value)) return {*yes ? "holds" : "FAILS", *yes ? kGood : kText};
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return {grouped(static_cast<std::uint64_t>(*whole)), kText, Align::kRight};
    if (const double* real = std::get_if<double>(&value)) return {fmt::format("{:.4g}", *real), kText, Align::kRight};
    return {std::get<std::string>(value)};
}

struct Column {
    std::string head;
    std::vector<Cell> cells;
    Align align = Align::kLeft;
    float width = 0;
};

std::vector<Column> columns_of(const Pen& pen, const LabTable& table) {
    std::vector<std::pair<std::string, std::string>> heads;
    for (const auto& [id, head] : kHeads)
        if (std::ranges::find(table.columns, id) != table.columns.end()) heads.emplace_back(id, head);
    if (heads.size() < 3) {
        heads.clear();
        for (const std::string& id : table.columns) {
            const auto empty = [&](const auto& row) {
                return std::holds_alternative<std::monostate>(lab_cell(table, row, id));
            };
            if (!std::ranges::all_of(table.rows, empty)) heads.emplace_back(id, id);
        }
    }
    std::vector<Column> all;
    for (const auto& [id, head] : heads) {
        Column column{.head = head, .cells = {}, .align = Align::kLeft, .width = pen.width(head)};
        for (const auto& row : table.rows) {
            column.cells.push_back(cell_of(id, lab_cell(table, row, id)));
            column.width = std::max(column.width, pen.width(column.cells.back().text));
            if (column.cells.back().align == Align::kRight) column.align = Align::kRight;
        }
        all.push_back(std::move(column));
    }
    return all;
}

void draw_column(const Pen& pen, const Column& column, float left, float top, float row) {
    const float x = column.align == Align::kRight ? left + column.width : left;
    pen.text({x, top}, kDim, column.head, column.align);
    for (const Cell& cell : column.cells) {
        top += row;
        if (cell.text == "FAILS")
            pen.draw().AddRectFilled({left - 0.4f * pen.size(), top - 0.08f * pen.size()},
                                     {left + pen.width(cell.text) + 0.4f * pen.size(), top + 1.12f * pen.size()},
                                     kWrong, 3);
        pen.text({x, top}, cell.color, cell.text, column.align);
    }
}

}  // namespace

void lab_table_drawing(const Pen& pen, const Box& box, const LabState& lab) {
    const float lines = static_cast<float>(lab.run.table.rows.size()) + 1;
    const float down = std::min(1.0f, box.height() / (lines * kTableRow * pen.size()));
    std::vector<Column> columns = columns_of(pen.sized(down), lab.run.table);
    float width = 0;
    for (const Column& column : columns) width += column.width + 1.2f * down * pen.size();
    const float across = std::min(1.0f, box.width() / width);
    const Pen fitting = pen.sized(down * across);
    const float row = kTableRow * fitting.size();
    float gap = 1.2f * fitting.size();
    const float free = box.width() - across * width;
    gap += std::min(free / static_cast<float>(columns.size()), 2.5f * fitting.size());
    float left = box.low.x + 0.4f * fitting.size();
    for (Column& column : columns) {
        column.width *= across;
        draw_column(fitting, column, left, box.low.y, row);
        left += column.width + gap;
    }
    for (std::size_t i = 1; i <= lab.run.table.rows.size(); ++i) {
        const float y = box.low.y + row * static_cast<float>(i) - 0.19f * fitting.size();
        pen.draw().AddLine({box.low.x, y}, {left - gap, y}, i == 1 ? kLine : kTrack);
    }
}

}  // namespace orrery
