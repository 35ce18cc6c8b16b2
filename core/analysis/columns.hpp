// SPDX-License-Identifier: MIT
// Diagnostics of states as a table, as written by `run --diagnostics` and the window.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/structure.hpp"

namespace orrery {

/// The columns, in order: step, time, energies, momenta, centres, Lagrangian radii (r_50 holds half the mass), the
/// closest pair. All in the scene's units.
std::span<const std::string> diagnostics_columns();

/// Their values for a state; empty if unknown.
std::vector<std::optional<double>> diagnostics_values(std::int64_t step, double time, const Diagnostics* energy,
                                                      const Structure* structure);

struct NumberTable {
    std::vector<std::string> columns;
    std::vector<std::vector<std::optional<double>>> rows;  ///< each with one value per column

    /// The values of one column; throws Error{kUsage} if it does not exist.
    std::vector<std::optional<double>> column(std::string_view name) const;
};
/// Reads a CSV table of numbers and empty fields with a header. Throws Error{kUsage} naming file and line.
NumberTable read_number_table(const std::filesystem::path& path);

/// Lagrangian radii and relative change of the energy over time as SVG, from a table with these columns.
std::string plot_diagnostics(const NumberTable& table, const std::string& title, const std::string& note);

/// A density profile as CSV, one row per shell.
std::string profile_csv(const Structure& structure);

/// Values separated by commas, with enough digits for an exact round trip; empty if unknown. Without a line end.
std::string csv_fields(std::span<const std::optional<double>> values);

}  // namespace orrery
