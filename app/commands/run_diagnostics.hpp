// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "core/analysis/structure.hpp"

namespace CLI {
class App;
}

namespace orrery {

/// Files that a run writes at its end from its diagnostics table and the last state.
struct DiagnosticsOutputs {
    std::string plot;     ///< SVG of the table; empty: none, as for the next two
    std::string hdf5;     ///< the table as HDF5
    std::string profile;  ///< density profile of the last state, CSV
};

void add_diagnostics_outputs(CLI::App& app, DiagnosticsOutputs& outputs);

/// Throws for invalid requests: no table to plot, a path that cannot be written, no HDF5. An empty `table` means none.
void check(const DiagnosticsOutputs& outputs, const std::string& table);
/// Writes them from the table's file. `title` and `note` are printed above the plot. Returns the paths.
std::vector<std::string> write(const DiagnosticsOutputs& outputs, const std::string& table, const std::string& title,
                               const std::string& note, const Structure* last);

}  // namespace orrery
