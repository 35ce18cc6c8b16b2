// SPDX-License-Identifier: MIT
// Plots of the laboratory's tables, laid out like figures 3 and 5 of the papers: I over N.
#pragma once
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/lab/experiments.hpp"
#include "core/plot/plot.hpp"

namespace orrery {

struct LabFigure {
    std::string file;  ///< "figure-3.svg"
    std::string svg;
};

/// The figures for which the tables, each with the id of its experiment, have data.
std::vector<LabFigure> lab_figures(std::span<const std::pair<std::string, const LabTable*>> tables,
                                   const std::string& device);

/// I over N for one number of dimensions (0: the experiment has none).
struct LabPanel {
    std::int64_t dimensions = 0;
    PlotPanel plot;
};
/// One panel for each number of dimensions in the table, in order, each with the papers' values; empty if the table has
/// no I.
std::vector<LabPanel> lab_panels(const LabEntry& entry, const LabTable& table);
/// All panels of one experiment as SVG text.
std::string lab_figure(std::span<const LabPanel> panels, const std::string& device);

}  // namespace orrery
