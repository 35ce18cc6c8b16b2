// SPDX-License-Identifier: MIT
#include "app/commands/run_diagnostics.hpp"

#include <CLI/CLI.hpp>

#include "app/cli/options.hpp"
#include "core/analysis/columns.hpp"
#include "core/base/error.hpp"
#include "core/base/output_file.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/formats/table_hdf5.hpp"

namespace orrery {
namespace {

void write_text(const std::string& path, const std::string& text) {
    OutputFile file{path};
    file.write(text);
    file.commit();
}

}  // namespace

void add_diagnostics_outputs(CLI::App& app, DiagnosticsOutputs& outputs) {
    app.add_option("--plot", outputs.plot, "Plot Lagrangian radii and energy of the table over time, SVG");
    app.add_option("--diagnostics-hdf", outputs.hdf5,
                   "Write the table as HDF5: one data set per column, NaN where unknown");
    app.add_option("--profile", outputs.profile, "Write the density profile of the last state, CSV: one row per shell");
}

void check(const DiagnosticsOutputs& outputs, const std::string& table) {
    if (table.empty() && !outputs.plot.empty()) usage_error("--plot needs --diagnostics, whose table it plots");
    if (table.empty() && !outputs.hdf5.empty()) usage_error("--diagnostics-hdf needs --diagnostics");
    if (!outputs.hdf5.empty() && !hdf5::kWhyNot.empty())
        environment_error(outputs.hdf5 + ": " + std::string{hdf5::kWhyNot});
    for (const std::string& path : {outputs.plot, outputs.hdf5, outputs.profile})
        if (!path.empty()) require_writable(path);
}

std::vector<std::string> write(const DiagnosticsOutputs& outputs, const std::string& table, const std::string& title,
                               const std::string& note, const Structure* last) {
    std::vector<std::string> written;
    const auto wanted = [&](const std::string& path) {
        if (!path.empty()) written.push_back(path);
        return !path.empty();
    };
    if (wanted(outputs.plot)) write_text(outputs.plot, plot_diagnostics(read_number_table(table), title, note));
    if (wanted(outputs.hdf5)) hdf5::write_number_table(read_number_table(table), "Diagnostics", outputs.hdf5);
    if (last && wanted(outputs.profile)) write_text(outputs.profile, profile_csv(*last));
    return written;
}

}  // namespace orrery
