// SPDX-License-Identifier: MIT
// The figures are well-formed and contain their curves, legend, axes and the papers' values.
#include "core/lab/figures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/lab/simplex_variants.hpp"

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

/// Three faces of every quadruple in its layer, none twice, inside the drawing; the colours of a line of blocks differ.
TEST(Map4Picture, DrawsEveryQuadrupleInItsLayer) {
    for (const std::uint32_t side : {1u, 2u, 5u})
        for (const LabForm& form : lab_forms()) {
            if (form.order != 4) continue;
            const Map4Picture picture = map4_picture({form.form, root_id<SqrtRoot>}, side);
            const std::uint64_t quadruples = simplex4(side);
            EXPECT_EQ(picture.drawing.faces.size(), 3 * quadruples) << form.id;
            EXPECT_EQ(picture.blocks, form.id == "hypercube" ? side * side * side * side : quadruples) << form.id;
            std::set<std::uint32_t> blocks;
            for (const CubeFace& face : picture.drawing.faces) {
                blocks.insert(face.block);
                for (const auto& [x, y] : face.corners) {
                    EXPECT_GE(std::min(x, y), -1e-4) << form.id;
                    EXPECT_LE(x, picture.drawing.width + 1e-4) << form.id;
                    EXPECT_LE(y, picture.drawing.height + 1e-4) << form.id;
                }
            }
            EXPECT_EQ(blocks.size(), quadruples) << form.id;
        }
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
    for (const char* words : {"Dummy kernel", "N (2¹⁰)", "I = time(bb) / time(map)", ">lambda rsqrt<", ">rb<",
                              "Navarro 2016: RB 1.33 GTX 765M", "Navarro 2016: all 1.07 K40",
                              "Navarro 2014: RB 1.25 GTX 680", "a &lt;device&gt; &amp; more"})
        EXPECT_THAT(svg, HasSubstr(words));
    EXPECT_THAT(svg, Not(HasSubstr("utm")));
}

TEST(LabFigures, NameTheFastestStripOfEachFormAndSize) {
    LabTable table = measured({row("bb", "", 1024, {}, 1.0), row("bb-strip", "", 1024, {}, 1.5),
                               row("bb-strip", "", 1024, {}, 2.5), row("bb-strip", "", 1024, {}, 2.0),
                               row("rb-strip", "", 1024, {}, 3.0), row("bb-strip", "", 2048, {}, 1.1)});
    table.columns.push_back("strip");
    const std::int64_t strips[]{0, 2, 8, 64, 8, 8};
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        table.rows[i].push_back(strips[i] > 0 ? LabValue{strips[i]} : LabValue{});
    const std::vector<FastestStrip> found = fastest_strips(table);
    ASSERT_EQ(found.size(), 1u) << "with one strip there is no choice";
    EXPECT_EQ(found[0].map, "bb-strip");
    EXPECT_EQ(found[0].strip, 8);
    EXPECT_EQ(found[0].improvement, 2.5);
}

TEST(LabFigures, ShowTheFourSimplexByItsLayers) {
    const LabTable table = measured({row("hypercube", "", 64, {}, 1.0), row("lambda4", "rsqrt", 64, {}, 12.5)});
    const std::pair<std::string, const LabTable*> tables[]{{"quadruplet", &table}};
    const auto figures = lab_figures(tables, "device");
    ASSERT_EQ(figures.size(), 2u);
    for (const LabFigure& figure : figures) expect_well_formed(figure.svg);
    EXPECT_EQ(figures[0].file, "simplex4.svg");
    EXPECT_THAT(figures[0].svg, AllOf(HasSubstr("time(hypercube)"), HasSubstr(">lambda4 rsqrt<")));
    EXPECT_EQ(figures[1].file, "simplex4-layers.svg");
    EXPECT_EQ(count(figures[1].svg, "<polygon"), 3 * 70u) << "three faces of each quadruple of five layers";
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
    EXPECT_THAT(figures[0].svg,
                AllOf(HasSubstr("Navarro 2016: X 0.87 GTX 680"), HasSubstr("Navarro 2014: X 0.7 GTX 680")));
    EXPECT_EQ(count(figures[1].svg, "<polyline"), 2u) << "edm with four features and collision in three dimensions";
    EXPECT_EQ(count(figures[2].svg, "<polyline"), 2u) << "edm with one and with four features";
    EXPECT_EQ(figures[3].file, "tetrahedral.svg");
    EXPECT_EQ(count(figures[3].svg, "<polyline"), 1u) << "the cube is the line at 1";
    for (const char* words : {"H 5.12 H200", "time(cube)", ">lambda3 sqrt<"})
        EXPECT_THAT(figures[3].svg, HasSubstr(words));
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
