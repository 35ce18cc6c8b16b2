// SPDX-License-Identifier: MIT
// The papers' figures as one HTML file: panels from the laboratory's tables, drawings of maps, tables.
#include "core/lab/papers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/maps/lambda3.hpp"
#include "core/maps/picture.hpp"
#include "core/maps/picture3.hpp"

namespace orrery {
namespace {

using enum PaperAxes;

constexpr double kKilo = 1024;  // the papers' axis is N in 2¹⁰

const LabValue* cell_of(const LabTable& table, const std::vector<LabValue>& row, std::string_view column) {
    const auto found = std::ranges::find(table.columns, column);
    return found == table.columns.end() ? nullptr : &row[static_cast<std::size_t>(found - table.columns.begin())];
}

/// The cells of a row by column name; 0 or empty if missing.
class Cells {
public:
    Cells(const LabTable& table, const std::vector<LabValue>& row) : table_{table}, row_{row} {}
    double number(std::string_view column) const {
        const LabValue* value = find(column);
        if (!value) return 0;
        if (const auto* whole = std::get_if<std::int64_t>(value)) return static_cast<double>(*whole);
        const auto* real = std::get_if<double>(value);
        return real ? *real : 0;
    }
    std::string text(std::string_view column) const {
        const LabValue* value = find(column);
        const std::string* text = value ? std::get_if<std::string>(value) : nullptr;
        return text ? *text : std::string{};
    }

private:
    const LabValue* find(std::string_view column) const { return cell_of(table_, row_, column); }
    const LabTable& table_;
    const std::vector<LabValue>& row_;
};

/// Calls use(cells) for every row.
template <class Use>
void each_row(const LabTable& table, const Use& use) {
    for (const auto& row : table.rows) use(Cells{table, row});
}

double most_bodies(const LabTable& table) {
    double most = 0;
    each_row(table, [&](const Cells& row) { most = std::max(most, row.number("bodies")); });
    return most;
}

struct Words {
    const char *x, *y;
};
Words words_of(PaperAxes axes, bool triples) {
    switch (axes) {
        case kGain:
            return triples ? Words{"N", "I = time(cube) / time(map)"} : Words{"N (2¹⁰)", "I = time(bb) / time(map)"};
        case kGainFeatures:
            return {"features", "I = time(bb) / time(map)"};
        case kWastedBlocks:
            return {"N (2¹⁰)", "wasted blocks"};
        case kWastedThreads:
            return {"N (2¹⁰)", "wasted threads"};
        case kWastedTriples:
            return {"N", "wasted blocks"};
        case kRateUnrolling:
            return {"unrolling u", "GFLOP/s at 20 flop a pair"};
        case kRateBodies:
            return {"N", "GFLOP/s at 20 flop a pair"};
        case kRateTile:
            return {"block size p", "GFLOP/s at 20 flop a pair"};
        case kRateSplit:
            return {"threads per body q", "GFLOP/s at 20 flop a pair"};
        case kSeconds:
            return {"N", "seconds of a step"};
    }
    return {"", ""};
}

PlotPanel empty_panel(const PaperPanel& panel) {
    const Words words = words_of(panel.axes, panel.experiment == "triplet");
    PlotPanel plot{
        .title = std::string{panel.title}, .x_label = words.x, .y_label = words.y, .curves = {}, .marks = {}};
    if (panel.axes != kGain && panel.axes != kGainFeatures) plot.reference = std::nullopt;
    plot.log_y = panel.axes == kSeconds || panel.axes == kWastedBlocks || panel.axes == kWastedThreads ||
                 panel.axes == kWastedTriples;
    plot.y_shown = panel.y_shown;
    return plot;
}

void add_sorted(PlotPanel& plot, PlotCurve curve) {
    if (curve.points.empty()) return;
    std::ranges::sort(curve.points, {}, &PlotPoint::x);
    plot.curves.push_back(std::move(curve));
}

PlotCurve curve_of(const PaperCurve& curve) {
    return {std::string{curve.label}, std::string{curve.color}, std::string{curve.dashes}, {}};
}

bool is_of(const Cells& row, const PaperCurve& curve) {
    return row.text("map") == curve.id && row.text("root") == curve.root;
}

/// Rows of tiles, m in the papers' bound.
double rows_of(const PaperPanel& panel, const Cells& row) {
    return std::ceil(row.number("bodies") / (tile_span(panel.experiment) * std::max(1.0, row.number("rho"))));
}
double bound_of(double rows) { return 2 * rows / (rows + 1); }

/// 2m/(m + 1): the largest possible gain of a map whose blocks cost as much as bb's.
PlotCurve bound(const PaperPanel& panel, const LabTable& table) {
    PlotCurve curve{"bound 2m/(m + 1)", "#888888", "3 3", {}};
    std::set<double> known;
    each_row(table, [&](const Cells& row) {
        if (known.insert(row.number("bodies")).second)
            curve.points.push_back({row.number("bodies") / kKilo, bound_of(rows_of(panel, row))});
    });
    return curve;
}

void add_gains(PlotPanel& plot, const PaperPanel& panel, const LabTable& table) {
    const bool features = panel.axes == kGainFeatures;
    const double most = most_bodies(table), unit = panel.experiment == "triplet" ? 1 : kKilo;
    for (const PaperCurve& each : panel.curves) {
        PlotCurve curve = curve_of(each);
        each_row(table, [&](const Cells& row) {
            const double gain = row.number("improvement"), dimensions = row.number("dimensions");
            if (!is_of(row, each) || gain == 0) return;
            if (features && row.number("bodies") == most) curve.points.push_back({dimensions, gain});
            if (!features && dimensions == panel.dimensions)
                curve.points.push_back({row.number("bodies") / unit, gain});
        });
        add_sorted(plot, std::move(curve));
    }
    if (!features && panel.experiment != "triplet" && !plot.curves.empty()) add_sorted(plot, bound(panel, table));
}

void add_waste(PlotPanel& plot, const PaperPanel& panel, const LabTable& table) {
    const char* column = panel.axes == kWastedBlocks ? "wasted_blocks" : "wasted_threads";
    for (const PaperCurve& each : panel.curves) {
        PlotCurve curve = curve_of(each);
        each_row(table, [&](const Cells& row) {
            if (row.text("map") == each.id) curve.points.push_back({row.number("bodies") / kKilo, row.number(column)});
        });
        add_sorted(plot, std::move(curve));
    }
}

void add_triples(PlotPanel& plot) {
    PlotCurve cube{"cube", "#333333", "", {}}, grid{"λ on a cubic grid", "#d62728", "", {}};
    for (std::uint32_t bodies = 64; bodies <= 1024; bodies += 64) {
        const std::uint64_t side = bodies / 8, triples = tetrahedral(side), edge = cubic_side(bodies / 8);
        const auto wasted = [&](std::uint64_t launched) { return static_cast<double>(launched - triples); };
        cube.points.push_back({static_cast<double>(bodies), wasted(side * side * side)});
        grid.points.push_back({static_cast<double>(bodies), wasted(edge * edge * edge)});
    }
    add_sorted(plot, std::move(cube)), add_sorted(plot, std::move(grid));
}

constexpr std::array<std::string_view, 7> kTileColors{"#1f77b4", "#d62728", "#2ca02c", "#9467bd",
                                                      "#e08000", "#8c564b", "#17becf"};

/// For the tiled kernel: the figure's parameter along x, a curve per N if there are several, other parameters as in the
/// chapter.
void add_rates(PlotPanel& plot, PaperAxes axes, const LabTable& table) {
    std::map<double, PlotCurve> by_bodies;
    const double most = most_bodies(table);
    each_row(table, [&](const Cells& row) {
        const double p = row.number("tile_p"), q = row.number("tile_q"), u = row.number("tile_u"),
                     bodies = row.number("bodies"), rate = row.number("gflops");
        const bool default_p = p == 256 && q == 1, default_u = u == 4;
        const auto point = [&](bool belongs, double x, double key) {
            if (belongs) by_bodies[key].points.push_back({x, rate});
        };
        if (axes == kRateUnrolling) point(default_p && bodies == most, u, bodies);
        if (axes == kRateBodies) point(default_p && default_u, bodies, 0);
        if (axes == kRateTile) point(q == 1 && default_u, p, bodies);
        if (axes == kRateSplit) point(p * q == 256 && default_u, q, bodies);
    });
    std::size_t color = 0;
    for (auto& [bodies, curve] : by_bodies) {
        curve.label = bodies == 0 ? "p 256, u 4, q 1" : fmt::format("N = {:g}", bodies);
        curve.color = kTileColors[color++ % kTileColors.size()];
        add_sorted(plot, std::move(curve));
    }
}

void add_seconds(PlotPanel& plot, const PaperPanel& panel, const LabTable& table) {
    for (const PaperCurve& each : panel.curves)
        for (const char* precision : {"double", "single"}) {
            PlotCurve curve = curve_of(each);
            curve.label += fmt::format(", {}", precision);
            if (precision[0] == 's') curve.dashes = "7 4";
            each_row(table, [&](const Cells& row) {
                const double ms = row.number("median_ms");
                if (row.text("program") == each.id && row.text("precision") == precision && ms > 0)
                    curve.points.push_back({row.number("bodies"), 1e-3 * ms});
            });
            add_sorted(plot, std::move(curve));
        }
}

}  // namespace

PlotPanel measured_panel(const PaperPanel& panel, const LabTables& tables) {
    PlotPanel plot = empty_panel(panel);
    if (panel.axes == kWastedTriples) return add_triples(plot), plot;
    const auto found = tables.find(std::string{panel.experiment});
    if (found == tables.end()) return plot;
    const LabTable& table = found->second;
    if (panel.axes == kGain || panel.axes == kGainFeatures) add_gains(plot, panel, table);
    if (panel.axes == kWastedBlocks || panel.axes == kWastedThreads) add_waste(plot, panel, table);
    if (panel.axes == kSeconds) add_seconds(plot, panel, table);
    if (panel.experiment == "tiles") add_rates(plot, panel.axes, table);
    return plot;
}

PlotPanel published_panel(const PaperPanel& panel) {
    PlotPanel plot = empty_panel(panel);
    for (const PublishedValue& each : panel.published) {
        PlotCurve curve{fmt::format("{}: {:.4g}", each.label, each.value), std::string{each.color}, "", {}};
        curve.points.push_back({each.from, each.value});
        if (each.to != each.from) curve.points.push_back({each.to, each.value});
        plot.curves.push_back(std::move(curve));
    }
    return plot;
}

std::vector<GainRow> gain_rows(const PaperPanel& panel, const LabTables& tables) {
    std::vector<GainRow> rows;
    const auto found = tables.find(std::string{panel.experiment});
    if (found == tables.end() || panel.axes != kGain || panel.experiment == "triplet") return rows;
    const double most = most_bodies(found->second);
    for (const PaperCurve& curve : panel.curves)
        each_row(found->second, [&](const Cells& row) {
            const double gain = row.number("improvement");
            if (!is_of(row, curve) || gain == 0 || row.number("bodies") != most ||
                row.number("dimensions") != panel.dimensions)
                return;
            const double bound = bound_of(rows_of(panel, row));
            rows.push_back({std::string{curve.label}, static_cast<std::int64_t>(most), gain, bound, bound / gain});
        });
    return rows;
}

namespace {

constexpr unsigned kDrawingGap = 40;

/// A block and its tile share a shade, darker from block to block; without work it is white.
unsigned light_of(std::uint32_t block, std::uint32_t blocks, bool useful) {
    return useful ? 235 - 150 * block / std::max(1u, blocks) : 255;
}

std::string captioned(std::string_view words, unsigned width, unsigned height, std::string_view svg) {
    return fmt::format(
        "<div><p>{}</p><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\">\n{}</svg></div>\n", words,
        width, height, svg);
}

std::string triangle_drawing(std::string_view map) {
    constexpr std::uint32_t kDrawnRows = 8;
    constexpr unsigned kCell = 22;
    const MapPicture picture{map, "rsqrt", kDrawnRows};
    std::string svg;
    const auto cell = [&](std::uint32_t column, std::uint32_t line, std::uint32_t block, bool useful, unsigned left) {
        const unsigned light = light_of(block, picture.blocks(), useful);
        svg += fmt::format(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"rgb({},{},255)\" stroke=\"#666\"/>\n",
            left + column * kCell, line * kCell, kCell, kCell, light, light);
        svg += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"9\" text-anchor=\"middle\">{}</text>\n",
                           left + column * kCell + kCell / 2, line * kCell + kCell / 2 + 3,
                           useful ? fmt::format("{}", block) : "×");
    };
    for (std::uint32_t block = 0; block < picture.blocks(); ++block)
        cell(block % picture.columns(), block / picture.columns(), block, picture.useful(block), 0);
    const unsigned second = picture.columns() * kCell + kDrawingGap;
    for (std::uint32_t row = 0; row < kDrawnRows; ++row)
        for (std::uint32_t col = 0; col <= row; ++col) cell(col, row, picture.block_of({row, col}), true, second);
    return captioned(fmt::format("{}: blocks launched, and the tiles that they take; m = {}, {} blocks wasted", map,
                                 kDrawnRows, picture.true_counts().wasted()),
                     second + kDrawnRows * kCell + 2, std::max(picture.lines(), kDrawnRows) * kCell + 2, svg);
}

/// Draws polygons; blocks without work are outlines.
std::string cubes_svg(const CubeDrawing& drawing, std::uint32_t blocks, float edge, float left) {
    std::string svg;
    for (const CubeFace& face : drawing.faces) {
        std::string points;
        for (const auto& [x, y] : face.corners) points += fmt::format("{:.1f},{:.1f} ", left + edge * x, 1 + edge * y);
        const auto light = static_cast<float>(light_of(face.block, blocks, face.useful));
        const int grey = static_cast<int>(face.light * light), blue = static_cast<int>(face.light * 255);
        svg += fmt::format("<polygon points=\"{}\" fill=\"{}\" stroke=\"{}\"/>\n", points,
                           face.useful ? fmt::format("rgb({0},{0},{1})", grey, blue) : std::string{"none"},
                           face.useful ? "#666" : "#ddd");
    }
    return svg;
}

std::string tetrahedron_drawing(std::string_view map) {
    constexpr std::uint32_t kDrawnLayers = 6;
    constexpr float kEdge = 18;
    const Map3Picture picture{map, "rsqrt", kDrawnLayers};
    const CubeDrawing blocks = blocks_in_space(picture), triples = triples_in_space(picture);
    const float second = 1 + kEdge * blocks.width + kDrawingGap;
    const std::uint64_t wasted = picture.blocks() - tetrahedral(kDrawnLayers);
    return captioned(
        fmt::format("{}: blocks launched, and the triples of tiles that they take; m = {}, {} of {} blocks wasted", map,
                    kDrawnLayers, wasted, picture.blocks()),
        static_cast<unsigned>(second + kEdge * triples.width) + 2,
        static_cast<unsigned>(kEdge * std::max(blocks.height, triples.height)) + 3,
        cubes_svg(blocks, picture.blocks(), kEdge, 1) + cubes_svg(triples, picture.blocks(), kEdge, second));
}

}  // namespace

std::string map_drawing(std::string_view map) {
    const bool triples = std::ranges::find(simplex3_maps(), map, &Map3Entry::id) != simplex3_maps().end();
    return triples ? tetrahedron_drawing(map) : triangle_drawing(map);
}

namespace {

constexpr std::string_view kStyle =
    "body{font-family:DejaVu Sans,Helvetica,Arial,sans-serif;margin:2em;max-width:1400px;color:#222}"
    "section{border-top:1px solid #ccc;padding:1em 0}.pair{display:flex;flex-wrap:wrap;gap:1em}"
    ".pair>div{flex:1 1 600px}svg{max-width:100%;height:auto}td,th{padding:.2em .8em;text-align:right}"
    "td:first-child,th:first-child{text-align:left}";

std::string row_of(std::string_view cell, const std::vector<std::string>& cells) {
    std::string html = "<tr>";
    for (const std::string& text : cells) html += fmt::format("<{0}>{1}</{0}>", cell, xml_escaped(text));
    return html + "</tr>\n";
}

std::string gains(const PaperPanel& panel, const LabTables& tables) {
    const std::vector<GainRow> rows = gain_rows(panel, tables);
    if (rows.empty()) return {};
    std::string html = fmt::format("<table>{}", row_of("th", {fmt::format("{}, N = {}", panel.title, rows[0].bodies),
                                                              "I", "bound 2m/(m + 1)", "k = I_bound / I"}));
    for (const GainRow& row : rows)
        html += row_of("td", {row.label, fmt::format("{:.3f}", row.gain), fmt::format("{:.4f}", row.bound),
                              fmt::format("{:.3f}", row.k)});
    return html + "</table>\n";
}

bool has(const LabTable& table, const std::vector<LabValue>& row, std::string_view column, const LabValue& wanted) {
    const LabValue* value = cell_of(table, row, column);
    return value && *value == wanted;
}
std::string number(const LabValue* value, double factor) {
    if (!value) return {};
    if (const double* real = std::get_if<double>(value)) return fmt::format("{:.4g}", factor * *real);
    const auto* whole = std::get_if<std::int64_t>(value);  // a CSV file may contain an integer
    return whole ? fmt::format("{:.4g}", factor * static_cast<double>(*whole)) : std::string{};
}

/// A cell of table 3.1 (row: program) or 3.2 (row: kernel of the tree) in one precision: the time measured here for the
/// same number of bodies, otherwise for the largest number measured.
std::string measured_cell(const PublishedCell& cell, const LabTable& table, std::string_view precision) {
    const bool kernel = cell.row.ends_with("_ms");
    const std::string_view program = kernel ? "tree" : cell.row, column = kernel ? cell.row : "median_ms";
    std::string best, missing = "not measured";
    std::int64_t most = 0;
    const std::int64_t wanted = std::stoll(std::string{cell.column});
    for (const auto& row : table.rows) {
        if (!has(table, row, "program", std::string{program}) || !has(table, row, "precision", std::string{precision}))
            continue;
        const auto bodies = std::get<std::int64_t>(*cell_of(table, row, "bodies"));
        const std::string text = number(cell_of(table, row, column), kernel ? 1 : 1e-3);
        if (text.empty() && bodies == wanted) missing = "left out: too long";
        if (text.empty() || (most == wanted && bodies != wanted)) continue;
        if (bodies == wanted) return text;
        if (bodies > most) most = bodies, best = text;
    }
    return best.empty() ? missing : fmt::format("{}; {} with N = {}", missing, best, most);
}

std::string table_of(const PaperFigure& figure, const LabTables& tables) {
    if (figure.table.empty()) return {};
    std::string html = "<table>" + row_of("th", {"", "N", "published", "measured, double", "measured, single"});
    const auto found = tables.find("programs");
    for (const PublishedCell& cell : figure.table) {
        const auto measured = [&](std::string_view precision) {
            return found == tables.end() ? std::string{"not measured"} : measured_cell(cell, found->second, precision);
        };
        html += row_of("td", {std::string{cell.row}, std::string{cell.column},
                              cell.value == 0 ? std::string{"> 1000"} : fmt::format("{:g}", cell.value),
                              measured("double"), measured("single")});
    }
    return html + "</table>\n";
}

std::string section(const PaperFigure& figure, const LabTables& tables, const std::string& device) {
    const bool table = !figure.table.empty();
    std::string html =
        fmt::format("<section id=\"{}\"><h2>{} {} {}: {}</h2>\n<p>{}</p>\n", figure.id(), figure.seeds,
                    table ? "table" : "figure", figure.number, xml_escaped(figure.title), xml_escaped(figure.change));
    html += table_of(figure, tables);
    html += "<div class=\"pair\">\n";
    for (const std::string_view map : figure.maps) html += map_drawing(map);
    for (const PaperPanel& panel : figure.panels) {
        if (!panel.published.empty())
            html += fmt::format("<div>{}</div>\n", plot(fmt::format("published, {}", figure.seeds),
                                                        "values that the text gives", {published_panel(panel)}, 1));
        const PlotPanel measured = measured_panel(panel, tables);
        if (measured.curves.empty())
            html += fmt::format("<div><p>{}: nothing was measured.</p></div>\n", xml_escaped(panel.title));
        else
            html += fmt::format("<div>{}</div>\n", plot("measured", device, {measured}, 1));
    }
    html += "</div>\n";
    for (const PaperPanel& panel : figure.panels) html += gains(panel, tables);
    return html + "</section>\n";
}

}  // namespace

std::string paper_page(std::span<const PaperFigure* const> figures, const LabTables& tables,
                       const std::string& device) {
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Figures of the papers</title>"
        "<style>{}</style></head><body>\n<h1>Figures of the papers, published and measured</h1>\n<p>Measured on {}. "
        "000 and 001: Navarro, Bustos and Hitschfeld, arXiv 1609.01490; 002: GPU Gems 3, chapter 31; 003: Navarro and "
        "Hitschfeld, HPCC 2014; 004: Pavlovi&#263;, Zagreb 2016. A curve ends where the map is wrong: a wrong result "
        "has no "
        "I.</p>\n<ul>\n",
        kStyle, xml_escaped(device));
    for (const PaperFigure* figure : figures)
        html += fmt::format("<li><a href=\"#{0}\">{0} {1}</a></li>\n", figure->id(), xml_escaped(figure->title));
    html += "</ul>\n";
    for (const PaperFigure* figure : figures) html += section(*figure, tables, device);
    return html + "</body></html>\n";
}

}  // namespace orrery
