// SPDX-License-Identifier: MIT
#include "app/window/lab/lab_drawings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "app/picture/format.hpp"
#include "app/ui/words.hpp"
#include "app/window/lab/lab_state.hpp"
#include "core/lab/launch_variants.hpp"

namespace orrery {
namespace {

using namespace lab_colors;

constexpr ImU32 kBound = IM_COL32(255, 214, 120, 255);  // of I
constexpr ImU32 kGhost = IM_COL32(200, 206, 216, 150);  // a curve of another machine
constexpr ImU32 kGood = IM_COL32(44, 196, 148, 255);
constexpr ImU32 kWrong = IM_COL32(213, 70, 0, 255);  // marked by white text or stripes, never by hue alone

/// How a map is distinguished from the others: a colour of Okabe and Ito's palette, lightened for a dark background,
/// and a shape.
struct LabLook {
    ImU32 color;
    Marker marker;
};

constexpr const char* kLabTableWindow = "lab table";                  // ImGui name of its rows
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

/// In `roots` the root gives the colour and the form the shape; otherwise the map gives both.
LabLook lab_look(const std::string& experiment, const std::string& map, const std::string& root) {
    const std::size_t form = place_in(lab_forms(), map) + kPalette.size() * kMarkers.size() - 1;  // bb has no colour
    if (experiment != "roots")
        return {kPalette[form % kPalette.size()], kMarkers[form / kPalette.size() % kMarkers.size()]};
    return {kPalette[place_in(roots(), root) % kPalette.size()], kMarkers[form % kMarkers.size()]};
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

namespace {

using namespace lab_colors;

constexpr double kMostWhisker = 1.2;  // of the greatest I and the bound
constexpr float kLeastPlot = 15;      // least width between axis and labels, in multiples of the text size

/// A label beside a curve; keep_apart() separates labels, keeping their order.
struct Word {
    float y;  ///< height of its curve; after keep_apart(), the middle of its line
    std::string text;
    LabLook look;
};
void keep_apart(std::vector<Word>& words, float line, float low, float high) {
    std::ranges::sort(words, {}, &Word::y);
    float next = low + line / 2;
    for (Word& word : words) word.y = std::max(word.y, next), next = word.y + line;
    float last = high - line / 2;
    for (std::size_t i = words.size(); i-- > 0;) words[i].y = std::min(words[i].y, last), last = words[i].y - line;
}

class CurvePlot {
public:
    CurvePlot(const Pen& pen, const Box& box, const LabState& lab, const LabPanel& panel, bool alone)
        : pen_{pen},
          small_{pen.sized(0.8f)},
          experiment_{lab.run.experiment},
          panel_{panel.plot},
          rho_{lab.run.config.rho},
          ghost_{ghost_of(lab, panel.dimensions)},
          title_{std::string{tr("I against N")} + (alone ? "" : ": " + panel.plot.title)} {
        for (const LabSpread& spread : lab.spreads)
            if (spread.dimensions == panel.dimensions) spreads_.push_back(&spread);
        const float labels = widest(curve_names()) + 1.9f * pen.size(), marks = marks_width();
        frame_ = {{box.low.x + pen.width("0.00") + 0.5f * pen.size(), box.low.y + 1.5f * pen.size()},
                  {box.high.x - labels - marks, box.high.y - 1.5f * pen.size()}};
        choose_ends();
    }

    /// Least width of a plot of this panel, in pixels.
    static float least_width(const Pen& pen, const PlotPanel& panel) {
        float labels = 0, marks = 0;
        for (const PlotCurve& curve : panel.curves) labels = std::max(labels, pen.sized(0.8f).width(curve.label));
        for (const PlotMark& mark : panel.marks) marks = std::max(marks, pen.sized(0.8f).width(mark.label));
        return labels + marks + (kLeastPlot + 4) * pen.size();
    }

    void draw() const {
        axes();
        bound();
        ghost();
        for (const PlotCurve& curve : panel_.curves) draw(curve);
        names();
        marks();
    }

private:
    std::vector<std::string> curve_names() const {
        std::vector<std::string> all;
        for (const PlotCurve& curve : panel_.curves) all.push_back(curve.label);
        return all;
    }
    float widest(const std::vector<std::string>& texts) const {
        float most = 0;
        for (const std::string& text : texts) most = std::max(most, small_.width(text));
        return most;
    }
    float marks_width() const {
        std::vector<std::string> all;
        for (const PlotMark& mark : panel_.marks) all.push_back(mark.label);
        return all.empty() ? 0 : std::max(widest(all), small_.width(std::string{tr("papers")})) + 2.2f * pen_.size();
    }

    void choose_ends() {
        double right = -HUGE_VAL;
        y_.include(panel_.reference.value_or(1));
        for (const PlotMark& mark : panel_.marks) y_.include(mark.y);
        for (const PlotCurve& curve : panel_.curves)
            for (const PlotPoint& point : curve.points) y_.include(point.y), right = std::max(right, point.x);
        y_.include(bound_at(right));
        if (ghost_)
            for (const PlotPoint& point : ghost_->points)
                if (point.x <= right) y_.include(point.y);
        // A run disturbed by other programs must not flatten the curves: longer whiskers are cut off.
        double top = bound_at(right);
        for (const PlotCurve& curve : panel_.curves)
            for (const PlotPoint& point : curve.points) top = std::max(top, point.y);
        for (const PlotCurve& curve : panel_.curves)
            for (const LabSpread* spread : spreads_)
                if (spread->label == curve.label)
                    y_.include(spread->least), y_.include(std::min(spread->most, kMostWhisker * top));
        x_.include(0), x_.include(right);
        right_ = right;
        x_.finish(5, 0), y_.finish(5, 0.05);
    }
    float x_of(double x) const { return frame_.low.x + frame_.width() * static_cast<float>(x_.share(x)); }
    float y_of(double y) const { return frame_.high.y - frame_.height() * static_cast<float>(y_.share(y)); }

    void axes() const {
        const float thick = std::max(1.0f, pen_.size() / 12);
        float free = HUGE_VALF;  // a label above this line does not touch the one before
        for (const auto& [y, text] : y_.ticks()) {
            pen_.draw().AddLine({frame_.low.x, y_of(y)}, {frame_.high.x, y_of(y)}, kLine);
            if (y_of(y) > free) continue;
            free = y_of(y) - 1.1f * small_.size();
            small_.text({frame_.low.x - 0.4f * pen_.size(), y_of(y) - small_.size() / 2}, kText, text, Align::kRight);
        }
        for (const auto& [x, text] : x_.ticks()) {
            if (x == 0) continue;
            pen_.draw().AddLine({x_of(x), frame_.high.y}, {x_of(x), frame_.high.y + 0.3f * pen_.size()}, kText);
            small_.text({x_of(x), frame_.high.y + 0.4f * pen_.size()}, kText, grouped(static_cast<std::uint64_t>(x)),
                        Align::kCentre);
        }
        const float across = y_of(panel_.reference.value_or(1));  // no gain
        pen_.draw().AddLine({frame_.low.x, across}, {frame_.high.x, across}, kText, 2 * thick);
        small_.text({frame_.low.x - 0.4f * pen_.size(), frame_.high.y + 0.4f * pen_.size()}, kDim, "N →",
                    Align::kRight);
        pen_.text({frame_.low.x, frame_.low.y - 1.45f * pen_.size()}, kText, title_);
    }

    double bound_at(double bodies) const {
        return lab_bound(experiment_, static_cast<std::uint64_t>(std::max(1.0, bodies)), rho_).improvement;
    }

    /// The greatest possible I over N.
    void bound() const {
        constexpr int kParts = 96;
        std::vector<ImVec2> points;
        for (int i = 1; i <= kParts; ++i) {
            const double bodies = right_ * i / kParts;
            if (bound_at(bodies) > 0) points.emplace_back(x_of(bodies), std::max(y_of(bound_at(bodies)), frame_.low.y));
        }
        for (std::size_t i = 0; i + 1 < points.size(); i += 2)  // dashed
            pen_.draw().AddLine(points[i], points[i + 1], kBound, std::max(1.0f, pen_.size() / 8));
        const std::string_view words = tuple_order(experiment_) == 4   ? "24m³ / ((m + 1)(m + 2)(m + 3))"
                                       : tuple_order(experiment_) == 3 ? "6m² / ((m + 1)(m + 2))"
                                                                       : "2m / (m + 1)";
        small_.text({frame_.high.x - 0.4f * pen_.size(), points.back().y - 1.15f * small_.size()}, kBound, words,
                    Align::kRight);
    }

    /// The curve of a GPU, as far as this one goes.
    void ghost() const {
        if (!ghost_) return;
        std::vector<ImVec2> points;
        for (const PlotPoint& point : ghost_->points)
            if (point.x <= right_) points.emplace_back(x_of(point.x), y_of(point.y));
        for (std::size_t i = 0; i + 1 < points.size(); ++i)
            pen_.dashed(points[i], points[i + 1], kGhost, std::max(1.0f, pen_.size() / 7), 0.35f * pen_.size());
        if (points.empty()) return;
        const std::string words = fmt::format("{}, {}", lab_name(ghost_->map, "rsqrt"), ghost_->device);
        small_.text({points.front().x, points.front().y + 0.35f * pen_.size()}, kGhost, words);
    }

    LabLook look(const PlotCurve& curve) const {
        const std::size_t blank = curve.label.find(' ');
        return lab_look(experiment_, curve.label.substr(0, blank),
                        blank == std::string::npos ? "" : curve.label.substr(blank + 1));
    }

    void draw(const PlotCurve& curve) const {
        const LabLook it = look(curve);
        std::vector<ImVec2> points;
        for (const PlotPoint& point : curve.points) points.emplace_back(x_of(point.x), y_of(point.y));
        pen_.draw().AddPolyline(points.data(), static_cast<int>(points.size()), it.color, 0, pen_.size() / 7);
        whiskers(curve, it.color);
        for (const ImVec2 at : points)
            draw_marker(pen_.draw(), at, it.marker, pen_.size() / (points.size() > 12 ? 5.0f : 3.6f), it.color);
    }

    /// From the 90th percentile of the times to the 10th.
    void whiskers(const PlotCurve& curve, ImU32 color) const {
        const float end = pen_.size() / 6, thick = std::max(1.0f, pen_.size() / 14);
        for (const LabSpread* spread : spreads_) {
            if (spread->label != curve.label) continue;
            const float x = x_of(static_cast<double>(spread->bodies)), low = y_of(spread->least),
                        high = std::max(y_of(spread->most), frame_.low.y);
            pen_.draw().AddLine({x, low}, {x, high}, color, thick);
            for (const float y : {low, high}) pen_.draw().AddLine({x - end, y}, {x + end, y}, color, thick);
        }
    }

    /// The name of each curve at its right end.
    void names() const {
        std::vector<Word> words;
        for (const PlotCurve& curve : panel_.curves)
            if (!curve.points.empty()) words.push_back({y_of(curve.points.back().y), curve.label, look(curve)});
        if (words.empty()) return;
        const Pen pen = fitting(words.size());
        const float x = frame_.high.x + 1.1f * pen_.size();
        auto apart = words;
        keep_apart(apart, 1.08f * pen.size(), frame_.low.y - 0.3f * pen_.size(), frame_.high.y + 0.3f * pen_.size());
        std::ranges::stable_sort(words, {}, &Word::y);
        for (std::size_t i = 0; i < words.size(); ++i) {
            pen_.draw().AddLine({frame_.high.x + 0.2f * pen_.size(), words[i].y}, {x, apart[i].y}, apart[i].look.color,
                                std::max(1.0f, pen_.size() / 14));
            draw_marker(pen_.draw(), {x + 0.15f * pen.size(), apart[i].y}, apart[i].look.marker, pen.size() / 4,
                        apart[i].look.color);
            pen.text({x + 0.7f * pen.size(), apart[i].y - pen.size() / 2}, apart[i].look.color, apart[i].text);
        }
    }

    /// Dashed lines for the values in papers, with their labels in a separate column.
    void marks() const {
        std::vector<Word> words;
        for (const PlotMark& mark : panel_.marks) words.push_back({y_of(mark.y), verbatim(mark.label), {}});
        if (words.empty()) return;
        const float width = marks_width(), right = frame_.high.x + widest(curve_names()) + 1.9f * pen_.size();
        const float x = right + 1.8f * pen_.size();
        for (const Word& word : words)
            pen_.dashed({frame_.low.x, word.y}, {frame_.high.x, word.y}, IM_COL32(255, 255, 255, 130),
                        std::max(1.0f, pen_.size() / 14), 0.4f * pen_.size());
        std::ranges::stable_sort(words, {}, &Word::y);
        auto apart = words;
        keep_apart(apart, 1.15f * small_.size(), frame_.low.y, frame_.high.y);
        const float head = std::min(frame_.low.y - 1.3f * pen_.size(), apart.front().y - 1.7f * small_.size());
        small_.text({right + width, head}, kDim, std::string{tr("papers")}, Align::kRight);
        for (std::size_t i = 0; i < words.size(); ++i) {
            pen_.draw().AddLine({x - 1.0f * pen_.size(), words[i].y}, {x - 0.25f * pen_.size(), apart[i].y}, kText);
            small_.text({x, apart[i].y - small_.size() / 2}, kText, apart[i].text);
        }
    }

    /// A smaller pen if there are too many lines.
    Pen fitting(std::size_t lines) const {
        const float most = (frame_.height() + 0.6f * pen_.size()) / static_cast<float>(lines) / 1.08f;
        return small_.sized(std::clamp(most / small_.size(), 0.5f, 1.0f));
    }

    Pen pen_, small_;
    const std::string& experiment_;
    const PlotPanel& panel_;
    std::uint32_t rho_;
    const LabGhost* ghost_;                  // null: none
    double right_ = 0;                       // the largest N
    std::vector<const LabSpread*> spreads_;  // of this panel
    std::string title_;
    Box frame_{};
    PlotScale x_{false}, y_{false};
};

}  // namespace

void lab_curves_drawing(const Pen& pen, const Box& box, const LabState& lab) {
    if (lab.panels.empty()) return;
    // The panel measured last, and as many before it as fit.
    std::size_t first = lab.panels.size() - 1;
    float free = box.width() - CurvePlot::least_width(pen, lab.panels[first].plot);
    while (first > 0 && free >= CurvePlot::least_width(pen, lab.panels[first - 1].plot))
        free -= CurvePlot::least_width(pen, lab.panels[--first].plot);
    const float width = box.width() / static_cast<float>(lab.panels.size() - first);
    for (std::size_t i = first; i < lab.panels.size(); ++i) {
        const float left = box.low.x + width * static_cast<float>(i - first);
        CurvePlot{pen,
                  {{left, box.low.y}, {left + width, box.high.y}},
                  lab,
                  lab.panels[i],
                  i + 1 == lab.panels.size() && i == first}
            .draw();
    }
}

namespace {

using namespace lab_colors;

constexpr ImU32 kWorking = IM_COL32(44, 196, 148, 255), kIdle = IM_COL32(240, 96, 72, 255);
constexpr float kWasteRow = 1.45f, kWasteHead = 2.1f;  // heights, in multiples of the text size

struct WasteRow {
    std::string map;
    std::int64_t bodies = 0, launched = 0, wasted = 0, rho = 0;
};

std::vector<WasteRow> waste_rows(const LabTable& table) {
    std::vector<WasteRow> all;
    for (const auto& row : table.rows) {
        const auto whole = [&](std::string_view column) {
            return std::get<std::int64_t>(lab_cell(table, row, column));
        };
        all.push_back({std::get<std::string>(lab_cell(table, row, "map")), whole("bodies"), whole("launched_blocks"),
                       whole("wasted_blocks"), whole("rho")});
    }
    return all;
}

std::string share_text(const WasteRow& row) {
    const double share = row.launched > 0 ? static_cast<double>(row.wasted) / static_cast<double>(row.launched) : 0;
    return fmt::format("{:.{}f} %", 100 * share, share > 0 && share < 0.1 ? 2 : 1);
}

struct WasteColumns {
    float bar, bar_end, launched_end, wasted_end, share_end;
};

WasteColumns waste_columns(const Pen& pen, const std::vector<WasteRow>& rows, float left, float right) {
    float names = 0, numbers = pen.width(tr("launched"));
    for (const WasteRow& row : rows) {
        names = std::max(names, pen.width(lab_name(row.map)));
        numbers = std::max(numbers, pen.width(grouped(row.launched)));
    }
    const float gap = pen.size();
    const float share = right, wasted = share - std::max(pen.width("00.00 %"), pen.width(tr("waste"))) - gap;
    const float launched = wasted - std::max(numbers, pen.width(tr("wasted"))) - gap;
    return {left + std::min(names, 0.4f * (right - left)) + gap, launched - numbers - gap, launched, wasted, share};
}

void waste_head(const Pen& pen, const WasteRow& row, const WasteColumns& at, float left, float top) {
    const LabBound bound =
        lab_bound("dummy", static_cast<std::uint64_t>(row.bodies), static_cast<std::uint32_t>(row.rho));
    const float y = top + 0.7f * pen.size();
    pen.text({left, y}, kText, fmt::format("N = {}, m = {}", grouped(row.bodies), bound.rows));
    pen.text({at.launched_end, y}, kDim, tr("launched"), Align::kRight);
    pen.text({at.wasted_end, y}, kDim, tr("wasted"), Align::kRight);
    pen.text({at.share_end, y}, kDim, tr("waste"), Align::kRight);
}

void waste_bar(const Pen& pen, const WasteRow& row, const WasteColumns& at, float left, float top, double most) {
    const float height = kWasteRow * pen.size(), y = top + (height - pen.size()) / 2, pad = 0.14f * height;
    const auto x_of = [&](std::int64_t blocks) {
        return at.bar + (at.bar_end - at.bar) * static_cast<float>(static_cast<double>(blocks) / most);
    };
    pen.text({left, y}, kText, pen.fitted(lab_name(row.map), at.bar - left - pen.size() / 2));
    const float useful = x_of(row.launched - row.wasted), end = x_of(row.launched);
    pen.draw().AddRectFilled({at.bar, top + pad}, {at.bar_end, top + height - pad}, kTrack, 2);
    pen.draw().AddRectFilled({at.bar, top + pad}, {useful, top + height - pad}, kWorking, 2);
    if (row.wasted > 0)
        pen.draw().AddRectFilled({useful, top + pad}, {std::max(end, useful + 1), top + height - pad}, kIdle, 2);
    pen.text({at.launched_end, y}, kText, grouped(row.launched), Align::kRight);
    pen.text({at.wasted_end, y}, row.wasted > 0 ? kText : kDim, grouped(row.wasted), Align::kRight);
    pen.text({at.share_end, y}, row.wasted > 0 ? kText : kDim, share_text(row), Align::kRight);
}

}  // namespace

void lab_waste_drawing(const Pen& pen, const Box& box, const LabState& lab) {
    const std::vector<WasteRow> rows = waste_rows(lab.run.table);
    ImGui::SetCursorScreenPos(box.low);
    constexpr int flags = ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav;
    if (ImGui::BeginChild(kLabTableWindow, {box.width(), box.height()}, false, flags)) {
        const Pen inner{ImGui::GetFont(), pen.size()};
        const ImVec2 start = ImGui::GetCursorScreenPos();
        const float right = start.x + box.width() - ImGui::GetStyle().ScrollbarSize - 0.4f * pen.size();
        const WasteColumns at = waste_columns(inner, rows, start.x, right);
        float top = start.y;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i == 0 || rows[i].bodies != rows[i - 1].bodies) {
                waste_head(inner, rows[i], at, start.x, top);
                top += kWasteHead * pen.size();
            }
            double most = 1;
            for (const WasteRow& row : rows)
                if (row.bodies == rows[i].bodies) most = std::max(most, static_cast<double>(row.launched));
            waste_bar(inner, rows[i], at, start.x, top, most);
            top += kWasteRow * pen.size();
        }
        ImGui::Dummy({box.width() - 2 * ImGui::GetStyle().ScrollbarSize, top - start.y});
    }
    ImGui::EndChild();
}

}  // namespace orrery
