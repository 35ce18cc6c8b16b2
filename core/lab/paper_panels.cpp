// SPDX-License-Identifier: MIT
// Makes panels of the papers' figures from the laboratory's tables.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/lab/papers.hpp"
#include "core/maps/lambda3.hpp"

namespace orrery {
namespace {

using enum PaperAxes;

constexpr double kKilo = 1024;  // the papers' axis is N in 2¹⁰

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
    const LabValue* find(std::string_view column) const {
        const auto found = std::ranges::find(table_.columns, column);
        return found == table_.columns.end() ? nullptr
                                             : &row_[static_cast<std::size_t>(found - table_.columns.begin())];
    }
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

}  // namespace orrery
