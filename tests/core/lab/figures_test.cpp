// SPDX-License-Identifier: MIT
// The figures are well-formed and contain their curves, legend, axes and the papers' values.
#include "core/lab/figures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/lab/papers.hpp"

namespace orrery::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Checks that tags are closed in order, attributes are quoted, and special characters are escaped.
void expect_well_formed(const std::string& xml) {
    std::vector<std::string> open;
    for (std::size_t i = 0; i < xml.size(); ++i) {
        if (xml[i] == '&') {
            const std::string entity = xml.substr(i, xml.find(';', i) - i);
            EXPECT_TRUE(entity == "&amp" || entity == "&lt" || entity == "&gt") << entity;
        }
        EXPECT_NE(xml[i], '>');
        if (xml[i] != '<') continue;
        const std::size_t end = xml.find('>', i);
        ASSERT_NE(end, std::string::npos);
        const std::string tag = xml.substr(i + 1, end - i - 1);
        EXPECT_EQ(std::ranges::count(tag, '"') % 2, 0) << tag;
        EXPECT_EQ(tag.find("nan"), std::string::npos) << tag;
        EXPECT_EQ(tag.find("inf"), std::string::npos) << tag;
        if (tag[0] == '/') {
            ASSERT_FALSE(open.empty());
            EXPECT_EQ(open.back(), tag.substr(1));
            open.pop_back();
        } else if (tag.back() != '/') {
            open.push_back(tag.substr(0, tag.find(' ')));
        }
        i = end;
    }
    EXPECT_TRUE(open.empty());
}

LabTable measured(std::vector<std::vector<LabValue>> rows) {
    return {{"map", "root", "bodies", "dimensions", "improvement"}, std::move(rows)};
}
std::vector<LabValue> row(const char* map, const char* root, std::int64_t bodies, LabValue dimensions, LabValue i) {
    return {std::string{map}, std::string{root}, bodies, std::move(dimensions), std::move(i)};
}

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
    return found;
}

TEST(LabFigures, DrawOneCurvePerMapWithASingleRoot) {
    const LabTable dummy = measured({row("bb", "", 1024, {}, 1.0), row("lambda", "sqrt", 1024, {}, 1.5),
                                     row("lambda", "rsqrt", 1024, {}, 1.75), row("lambda", "sqrt", 2048, {}, 1.9),
                                     row("rb", "", 1024, {}, 1.8), row("utm-threads", "sqrt", 1024, {}, {})});
    const std::pair<std::string, const LabTable*> tables[]{{"dummy", &dummy}};
    const auto figures = lab_figures(tables, "a <device> & more");
    ASSERT_EQ(figures.size(), 1u);
    EXPECT_EQ(figures[0].file, "figure-5.svg");
    const std::string& svg = figures[0].svg;
    expect_well_formed(svg);
    EXPECT_EQ(count(svg, "<polyline"), 2u) << "lambda and rb; an incorrect map has no curve, bb is the line at 1";
    EXPECT_EQ(count(svg, "<circle"), 2u) << "one root for a whole curve: rsqrt if measured";
    EXPECT_EQ(count(svg, "<tspan"), 0u);
    for (const char* words :
         {"Dummy kernel", "N (2¹⁰)", "I = time(bb) / time(map)", ">lambda rsqrt<", ">rb<", "001 RB 1.33 GTX 765M",
          "001 all 1.07 K40", "003 RB 1.25 GTX 680", "a &lt;device&gt; &amp; more"})
        EXPECT_THAT(svg, HasSubstr(words));
    EXPECT_THAT(svg, Not(HasSubstr("utm")));
}

TEST(LabFigures, AreLaidOutAsInThePapers) {
    const LabTable roots = measured({row("lambda", "sqrt", 1024, {}, 1.0), row("lambda", "newton", 1024, {}, 1.1)});
    const LabTable edm =
        measured({row("rb", "", 1024, std::int64_t{1}, 1.0), row("rb", "", 1024, std::int64_t{4}, 1.1)});
    const LabTable collision = measured({row("rb", "", 1024, std::int64_t{3}, 1.2)});
    const LabTable triplet = measured({row("cube", "", 64, {}, 1.0), row("lambda3", "sqrt", 64, {}, 5.1)});
    const LabTable nothing{{"map", "root"}, {{std::string{"lambda"}, std::string{"sqrt"}}}};
    const std::pair<std::string, const LabTable*> tables[]{{"roots", &roots},
                                                           {"edm", &edm},
                                                           {"collision-rows", &collision},
                                                           {"triplet", &triplet},
                                                           {"exactness", &nothing}};
    const auto figures = lab_figures(tables, "device");
    ASSERT_EQ(figures.size(), 4u);
    for (const LabFigure& figure : figures) expect_well_formed(figure.svg);
    EXPECT_THAT(figures[0].svg, HasSubstr("lambda newton"));
    EXPECT_THAT(figures[0].svg, AllOf(HasSubstr("001 X 0.87 GTX 680"), HasSubstr("003 X 0.7 GTX 680")));
    EXPECT_EQ(count(figures[1].svg, "<polyline"), 2u) << "edm with four features and collision in three dimensions";
    EXPECT_EQ(count(figures[2].svg, "<polyline"), 2u) << "edm with one and with four features";
    EXPECT_EQ(figures[3].file, "tetrahedral.svg");
    EXPECT_EQ(count(figures[3].svg, "<polyline"), 1u) << "the cube is the line at 1";
    for (const char* words : {"H 5.12 H200", "time(cube)", ">lambda3 sqrt<"})
        EXPECT_THAT(figures[3].svg, HasSubstr(words));
}

/// Tables with the data that the figures need, in the columns of the experiments.
LabTables tables_of_papers() {
    LabTables tables;
    tables["dummy"] = {{"map", "root", "rho", "bodies", "dimensions", "improvement"}, {}};
    const auto dummy = [&](const char* map, const char* root, std::int64_t bodies, LabValue gain) {
        tables["dummy"].rows.push_back(
            {std::string{map}, std::string{root}, std::int64_t{16}, bodies, LabValue{}, std::move(gain)});
    };
    for (const std::int64_t bodies : {1024, 2048}) {
        dummy("bb", "", bodies, 1.0);
        dummy("lambda-published-grid", "rsqrt", bodies, 1.6);
        dummy("lambda-published-grid", "sqrt", bodies, 1.9);  // not the root that the paper prescribes
        dummy("utm-threads", "newton", bodies, {});           // incorrect
    }
    tables["programs"] = {{"program", "precision", "bodies", "median_ms", "build_ms", "why"},
                          {{std::string{"direct"}, std::string{"double"}, std::int64_t{100000}, 250.0, {}, {}},
                           {std::string{"tree"}, std::string{"double"}, std::int64_t{150000}, 90.0, 40.0, {}},
                           {std::string{"cpu-direct"},
                            std::string{"double"},
                            std::int64_t{100000},
                            {},
                            {},
                            std::string{"left out: a step would take about 50 s"}}}};
    return tables;
}

TEST(PaperFigures, HaveIdsAndRequirements) {
    EXPECT_EQ(&paper_figure("000:5"), &paper_figure("001:5"));
    EXPECT_EQ(paper_figure("002:31-6").id(), "002:31-6");
    EXPECT_THROW(paper_figure("001:9"), Error);
    EXPECT_THROW(paper_figure("001"), Error);
    std::vector<std::string> ids;
    for (const PaperFigure& figure : paper_figures()) {
        ids.push_back(figure.id());
        EXPECT_TRUE(!figure.panels.empty() || !figure.maps.empty() || !figure.table.empty()) << figure.id();
        for (const PaperPanel& panel : figure.panels)
            for (const PaperCurve& curve : panel.curves)
                if (panel.axes != PaperAxes::kSeconds) {
                    const auto forms = forms_of(panel.experiment);
                    const bool known = forms.empty() || std::ranges::find(forms, curve.id) != forms.end();
                    EXPECT_TRUE(known) << figure.id() << ' ' << curve.id;
                }
    }
    for (const char* id : {"001:3", "001:5", "003:3", "003:5", "002:31-5", "002:31-8", "004:3.1", "004:3.6"})
        EXPECT_EQ(std::ranges::count(ids, id), 1) << id;
    const PaperFigure* const figures[]{&paper_figure("001:5"), &paper_figure("003:5")};
    const auto needs = paper_needs(figures, {});
    EXPECT_EQ(needs.size(), 3u) << "dummy, edm and collision-rows";
    EXPECT_EQ(needs.at("edm").features, (std::vector{4, 1, 2, 3}));
    EXPECT_EQ(std::ranges::count(needs.at("dummy").maps, "lambda-published-grid"), 1);
}

TEST(PaperFigures, UseTheRootOfThePaper) {
    const PaperPanel& panel = paper_figure("003:5").panels[0];
    const PlotPanel drawn = measured_panel(panel, tables_of_papers());
    ASSERT_EQ(drawn.curves.size(), 2u) << "λR and the bound; an incorrect map has no curve";
    EXPECT_EQ(drawn.curves[0].label, "λR as published");
    EXPECT_EQ(drawn.curves[0].points[1].x, 2);
    EXPECT_EQ(drawn.curves[0].points[1].y, 1.6);
    EXPECT_DOUBLE_EQ(drawn.curves[1].points[1].y, 2.0 * 128 / 129);
    const auto rows = gain_rows(panel, tables_of_papers());
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_DOUBLE_EQ(rows[0].k, 2.0 * 128 / 129 / 1.6);
    EXPECT_EQ(published_panel(panel).curves.size(), 2u);
}

/// Tiles of 128 bodies at ρ = 16.
TEST(PaperFigures, ComputeTheBoundFromLaunchedTiles) {
    LabTables tables;
    tables["collision-rows"] = {
        {"map", "root", "rho", "bodies", "dimensions", "improvement"},
        {{std::string{"lambda"}, std::string{"rsqrt"}, std::int64_t{16}, std::int64_t{30720}, std::int64_t{3}, 1.5}}};
    const auto rows = gain_rows(paper_figure("001:5").panels[2], tables);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_DOUBLE_EQ(rows[0].bound, 2.0 * 240 / 241);
}

TEST(PaperFigures, PageShowsPublishedAndMeasuredValues) {
    std::vector<const PaperFigure*> all;
    for (const PaperFigure& figure : paper_figures()) all.push_back(&figure);
    const std::string page = paper_page(all, tables_of_papers(), "a <device>");
    for (const char* words : {"a &lt;device&gt;", "id=\"002:31-8\"", "758.57", "<td>0.25</td>", "left out: too long",
                              "&gt; 1000", "<td>3400</td><td>40</td>", "RB, GTX 765M: 1.33", "nothing was measured"})
        EXPECT_THAT(page, HasSubstr(words));
    EXPECT_EQ(count(page, "<section"), all.size());
    EXPECT_EQ(count(page, "<svg"), count(page, "</svg>"));
}

/// A cube has three visible faces; idle cubes are outlined only.
TEST(MapDrawings, DrawEveryBlockAndTile) {
    const std::string square = map_drawing("lambda-grid"), cube = map_drawing("cube"),
                      grid = map_drawing("lambda3-grid");
    EXPECT_EQ(count(square, "<rect"), 36u + 36u) << "m = 8: a grid of 6 x 6 without waste, and the tiles";
    EXPECT_EQ(count(cube, "<polygon"), 3u * (216 + 56)) << "m = 6";
    EXPECT_EQ(count(cube, "fill=\"none\""), 3u * (216 - 56));
    EXPECT_EQ(count(grid, "<polygon"), 3u * (64 + 56));
    EXPECT_EQ(count(grid, "fill=\"none\""), 3u * (64 - 56));
    for (const std::string& drawing : {square, cube, grid}) expect_well_formed(drawing);
}

/// Equal ratios have equal lengths, and values without a logarithm are skipped.
TEST(PlotTest, DrawsLogarithmicAxes) {
    PlotPanel panel{.title = "t", .x_label = "x", .y_label = "y", .curves = {}, .marks = {}, .reference = std::nullopt};
    panel.curves.push_back({"c", "#123456", "", {{0, 1e-3}, {1, 1}, {2, 0}, {3, -1}, {4, 1e3}}});
    panel.log_y = true;
    const std::string svg = plot("title", "note", {panel}, 1);
    expect_well_formed(svg);
    EXPECT_THAT(svg, AllOf(HasSubstr(">1e-3<"), HasSubstr(">1<"), HasSubstr(">1000<")));
    std::vector<double> heights;
    for (std::size_t i = svg.find("cy=\""); i != std::string::npos; i = svg.find("cy=\"", i + 1))
        heights.push_back(std::stod(svg.substr(i + 4)));
    ASSERT_EQ(heights.size(), 3u);
    EXPECT_NEAR(heights[0] - heights[1], heights[1] - heights[2], 0.11);
    EXPECT_GT(heights[0], heights[1]);
}

}  // namespace
}  // namespace orrery::test
