// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace orrery {

/// The kind of `orrery plot` that draws a halo catalogue instead of a scene.
inline constexpr std::string_view kTreeKind = "merger-tree";

struct TreePlotOptions {
    std::string halo, lit;  ///< of find_halo(); empty: the heaviest halo of the last time; no branch
    std::size_t branches = 60;
};

void add_tree_options(CLI::App& app, TreePlotOptions& options);
/// Draws the merger tree in the catalogue `source` to these files, .svg or .csv; without any the CSV goes to standard
/// output. Returns the exit code.
int plot_tree(const std::string& source, const std::vector<std::string>& outputs, const TreePlotOptions& options);

}  // namespace orrery
