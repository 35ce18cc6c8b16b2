// SPDX-License-Identifier: MIT
#include "core/analysis/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "core/base/error.hpp"
#include "core/plot/plot.hpp"

namespace orrery {
namespace {

using Values = std::vector<std::optional<double>>;

std::vector<std::string> names() {
    std::vector<std::string> all{"step", "time", "kinetic", "potential", "total"};
    const auto vector = [&](const char* what) {
        for (const char axis : {'x', 'y', 'z'}) all.push_back(fmt::format("{}_{}", what, axis));
    };
    vector("momentum");
    vector("angular");
    all.emplace_back("virial_ratio");
    vector("mass_centre");
    vector("centre");
    for (const double fraction : kMassFractions) all.push_back(fmt::format("r_{:.0f}", 100 * fraction));
    for (const char* what : {"closest_distance", "closest_first", "closest_second"}) all.emplace_back(what);
    return all;
}

void add(Values& values, std::optional<Vec3d> v) {
    for (const double Vec3d::*axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z})
        values.push_back(v ? std::optional{(*v).*axis} : std::nullopt);
}

}  // namespace

std::span<const std::string> diagnostics_columns() {
    static const std::vector<std::string> all = names();
    return all;
}

Values diagnostics_values(std::int64_t step, double time, const Diagnostics* energy, const Structure* structure) {
    const Motion* motion = energy ? energy : structure ? &structure->motion : nullptr;
    const auto of = [](const auto* from, auto value) {
        return from ? std::optional{value(*from)} : std::optional<decltype(value(*from))>{};
    };
    Values values{static_cast<double>(step), time};
    values.push_back(of(motion, [](const Motion& m) { return m.kinetic; }));
    values.push_back(of(energy, [](const Diagnostics& d) { return d.potential; }));
    values.push_back(of(energy, [](const Diagnostics& d) { return d.total(); }));
    add(values, of(motion, [](const Motion& m) { return m.momentum; }));
    add(values, of(motion, [](const Motion& m) { return m.angular_momentum; }));
    values.push_back(of(energy, [](const Diagnostics& d) { return d.virial_ratio(); }));
    add(values, of(motion, [](const Motion& m) { return m.centre_of_mass; }));
    add(values, of(structure, [](const Structure& s) { return s.centre; }));
    for (std::size_t i = 0; i < kMassFractions.size(); ++i)
        values.push_back(of(structure, [i](const Structure& s) { return s.lagrangian_radii[i]; }));
    const ClosestPair* closest = structure && structure->closest ? &*structure->closest : nullptr;
    values.push_back(of(closest, [](const ClosestPair& p) { return p.distance; }));
    values.push_back(of(closest, [](const ClosestPair& p) { return static_cast<double>(p.first); }));
    values.push_back(of(closest, [](const ClosestPair& p) { return static_cast<double>(p.second); }));
    return values;
}

std::string csv_fields(std::span<const std::optional<double>> values) {
    std::string text;
    for (const auto& value : values) {
        if (&value != values.data()) text += ',';
        if (value) text += fmt::format("{}", *value);
    }
    return text;
}

std::string profile_csv(const Structure& structure) {
    std::string text = "inner_radius,outer_radius,bodies,density\n";
    for (const DensityShell& s : structure.profile)
        text += fmt::format("{:.9g},{:.9g},{},{:.9g}\n", s.inner, s.outer, s.bodies, s.density);
    return text;
}

std::vector<std::optional<double>> NumberTable::column(std::string_view name) const {
    const auto found = std::ranges::find(columns, name);
    if (found == columns.end()) usage_error(fmt::format("no column '{}' in the table", name));
    std::vector<std::optional<double>> values;
    for (const auto& row : rows) values.push_back(row[static_cast<std::size_t>(found - columns.begin())]);
    return values;
}

NumberTable read_number_table(const std::filesystem::path& path) {
    std::ifstream file{path};
    if (!file) environment_error(path.string() + ": cannot be read");
    NumberTable table;
    std::size_t number = 0;
    for (std::string line, field; std::getline(file, line);) {
        ++number;
        std::istringstream fields{line + ','};  // so that getline() returns an empty last field
        std::vector<std::optional<double>> row;
        while (std::getline(fields, field, ',')) {
            if (number == 1) {
                table.columns.push_back(field);
                continue;
            }
            double value = 0;
            const auto [end, status] = std::from_chars(field.data(), field.data() + field.size(), value);
            if (!field.empty() && (status != std::errc{} || end != field.data() + field.size()))
                usage_error(fmt::format("{}:{}: expected a number, found '{}'", path.string(), number, field));
            row.push_back(field.empty() ? std::nullopt : std::optional{value});
        }
        if (number > 1 && row.size() != table.columns.size())
            usage_error(fmt::format("{}:{}: expected {} numbers, found {}", path.string(), number, table.columns.size(),
                                    row.size()));
        if (number > 1) table.rows.push_back(std::move(row));
    }
    return table;
}

namespace {

// M. Okabe & K. Ito, "Color Universal Design", 2008.
constexpr std::array kColors{"#999999", "#e69f00", "#d55e00", "#cc79a7", "#0072b2", "#009e73"};
static_assert(kColors.size() >= kMassFractions.size());

PlotPanel radii_panel(const NumberTable& table, const std::vector<std::optional<double>>& time) {
    PlotPanel panel{.title = "Lagrangian radii",
                    .x_label = "time of the scene",
                    .y_label = "radius",
                    .curves = {},
                    .marks = {},
                    .reference = std::nullopt,
                    .log_y = true};
    for (std::size_t i = kMassFractions.size(); i-- > 0;) {
        const double percent = 100 * kMassFractions[i];
        const auto radius = table.column(fmt::format("r_{:.0f}", percent));
        PlotCurve curve{
            .label = fmt::format("{:.0f} % of the mass", percent), .color = kColors[i], .dashes = {}, .points = {}};
        for (std::size_t row = 0; row < time.size(); ++row)
            if (radius[row]) curve.points.push_back({*time[row], *radius[row]});
        if (!curve.points.empty()) panel.curves.push_back(std::move(curve));
    }
    return panel;
}

PlotPanel energy_panel(const NumberTable& table, const std::vector<std::optional<double>>& time) {
    PlotCurve curve{.label = "energy", .color = "#0072b2", .dashes = {}, .points = {}};
    std::optional<double> first;
    double most = 0;
    const auto total = table.column("total");
    for (std::size_t row = 0; row < time.size(); ++row) {
        if (!total[row]) continue;
        if (!first) first = total[row];
        const double change = *first != 0 ? (*total[row] - *first) / std::abs(*first) : 0;
        curve.points.push_back({*time[row], change});
        most = std::max(most, std::abs(change));
    }
    const double unit = most > 0 ? std::pow(10.0, std::floor(std::log10(most))) : 1;
    for (PlotPoint& point : curve.points) point.y /= unit;
    PlotPanel panel{.title = "Energy",
                    .x_label = "time of the scene",
                    .y_label = fmt::format("(E - E0) / |E0|, in {:.0e}", unit),
                    .curves = {},
                    .marks = {},
                    .reference = 0};
    if (!curve.points.empty()) panel.curves.push_back(std::move(curve));
    return panel;
}

}  // namespace

std::string plot_diagnostics(const NumberTable& table, const std::string& title, const std::string& note) {
    const auto time = table.column("time");
    std::vector<PlotPanel> panels{radii_panel(table, time), energy_panel(table, time)};
    std::erase_if(panels, [](const PlotPanel& panel) { return panel.curves.empty(); });
    if (panels.empty()) return plot(title, note + "; there is nothing to plot", {PlotPanel{}}, 1);
    return plot(title, note, panels, 2);
}

}  // namespace orrery
