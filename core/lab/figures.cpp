// SPDX-License-Identifier: MIT
#include "core/lab/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/lab/simplex_variants.hpp"
#include "core/plot/plot.hpp"

namespace orrery {
namespace {

/// A headline value that a paper prints, measured on Kepler.
struct Headline {
    std::string_view experiment;
    int dimensions;
    double improvement;
    std::string_view map, words;  ///< words: paper, value, device
};
// 001: arXiv 1609.01490, section 4.1 with figure 3, section 5 with figure 5. 003: HPCC 2014, section III with figure 3,
// section IV with figure 5. No paper gives values for `collision` and `collision-pairs`.
constexpr std::array kHeadlines{
    Headline{"roots", 0, 0.87, "sqrt", "Navarro 2016: X 0.87 GTX 680"},
    Headline{"roots", 0, 1.025, "newton", "Navarro 2016: N 1.025 GTX 680"},
    Headline{"roots", 0, 1.15, "rsqrt", "Navarro 2016: R 1.15 GTX 680"},
    Headline{"roots", 0, 0.83, "sqrt", "Navarro 2016: X 0.83 GTX 765M"},
    Headline{"roots", 0, 0.96, "newton", "Navarro 2016: N 0.96 GTX 765M"},
    Headline{"roots", 0, 1.1, "rsqrt", "Navarro 2016: R 1.1 GTX 765M"},
    Headline{"roots", 0, 1.08, "", "Navarro 2016: X, N, R 1.08 K40"},
    Headline{"roots", 0, 0.7, "sqrt", "Navarro 2014: X 0.7 GTX 680"},
    Headline{"roots", 0, 1.03, "newton", "Navarro 2014: N 1.03 GTX 680"},
    Headline{"dummy", 0, 1.33, "rb", "Navarro 2016: RB 1.33 GTX 765M"},
    Headline{"dummy", 0, 1.18, "lambda", "Navarro 2016: λ 1.18 GTX 680"},
    Headline{"dummy", 0, 1.07, "", "Navarro 2016: all 1.07 K40"},
    Headline{"dummy", 0, 1.25, "rb", "Navarro 2014: RB 1.25 GTX 680"},
    Headline{"dummy", 0, 1.13, "lambda", "Navarro 2014: λ 1.13 GTX 680"},
    Headline{"edm", 4, 1.28, "rb", "Navarro 2016: RB 1.28 K40"},
    Headline{"edm", 4, 1.18, "lambda", "Navarro 2016: λ 1.18"},
    Headline{"edm", 4, 1.12, "rec-launches", "Navarro 2016: REC 1.12"},
    Headline{"edm", 4, 1.14, "rb", "Navarro 2014: RB 1.14 GTX 680"},
    Headline{"edm", 4, 1.05, "rec-launches", "Navarro 2014: REC 1.05 GTX 680"},
    Headline{"collision-rows", 3, 1.07, "lambda", "Navarro 2016: λ 1.07"},
    // The authors' later programs (arXiv 2208.11617) at N = 1024, ρ = 8, on an H200: 1.296 ms against 0.253 ms.
    Headline{"triplet", 0, 1.296 / 0.253, "hadouken3", "Navarro 2022: H 5.12 H200"},
};

struct LineStyle {
    std::string_view id, color, dashes;
};
constexpr std::array kStyles{
    LineStyle{"lambda", "#d62728", ""},
    LineStyle{"lambda-grid", "#d62728", "7 4"},
    LineStyle{"rb", "#1f77b4", ""},
    LineStyle{"rb-threads", "#1f77b4", "7 4"},
    LineStyle{"rec", "#2ca02c", ""},
    LineStyle{"rec-launches", "#2ca02c", "7 4"},
    LineStyle{"utm", "#9467bd", ""},
    LineStyle{"utm-threads", "#9467bd", "7 4"},
    LineStyle{"lut", "#8c564b", ""},
    LineStyle{"hadouken", "#e08000", ""},
    LineStyle{"dp", "#17becf", ""},
    LineStyle{"utm-threads-exact", "#9467bd", "2 3"},
    LineStyle{"rb-rows", "#1f77b4", "2 3"},
    LineStyle{"lambda-strip", "#d62728", "9 3 2 3"},
    LineStyle{"rb-strip", "#1f77b4", "9 3 2 3"},
    LineStyle{"bb-strip", "#333333", "9 3 2 3"},
    LineStyle{"lambda-cluster", "#d62728", "3 2"},
    LineStyle{"lambda-strict", "#d62728", "2 3"},
    LineStyle{"lambda-published-grid", "#e377c2", "2 3"},
    LineStyle{"lambda-published", "#e377c2", ""},
    LineStyle{"lambda-offset", "#e377c2", "7 4"},
    LineStyle{"lambda3", "#d62728", ""},
    LineStyle{"lambda3-grid", "#d62728", "7 4"},
    LineStyle{"hadouken3", "#e08000", ""},
    LineStyle{"lambda4", "#d62728", ""},
    LineStyle{"halves4", "#2ca02c", ""},
    LineStyle{"lambda4-trusted", "#e377c2", ""},
    LineStyle{"lambda4-trusted-fp64", "#e377c2", "7 4"},
    LineStyle{"sqrt", "#d62728", ""},
    LineStyle{"newton", "#2ca02c", ""},
    LineStyle{"rsqrt", "#1f77b4", ""},
    LineStyle{"fp64", "#e08000", ""},
    LineStyle{"sqrt-approx", "#8c564b", ""},
};
// In the experiment `roots` a root selects the colour and a form the dashes.
constexpr std::array kFormDashes{LineStyle{"lambda", "", ""}, LineStyle{"lambda-grid", "", "9 4"},
                                 LineStyle{"lambda-published", "", "3 3"}, LineStyle{"lambda-offset", "", "9 3 2 3"},
                                 LineStyle{"lambda-published-grid", "", "2 5"}};

LineStyle style_of(std::span<const LineStyle> styles, std::string_view id) {
    const auto found = std::ranges::find(styles, id, &LineStyle::id);
    return found == styles.end() ? LineStyle{id, "#555555", ""} : *found;
}

/// The cells that a plot needs, from verified rows.
struct Measured {
    std::string map, root;
    std::int64_t bodies, dimensions;
    double improvement;
    std::int64_t strip = 0;  ///< tiles per block; 0: not a form in strips
};

std::vector<Measured> measured(const LabTable& table) {
    const auto column = [&](std::string_view id) { return lab_column(table, id); };
    std::vector<Measured> all;
    if (column("improvement") == table.columns.size()) return all;
    for (const auto& row : table.rows) {
        const LabValue &improvement = row[column("improvement")], &root = row[column("root")],
                       &dimensions = row[column("dimensions")];
        const auto text = [](const LabValue& v) {
            return std::holds_alternative<std::string>(v) ? std::get<std::string>(v) : std::string{};
        };
        const auto whole = [](const LabValue& v) {
            return std::holds_alternative<std::int64_t>(v) ? std::get<std::int64_t>(v) : 0;
        };
        const LabValue strip = column("strip") < row.size() ? row[column("strip")] : LabValue{};
        if (const double* real = std::get_if<double>(&improvement))
            all.push_back({text(row[column("map")]), text(root), std::get<std::int64_t>(row[column("bodies")]),
                           whole(dimensions), *real, whole(strip)});
    }
    return all;
}

/// The root with which a map is drawn: R if it was measured, otherwise the first. The same for the whole curve.
std::string root_of_curve(const std::vector<Measured>& rows, const std::string& map) {
    std::string root;
    for (const Measured& row : rows) {
        if (row.map != map) continue;
        if (row.root == "rsqrt") return row.root;
        if (root.empty()) root = row.root;
    }
    return root;
}

std::set<std::int64_t> strips_in(const std::vector<Measured>& rows) {
    std::set<std::int64_t> strips;
    for (const Measured& row : rows)
        if (row.strip > 0) strips.insert(row.strip);
    return strips;
}

/// I over the tiles per block, at the largest N; no curves unless there are two strips.
PlotPanel strip_panel(const LabTable& table, std::int64_t dimensions, const std::string& title) {
    std::vector<Measured> rows = measured(table);
    std::erase_if(rows, [&](const Measured& row) { return row.dimensions != dimensions; });
    std::int64_t most = 0;
    for (const Measured& row : rows) most = std::max(most, row.bodies);
    PlotPanel panel{
        fmt::format("{}, N = {}", title, most), "k, tiles per block", "I = time(bb) / time(map)", {}, {}, 1};
    if (strips_in(rows).size() < 2) return panel;
    for (const Measured& row : rows) {
        if (row.strip == 0 || row.bodies != most) continue;
        auto curve = std::ranges::find(panel.curves, row.map, &PlotCurve::label);
        if (curve == panel.curves.end())
            curve = panel.curves.insert(curve, {row.map, std::string{style_of(kStyles, row.map).color}, "", {}});
        curve->points.push_back({static_cast<double>(row.strip), row.improvement});
    }
    for (PlotCurve& curve : panel.curves) std::ranges::sort(curve.points, {}, &PlotPoint::x);
    return panel;
}

/// One curve per map, with one root; for `roots` one curve per map and root.
PlotPanel panel(std::string_view experiment, const LabTable& table, int dimensions, const std::string& title) {
    const std::string reference{forms_of(experiment).front()};
    PlotPanel panel{title, "N (bodies)", fmt::format("I = time({}) / time(map)", reference), {}, {}, 1};
    const bool by_root = experiment == "roots";
    std::vector<Measured> rows = measured(table);
    std::erase_if(rows, [&](const Measured& row) { return row.dimensions != dimensions || row.map == reference; });
    std::map<std::string, std::map<std::int64_t, double>> gains;
    std::vector<Measured> order;
    const bool many_strips = strips_in(rows).size() > 1;
    const auto label = [&](const Measured& row) {
        if (many_strips && row.strip > 0) return fmt::format("{}, k = {}", row.map, row.strip);
        return row.root.empty() ? row.map : row.map + " " + row.root;
    };
    for (const Measured& row : rows) {
        if (!by_root && row.root != root_of_curve(rows, row.map)) continue;
        if (!gains.contains(label(row))) order.push_back(row);
        gains[label(row)][row.bodies] = row.improvement;
    }
    for (const Measured& row : order) {
        const LineStyle of = style_of(kStyles, by_root ? row.root : row.map);
        PlotCurve curve{label(row),
                        std::string{of.color},
                        std::string{by_root ? style_of(kFormDashes, row.map).dashes : of.dashes},
                        {}};
        for (const auto& [bodies, improvement] : gains[label(row)])
            curve.points.push_back({static_cast<double>(bodies), improvement});
        panel.curves.push_back(std::move(curve));
    }
    for (const Headline& line : kHeadlines)
        if (line.experiment == experiment && line.dimensions == dimensions)
            panel.marks.push_back({line.improvement, std::string{line.words},
                                   std::string{line.map.empty() ? "#000000" : style_of(kStyles, line.map).color}});
    return panel;
}

/// Converts N to the unit of the papers' axes.
void to_kilo(PlotPanel& panel) {
    panel.x_label = "N (2¹⁰)";
    for (PlotCurve& curve : panel.curves)
        for (PlotPoint& point : curve.points) point.x /= 1024;
}

}  // namespace

std::size_t lab_column(const LabTable& table, std::string_view id) {
    return static_cast<std::size_t>(std::ranges::find(table.columns, id) - table.columns.begin());
}

double lab_number(const LabValue& value) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole ? static_cast<double>(*whole) : std::get<double>(value);
}

std::vector<PlotPoint>& lab_curve(std::vector<PlotPanel>& panels, const PlotPanel& like, std::string_view label,
                                  std::string_view color) {
    auto panel = std::ranges::find(panels, like.title, &PlotPanel::title);
    if (panel == panels.end()) panel = panels.insert(panels.end(), like);
    auto curve = std::ranges::find(panel->curves, label, &PlotCurve::label);
    if (curve == panel->curves.end())
        curve = panel->curves.insert(panel->curves.end(), {std::string{label}, std::string{color}, "", {}});
    return curve->points;
}

std::vector<FastestStrip> fastest_strips(const LabTable& table) {
    std::vector<FastestStrip> all;
    std::vector<int> tried;
    for (const Measured& row : measured(table)) {
        if (row.strip == 0) continue;
        const auto same = std::ranges::find_if(all, [&](const FastestStrip& each) {
            return each.map == row.map && each.bodies == row.bodies && each.dimensions == row.dimensions;
        });
        const auto place = same - all.begin();
        if (same == all.end()) all.push_back({row.map, row.bodies, row.dimensions}), tried.push_back(0);
        FastestStrip& best = all[static_cast<std::size_t>(place)];
        ++tried[static_cast<std::size_t>(place)];
        if (row.improvement > best.improvement) best.strip = row.strip, best.improvement = row.improvement;
    }
    std::vector<FastestStrip> chosen;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (tried[i] > 1) chosen.push_back(all[i]);
    return chosen;
}

std::vector<LabPanel> lab_panels(const LabEntry& entry, const LabTable& table) {
    std::vector<LabPanel> panels;
    const std::vector<std::string_view> forms = forms_of(entry.id);
    for (const Measured& row : measured(table)) {
        if (row.map == forms.front() ||
            std::ranges::find(panels, row.dimensions, &LabPanel::dimensions) != panels.end())
            continue;
        const int dimensions = static_cast<int>(row.dimensions);
        std::string title{entry.label};
        if (dimensions > 0)
            title += entry.id == "edm" ? fmt::format(", {} features", dimensions) : fmt::format(", {}D", dimensions);
        panels.push_back({dimensions, panel(entry.id, table, dimensions, title)});
    }
    return panels;
}

std::string lab_figure(std::span<const LabPanel> panels, const std::string& device) {
    std::vector<PlotPanel> plots;
    for (const LabPanel& panel : panels) plots.push_back(panel.plot);
    return plot(fmt::format("I against N, {}", device), "at the right edge: the papers' values, on Kepler", plots, 2);
}

std::vector<LabFigure> lab_figures(std::span<const std::pair<std::string, const LabTable*>> tables,
                                   const std::string& device) {
    struct Slot {
        std::string_view file, experiment;
        int dimensions;
        std::string title;
    };
    const std::array slots{Slot{"figure-3.svg", "roots", 0, "Square roots of lambda"},
                           Slot{"figure-5.svg", "dummy", 0, "Dummy kernel"},
                           Slot{"figure-5.svg", "edm", 4, "EDM, 4 features"},
                           Slot{"figure-5.svg", "collision-rows", 3, "Collision 3D"},
                           Slot{"figure-5.svg", "collision-rows", 1, "Collision 1D"},
                           Slot{"collision.svg", "collision", 3, "Collision 3D, 4 x 4 pairs per thread"},
                           Slot{"collision.svg", "collision", 1, "Collision 1D, 4 x 4 pairs per thread"},
                           Slot{"collision.svg", "collision-pairs", 3, "Collision 3D, one pair per thread"},
                           Slot{"collision.svg", "collision-pairs", 1, "Collision 1D, one pair per thread"},
                           Slot{"edm.svg", "edm", 1, "EDM, 1 feature"},
                           Slot{"edm.svg", "edm", 2, "EDM, 2 features"},
                           Slot{"edm.svg", "edm", 3, "EDM, 3 features"},
                           Slot{"edm.svg", "edm", 4, "EDM, 4 features"},
                           Slot{"tetrahedral.svg", "triplet", 0, "Dummy kernel of triples"},
                           Slot{"simplex4.svg", "quadruplet", 0, "Dummy kernel of quadruples"}};
    std::vector<LabFigure> figures;
    for (const std::string_view file :
         {"figure-3.svg", "figure-5.svg", "edm.svg", "collision.svg", "tetrahedral.svg", "simplex4.svg"}) {
        std::vector<PlotPanel> panels;
        for (const Slot& slot : slots)
            for (const auto& [id, table] : tables)
                if (slot.file == file && slot.experiment == id) {
                    PlotPanel drawn = panel(id, *table, slot.dimensions, slot.title);
                    if (tuple_order(id) == 2) to_kilo(drawn);
                    if (!drawn.curves.empty()) panels.push_back(std::move(drawn));
                }
        const std::string title = fmt::format("I against N, {}", device);
        const char* const note = file == "tetrahedral.svg" ? "at the right edge: the authors' programs, N = 1024"
                                 : file == "simplex4.svg"  ? "no earlier measurement of a map of the 4-simplex is known"
                                                           : "at the right edge: the papers' values, by seed";
        if (!panels.empty()) figures.push_back({std::string{file}, plot(title, note, panels, 2)});
    }
    for (const auto& [id, table] : tables) {
        const auto lambda4 = [&](const Measured& row) { return row.map == Lambda4Line<RsqrtRoot>::id; };
        if (id == "quadruplet" && std::ranges::any_of(measured(*table), lambda4))
            figures.push_back({"simplex4-layers.svg",
                               map4_svg(map4_picture({form4_id<Rooted<Lambda4Line>>, root_id<RsqrtRoot>}, 5),
                                        "lambda4: the layers l = 0 … 4 of the quadruples i ≤ j ≤ k ≤ l, blue to red "
                                        "by the index of the block")});
    }
    std::vector<PlotPanel> strips;
    for (const auto& [id, table] : tables)
        for (const Slot& slot : slots) {
            if (slot.experiment != id || (id == "edm" && slot.file == "figure-5.svg")) continue;  // also in edm.svg
            PlotPanel drawn = strip_panel(*table, slot.dimensions, slot.title);
            if (!drawn.curves.empty()) strips.push_back(std::move(drawn));
        }
    if (!strips.empty())
        figures.push_back({"strips.svg", plot(fmt::format("I against tiles per block, {}", device),
                                              "k consecutive tiles per block after one map", strips, 2)});
    for (const auto& [id, table] : tables) {
        if (table->rows.empty()) continue;
        const auto add = [&](const std::string& over, const char* note, const std::vector<PlotPanel>& panels) {
            figures.push_back({fmt::format("{}.svg", id),
                               plot(fmt::format("Error and time over {}, {}", over, device), note, panels, 2)});
        };
        if (id == "accuracy")
            add("the requested accuracy", "the error is kept within 0.5 and 1.05 of it", accuracy_panels(*table));
        if (id == "orders")
            add("the order of expansions", "of fmm in double, for a ball of bodies", order_panels(*table));
    }
    return figures;
}

Map4Picture map4_picture(FormChoice form, std::uint32_t side) {
    std::vector<std::vector<DrawnCube>> layers(side);
    Map4Picture picture;
    with_form4(form, [&](auto map) {
        map.launches(side, [&](Extent blocks, auto find) {
            for (std::uint32_t z = 0; z < blocks.z; ++z)
                for (std::uint32_t y = 0; y < blocks.y; ++y)
                    for (std::uint32_t x = 0; x < blocks.x; ++x, ++picture.blocks) {
                        const TileQuadruple t = find(GridPosition{x, y, z}, side);
                        if (find.idles(t, side)) continue;
                        layers[t.l].push_back({t.i, t.k - t.j, t.l - t.k, picture.blocks, true});
                    }
        });
    });
    constexpr float kGap = 1;
    const CubeDrawing largest = cubes_in_space(layers.back(), side, side);
    picture.drawing.height = largest.height;
    for (std::uint32_t l = 0; l < side; ++l) {
        const CubeDrawing layer = cubes_in_space(std::move(layers[l]), l + 1, l + 1);
        const float right = picture.drawing.width + (l > 0 ? kGap : 0), down = largest.height - layer.height;
        for (CubeFace face : layer.faces) {
            for (auto& [x, y] : face.corners) x += right, y += down;
            picture.drawing.faces.push_back(face);
        }
        picture.drawing.width = right + layer.width;
    }
    return picture;
}

std::string map4_svg(const Map4Picture& picture, std::string_view title) {
    constexpr double kEdge = 17, kMargin = 20, kHead = 34;
    const double width = kEdge * picture.drawing.width + 2 * kMargin,
                 height = kEdge * picture.drawing.height + kHead + 2 * kMargin;
    std::string figure = svg::begin(width, height);
    figure += svg::text(kMargin, kMargin + svg::kFont, "start", std::string{title});
    for (const CubeFace& face : picture.drawing.faces) {
        std::string points;
        for (const auto& [x, y] : face.corners)
            points += fmt::format("{:.1f},{:.1f} ", kMargin + kEdge * x, kMargin + kHead + kEdge * y);
        points.pop_back();
        const double share = picture.blocks > 1 ? double(face.block) / (picture.blocks - 1) : 0;
        const auto channel = [&](double at_begin, double at_end) {
            return static_cast<int>(face.light * (at_begin + share * (at_end - at_begin)));
        };
        figure += fmt::format("<polygon points=\"{}\" fill=\"rgb({},{},{})\" stroke=\"#222\" stroke-width=\"0.5\"/>\n",
                              points, channel(70, 240), channel(130, 110), channel(240, 60));
    }
    return figure + "</svg>\n";
}

}  // namespace orrery
