// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/picture/format.hpp"
#include "app/ui/lab_drawings.hpp"
#include "app/ui/words.hpp"

namespace orrery {
namespace {

using namespace lab_colors;

constexpr float kTableRow = 1.38f, kLeastGap = 1.2f, kMostGap = 6;  // height, column gap; in text sizes
constexpr float kLeastTableLetters = 0.85f;                         // fraction of the normal text size

/// Columns and their heads. Other columns are left out, unless the table has fewer than three of these; then all
/// columns with values are shown.
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
    bool fails = false;
};

Cell cell_of(std::string_view column, const LabValue& value) {
    if (std::holds_alternative<std::monostate>(value))
        return {column == "first_wrong" ? phrase("none found") : "–", kDim, Align::kRight};
    if (const bool* yes = std::get_if<bool>(&value))
        return {phrase(*yes ? "holds" : "FAILS"), *yes ? kGood : kText, Align::kLeft, !*yes};
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return {grouped(*whole), kText, Align::kRight};
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
        Column column{.head = std::string{if_known(head)}, .cells = {}, .align = Align::kLeft, .width = 0};
        column.width = pen.width(column.head);
        for (const auto& row : table.rows) {
            column.cells.push_back(cell_of(id, lab_cell(table, row, id)));
            column.width = std::max(column.width, pen.width(column.cells.back().text));
            if (column.cells.back().align == Align::kRight) column.align = Align::kRight;
        }
        all.push_back(std::move(column));
    }
    return all;
}

void draw_head(const Pen& pen, const Column& column, float left, float top) {
    const float x = column.align == Align::kRight ? left + column.width : left;
    pen.text({x, top}, kDim, column.head, column.align);
}

void draw_cells(const Pen& pen, const Column& column, float left, float top, float row) {
    const float x = column.align == Align::kRight ? left + column.width : left;
    for (const Cell& cell : column.cells) {
        if (cell.fails)
            pen.draw().AddRectFilled({left - 0.4f * pen.size(), top - 0.08f * pen.size()},
                                     {left + pen.width(cell.text) + 0.4f * pen.size(), top + 1.12f * pen.size()},
                                     kWrong, 3);
        pen.text({x, top}, cell.color, cell.text, column.align);
        top += row;
    }
}

/// Shrinks the text a little if the columns do not fit; if that is not enough, the table scrolls sideways.
struct Across {
    float shrunk = 1, gap = 0;
};
Across across(const Pen& pen, const std::vector<Column>& columns, float room) {
    float width = 0;
    for (const Column& column : columns) width += column.width + kLeastGap * pen.size();
    const float shrunk = std::clamp(room / width, kLeastTableLetters, 1.0f);
    const float free = std::max(0.0f, (room - shrunk * width) / static_cast<float>(columns.size()));
    const float gap = kLeastGap * shrunk * pen.size() + std::min(free, kMostGap * pen.size());
    return {shrunk, gap};
}

}  // namespace

/// The head stays in place; rows that do not fit scroll below it, and head and rows scroll sideways together.
void lab_table_drawing(const Pen& pen, const Box& box, const LabState& lab) {
    std::vector<Column> columns = columns_of(pen, lab.run.table);
    const float edge = 0.4f * pen.size(), bar = ImGui::GetStyle().ScrollbarSize;
    const Across fit = across(pen, columns, box.width() - 2 * edge - bar);
    const Pen fitting = pen.sized(fit.shrunk);
    const float row = kTableRow * fitting.size(), top = box.low.y + row;
    std::vector<float> lefts;  // left edges, from the left end of the table
    float end = edge;
    for (Column& column : columns) {
        column.width *= fit.shrunk;
        lefts.push_back(end);
        end += column.width + fit.gap;
    }
    ImGui::SetCursorScreenPos({box.low.x, top + 1});
    const ImVec2 room{box.width(), std::max(row, box.high.y - top - 1)};
    constexpr int flags = ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_HorizontalScrollbar;
    float shift = 0;
    if (ImGui::BeginChild(kLabTableWindow, room, false, flags)) {
        const Pen inner{ImGui::GetFont(), fitting.size()};
        const ImVec2 at = ImGui::GetCursorScreenPos();
        shift = at.x;
        const auto lines = static_cast<float>(lab.run.table.rows.size());
        for (std::size_t i = 0; i < columns.size(); ++i)
            draw_cells(inner, columns[i], at.x + lefts[i], at.y + 0.19f * fitting.size(), row);
        for (float line = 1; line < lines; ++line)
            inner.draw().AddLine({at.x, at.y + line * row}, {at.x + end - fit.gap, at.y + line * row}, kTrack);
        ImGui::Dummy({end - fit.gap, lines * row});
    }
    ImGui::EndChild();
    pen.draw().PushClipRect(box.low, {box.high.x, top + 2}, true);
    for (std::size_t i = 0; i < columns.size(); ++i) draw_head(fitting, columns[i], shift + lefts[i], box.low.y);
    pen.draw().AddLine({box.low.x, top}, {shift + end - fit.gap, top}, kLine);
    pen.draw().PopClipRect();
}

}  // namespace orrery
