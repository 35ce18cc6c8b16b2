// SPDX-License-Identifier: MIT
// The laboratory's tables as pictures, laid out as figures 3 and 5 of the papers: I against N.
#pragma once
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/lab/experiments.hpp"

namespace orrery {

struct LabFigure {
    std::string file;  ///< "figure-3.svg"
    std::string svg;
};

/// Those for which the tables, each with the id of its experiment, have anything to draw.
std::vector<LabFigure> lab_figures(std::span<const std::pair<std::string, const LabTable*>> tables,
                                   const std::string& device);

}  // namespace orrery
