// SPDX-License-Identifier: MIT
// Figures and tables of the seed papers: what is measured for each, and the published values.
//   000, 001  C. A. Navarro, B. Bustos, N. Hitschfeld: A non-linear GPU thread map for triangular domains, arXiv
//             1609.01490 (000 is the same text)
//   002       L. Nyland, M. Harris, J. Prins: Fast N-body simulation with CUDA, GPU Gems 3, ch. 31
//   003       C. A. Navarro, N. Hitschfeld: Improving the GPU space of computation under triangular domain problems
//   004       M. Pavlović: Rješavanje problema n tijela pomoću GPU, thesis, Zagreb 2016
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/lab/experiments.hpp"
#include "core/plot/plot.hpp"

namespace orrery {

/// A curve of a paper: one map with one fixed root, or one program.
struct PaperCurve {
    std::string_view id;    ///< id of a form, or of a program
    std::string_view root;  ///< empty if it takes none
    std::string_view label, color, dashes = "";
};

/// A value that a paper prints in words or in a table.
struct PublishedValue {
    std::string_view label;  ///< quantity and device: "λR, GTX 680"
    double value;
    std::string_view color = "#333333";
    double from = 1, to = 30;  ///< range of x to which it applies
};

/// The quantities on a panel's axes.
enum class PaperAxes {
    kGain,           ///< I over N, in 2¹⁰
    kGainFeatures,   ///< I over the number of features, at the largest N
    kWastedBlocks,   ///< over N, in 2¹⁰
    kWastedThreads,  ///< over N, in 2¹⁰
    kWastedTriples,  ///< blocks of the cube and of the cubic grid of λ over N
    kRateUnrolling,  ///< GFLOP/s at 20 flop a pair over u
    kRateBodies,     ///< over N
    kRateTile,       ///< over p
    kRateSplit,      ///< over q
    kSeconds         ///< time of a program's step over N
};

struct PaperPanel {
    std::string_view title, experiment;
    PaperAxes axes;
    int dimensions = 0;
    std::vector<PaperCurve> curves;
    std::vector<PublishedValue> published;
    std::vector<double> y_shown = {};  ///< values that the y axis of the paper includes
};

/// Seconds or milliseconds in a table of the thesis.
struct PublishedCell {
    std::string_view row, column;
    double value;  ///< 0: over 1000 s
};

struct PaperFigure {
    std::string_view seeds;  ///< "000 001"
    std::string_view number;
    std::string_view title;
    std::string_view change;  ///< what is different on Hopper, and why; one sentence
    std::vector<PaperPanel> panels = {};
    std::vector<std::string_view> maps = {};  ///< maps of pairs or triples, to be drawn with blocks and tiles
    std::vector<PublishedCell> table = {};    ///< rows: programs or kernels; columns: numbers of bodies
    std::vector<std::uint32_t> bodies = {};   ///< of the table
    std::string id() const;                   ///< "001:3"
    bool is(std::string_view seed_and_number) const;
};

std::span<const PaperFigure> paper_figures();
/// Looks up "001:3" or "000:3". Throws Error{kUsage} with the menu.
const PaperFigure& paper_figure(std::string_view id);

/// The combined configuration of each experiment that these figures need: forms, roots, features and bodies.
std::map<std::string, LabConfig> paper_needs(std::span<const PaperFigure* const> figures, const LabConfig& base);

using LabTables = std::map<std::string, LabTable>;  ///< by experiment

// core/lab/paper_page.cpp
/// A panel of measured curves; without curves if the tables have no data for it.
PlotPanel measured_panel(const PaperPanel& panel, const LabTables& tables);
/// The published values as lines across the same axes.
PlotPanel published_panel(const PaperPanel& panel);

/// I at the largest N, its bound 2m/(m + 1) and k = 2m/((m + 1) I), the cost of the map in units of bb's.
struct GainRow {
    std::string label;
    std::int64_t bodies;
    double gain, bound, k;
};
std::vector<GainRow> gain_rows(const PaperPanel& panel, const LabTables& tables);

/// A map's blocks beside the tiles that they process, as HTML with SVG; for a map of triples in parallel projection.
std::string map_drawing(std::string_view map);

/// One HTML file with the published and the measured values of each figure side by side.
std::string paper_page(std::span<const PaperFigure* const> figures, const LabTables& tables, const std::string& device);

}  // namespace orrery
