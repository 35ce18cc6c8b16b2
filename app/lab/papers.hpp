// SPDX-License-Identifier: MIT
// The figures and tables of the papers that the laboratory repeats: bench/papers/figures.json, built into the program.
// bench/paper_figures.py writes their page, published and measured values side by side.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/lab/experiments.hpp"

namespace orrery {

/// "001:3": the last of a paper's seeds and the number of the figure or table.
std::vector<std::string> paper_ids();

/// A figure or table with one of the experiments that it needs: a line of the Lab page's chooser.
struct PaperChoice {
    std::string id, title;   ///< "001:5", and the title of the figure
    std::string experiment;  ///< id
    LabConfig config;        ///< forms, roots, features and, of tables, bodies
};
/// All lines, figure by figure; figures without data have none.
std::vector<PaperChoice> paper_choices();

/// The combined configuration of each experiment that these figures need: forms, roots, features and bodies. `ids` may
/// name any seed of a paper, or "all". Throws Error{kUsage} with the menu.
std::map<std::string, LabConfig> paper_needs(const std::vector<std::string>& ids, const LabConfig& base);

}  // namespace orrery
