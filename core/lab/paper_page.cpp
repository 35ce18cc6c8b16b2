// SPDX-License-Identifier: MIT
// The papers' figures as one HTML file.
#include <fmt/format.h>

#include <algorithm>

#include "core/lab/papers.hpp"

namespace orrery {
namespace {

constexpr std::string_view kStyle =
    "body{font-family:DejaVu Sans,Helvetica,Arial,sans-serif;margin:2em;max-width:1400px;color:#222}"
    "section{border-top:1px solid #ccc;padding:1em 0}.pair{display:flex;flex-wrap:wrap;gap:1em}"
    ".pair>div{flex:1 1 600px}svg{max-width:100%;height:auto}td,th{padding:.2em .8em;text-align:right}"
    "td:first-child,th:first-child{text-align:left}";

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    return safe;
}

std::string row_of(std::string_view cell, const std::vector<std::string>& cells) {
    std::string html = "<tr>";
    for (const std::string& text : cells) html += fmt::format("<{0}>{1}</{0}>", cell, escaped(text));
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

const LabValue* cell_of(const LabTable& table, const std::vector<LabValue>& row, std::string_view column) {
    const auto found = std::ranges::find(table.columns, column);
    return found == table.columns.end() ? nullptr : &row[static_cast<std::size_t>(found - table.columns.begin())];
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
                    table ? "table" : "figure", figure.number, escaped(figure.title), escaped(figure.change));
    html += table_of(figure, tables);
    html += "<div class=\"pair\">\n";
    for (const std::string_view map : figure.maps) html += map_drawing(map);
    for (const PaperPanel& panel : figure.panels) {
        if (!panel.published.empty())
            html += fmt::format("<div>{}</div>\n", plot(fmt::format("published, {}", figure.seeds),
                                                        "values that the text gives", {published_panel(panel)}, 1));
        const PlotPanel measured = measured_panel(panel, tables);
        if (measured.curves.empty())
            html += fmt::format("<div><p>{}: nothing was measured.</p></div>\n", escaped(panel.title));
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
        kStyle, escaped(device));
    for (const PaperFigure* figure : figures)
        html += fmt::format("<li><a href=\"#{0}\">{0} {1}</a></li>\n", figure->id(), escaped(figure->title));
    html += "</ul>\n";
    for (const PaperFigure* figure : figures) html += section(*figure, tables, device);
    return html + "</body></html>\n";
}

}  // namespace orrery
