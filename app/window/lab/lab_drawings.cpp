// SPDX-License-Identifier: MIT
#include "app/window/lab/lab_drawings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "app/picture/format.hpp"
#include "app/ui/words.hpp"
#include "app/window/lab/lab_lesson.hpp"
#include "core/lab/launch_variants.hpp"

namespace orrery {
namespace {

using namespace lab_colors;

constexpr float kBarRow = 1.32f, kLeastRow = 1.08f, kMostRow = 1.9f;  // heights, in multiples of the text size
constexpr float kBarHead = 1.5f;
constexpr auto kPalette =
    std::to_array<ImU32>({IM_COL32(240, 165, 20, 255), IM_COL32(86, 180, 233, 255), IM_COL32(44, 196, 148, 255),
                          IM_COL32(240, 228, 66, 255), IM_COL32(226, 140, 184, 255), IM_COL32(120, 148, 255, 255)});
constexpr auto kMarkers = std::to_array({Marker::kCircle, Marker::kSquare, Marker::kDiamond});

/// Index in a menu; an id that is not in it gets a hash of its characters.
template <class Entry>
std::size_t place_in(std::span<const Entry> menu, const std::string& id) {
    const auto found = std::ranges::find(menu, id, &Entry::id);
    if (found != menu.end()) return static_cast<std::size_t>(found - menu.begin());
    std::size_t sum = 0;
    for (const char c : id) sum = 31 * sum + static_cast<unsigned char>(c);
    return sum;
}

/// The bars to draw: all, or if they are too many, the best root of each map, and the wrong ones.
std::vector<LabBar> bars_that_fit(const std::vector<LabBar>& bars, std::size_t most) {
    if (bars.size() <= most) return bars;
    std::map<std::string, double> best;
    for (const LabBar& bar : bars)
        if (bar.right) best[bar.map] = std::max(best[bar.map], bar.improvement);
    std::vector<LabBar> few, wrong;
    for (const LabBar& bar : bars) {
        if (!bar.right) wrong.push_back(bar);
        if (bar.right && bar.improvement >= best[bar.map]) few.push_back(bar);
    }
    for (const LabBar& bar : wrong)  // as many wrong ones as fit
        if (few.size() < most) few.push_back(bar);
    if (few.size() > most) few.resize(most);
    return few;
}

struct BarColumns {
    float left, bar, bar_end, number_end, ms_end;
    double most;  // I at bar_end
};

std::string label_of(const LabBar& bar) { return lab_name(bar.map, bar.root); }

/// The greatest possible I of the newest bars; 0 without any.
double bound_of(const std::string& experiment, const std::vector<LabBar>& bars) {
    for (const LabBar& bar : bars)
        if (bar.newest)
            return lab_bound(experiment, static_cast<std::uint64_t>(bar.bodies), static_cast<std::uint32_t>(bar.rho))
                .improvement;
    return 0;
}

void stripes(ImDrawList& draw, ImVec2 low, ImVec2 high) {
    draw.PushClipRect(low, high, true);
    const float height = high.y - low.y;
    for (float x = low.x - height; x < high.x; x += 0.7f * height)
        draw.AddLine({x, high.y}, {x + height, low.y}, kWrong, 0.22f * height);
    draw.PopClipRect();
}

/// From the 90th percentile of the times to the 10th.
void whisker(const Pen& pen, const LabBar& bar, const BarColumns& at, float y) {
    const auto x_of = [&](double improvement) {
        return std::min(at.bar + (at.bar_end - at.bar) * static_cast<float>(improvement / at.most), at.bar_end);
    };
    const float low = x_of(bar.least), high = x_of(bar.most), end = pen.size() / 5;
    const float thick = std::max(1.0f, pen.size() / 12);
    pen.draw().AddLine({low, y}, {high, y}, kText, thick);
    for (const float x : {low, high}) pen.draw().AddLine({x, y - end}, {x, y + end}, kText, thick);
}

void bar_row(const Pen& pen, const LabBar& bar, const std::string& experiment, const BarColumns& at, float top,
             float height) {
    const float pad = 0.12f * height, text = top + (height - pen.size()) / 2;
    const ImVec2 low{at.bar, top + pad}, high{at.bar_end, top + height - pad};
    const float room = at.bar - 1.4f * pen.size() - at.left;
    pen.text({at.bar - 1.4f * pen.size(), text}, bar.newest ? kText : kDim, pen.fitted(label_of(bar), room),
             Align::kRight);
    pen.draw().AddRectFilled(low, high, kTrack, 3);
    if (!bar.right) {
        const std::string wrong{tr("WRONG")};
        stripes(pen.draw(), low, high);
        const float width = pen.width(wrong) + pen.size();
        pen.draw().AddRectFilled(low, {low.x + width, high.y}, kWrong, 3);
        pen.text({low.x + width / 2, text}, kText, wrong, Align::kCentre);
        return;
    }
    const LabLook look = lab_look(experiment, bar.map, bar.root);
    const bool first = bar.map == forms_of(experiment).front();
    const ImU32 color = first ? kDim : look.color;
    if (!first)
        draw_marker(pen.draw(), {at.bar - 0.75f * pen.size(), top + height / 2}, look.marker, pen.size() / 4, color);
    const float end = at.bar + (at.bar_end - at.bar) * static_cast<float>(bar.improvement / at.most);
    pen.draw().AddRectFilled(low, {std::max(end, at.bar + 3), high.y},
                             bar.newest ? color : (color & 0xffffffu) | 0x70000000u, 3);
    if (bar.most > bar.least) whisker(pen, bar, at, top + height / 2);
    const ImU32 words = bar.newest ? kText : kDim;
    if (bar.improvement > 0)
        pen.text({at.number_end, text}, words, fmt::format("{:.2f}", bar.improvement), Align::kRight);
    pen.text({at.ms_end, text}, words, milliseconds_text(1e-3 * bar.median_ms), Align::kRight);
}

BarColumns bar_columns(const Pen& pen, const Box& box, const std::vector<LabBar>& bars, double bound) {
    float labels = 0;
    double most = std::max(1.0, bound);
    for (const LabBar& bar : bars) {
        labels = std::max(labels, pen.width(label_of(bar)));
        most = std::max({most, bar.improvement, bar.right ? bar.most : 0});
    }
    const float numbers = box.high.x - pen.width("0.000 ms") - pen.size();
    labels = std::min(labels, 0.42f * box.width());
    return {box.low.x,
            box.low.x + labels + 1.5f * pen.size(),
            numbers - pen.width("00.00") - 0.4f * pen.size(),
            numbers,
            box.high.x,
            1.04 * most};
}

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

std::vector<Column> table_columns(const Pen& pen, const LabTable& table) {
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

LabLook lab_look(const std::string& experiment, const std::string& map, const std::string& root) {
    const std::size_t form = place_in(lab_forms(), map) + kPalette.size() * kMarkers.size() - 1;  // bb has no colour
    if (experiment != "roots")
        return {kPalette[form % kPalette.size()], kMarkers[form / kPalette.size() % kMarkers.size()]};
    return {kPalette[place_in(roots(), root) % kPalette.size()], kMarkers[form % kMarkers.size()]};
}

float lab_bars_height(const Pen& pen, const LabState& lab) {
    return pen.size() * (kBarHead + kBarRow * static_cast<float>(lab.bars.size()));
}

void lab_bars_drawing(const Pen& pen, const Box& box, const LabState& lab) {
    const float head = kBarHead * pen.size(), rows = box.height() - head;
    const auto most = static_cast<std::size_t>(std::max(1.0f, rows / (kLeastRow * pen.size())));
    const std::vector<LabBar> bars = bars_that_fit(lab.bars, most);
    if (bars.empty()) return;
    const double bound = bound_of(lab.run.experiment, bars);
    const BarColumns at = bar_columns(pen, box, bars, bound);
    const float height = std::min(rows / static_cast<float>(bars.size()), kMostRow * pen.size());
    const Pen small = pen.sized(0.85f);
    const std::string head_text =
        phrase("I = time({}) / time(map); dashed: at most {:.3f}", forms_of(lab.run.experiment).front(), bound);
    if (small.width(head_text) <= at.bar_end - at.bar)
        small.text({at.bar, box.low.y}, kDim, head_text);
    else  // over the names of the maps too
        small.text({at.bar_end, box.low.y}, kDim, small.fitted(head_text, at.bar_end - box.low.x), Align::kRight);
    small.text({at.number_end, box.low.y}, kDim, "I", Align::kRight);
    small.text({at.ms_end, box.low.y}, kDim, tr("median"), Align::kRight);
    float top = box.low.y + head;
    for (const LabBar& bar : bars) {
        bar_row(pen, bar, lab.run.experiment, at, top, height);
        top += height;
    }
    const auto x_of = [&](double improvement) {
        return at.bar + (at.bar_end - at.bar) * static_cast<float>(improvement / at.most);
    };
    const float thick = std::max(1.0f, pen.size() / 12);
    pen.draw().AddLine({x_of(1), box.low.y + head}, {x_of(1), top}, kText, thick);
    if (bound <= 0) return;
    pen.dashed({x_of(bound), box.low.y + head}, {x_of(bound), top}, kBound, 2 * thick, 0.3f * pen.size());
}

/// The head stays in place; rows that do not fit scroll below it, and head and rows scroll sideways together.
void lab_table_drawing(const Pen& pen, const Box& box, const LabState& lab) {
    std::vector<Column> columns = table_columns(pen, lab.run.table);
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
