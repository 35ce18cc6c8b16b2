// SPDX-License-Identifier: MIT
// Diagnostics of states as a table: what `run --diagnostics` and the window write.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics/structure.hpp"

namespace orrery {

/// The columns, in order: step, time, energies, momenta, centres, Lagrangian radii (r_50 holds half the mass), the
/// closest pair. All in the scene's units.
std::span<const std::string> diagnostics_columns();

/// Their numbers, of what is known of a state; none where a quantity is not.
std::vector<std::optional<double>> diagnostics_values(std::int64_t step, double time, const Diagnostics* energy,
                                                      const Structure* structure);

struct NumberTable {
    std::vector<std::string> columns;
    std::vector<std::vector<std::optional<double>>> rows;  ///< as many numbers in each as there are columns

    /// Of one column, row after row; throws Error{kUsage} when there is none of that name.
    std::vector<std::optional<double>> column(std::string_view name) const;
};
/// Reads a CSV table of numbers and empty fields with a header. Throws Error{kUsage} naming file and line.
NumberTable read_number_table(const std::filesystem::path& path);

/// Lagrangian radii and relative change of the energy over time as SVG, from a table with these columns.
std::string plot_diagnostics(const NumberTable& table, const std::string& title, const std::string& note);

/// A density profile as CSV, a row per shell.
std::string profile_csv(const Structure& structure);

/// Numbers with commas between, so that reading gives the same bits; nothing where there is none. Without a line end.
std::string csv_fields(std::span<const std::optional<double>> values);

}  // namespace orrery
