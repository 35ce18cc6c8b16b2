// SPDX-License-Identifier: MIT
#include "app/window/lab/lab_state.hpp"

#include <algorithm>

namespace orrery {
namespace {

template <class T>
T value_or(const LabValue& value, T otherwise) {
    const T* known = std::get_if<T>(&value);
    return known ? *known : otherwise;
}

/// I for this time of the map, with the reference at its median.
double improvement_at(const LabTable& table, const std::vector<LabValue>& row, std::string_view column) {
    const double time = value_or(lab_cell(table, row, column), 0.0);
    const double median = value_or(lab_cell(table, row, "median_ms"), 0.0);
    return time > 0 ? value_or(lab_cell(table, row, "improvement"), 0.0) * median / time : 0;
}

}  // namespace

LabConfig LabSettings::config() const {
    LabConfig config{.backend = backend, .maps = maps, .roots = roots, .rho = rho, .repeat = repeat};
    config.strips = {strip};
    config.kernel = kernel;
    for (const std::string& count : features) config.features.push_back(std::stoi(count));
    for (std::uint64_t bodies = from; bodies <= to; bodies += std::max(1u, step))
        config.bodies.push_back(static_cast<std::uint32_t>(bodies));
    return config;
}

LabValue lab_cell(const LabTable& table, const std::vector<LabValue>& row, std::string_view column) {
    const auto found = std::ranges::find(table.columns, column);
    if (found == table.columns.end()) return {};
    return row[static_cast<std::size_t>(found - table.columns.begin())];
}

std::vector<LabSpread> lab_spreads(const LabTable& table) {
    std::vector<LabSpread> all;
    for (const auto& row : table.rows) {
        const auto of = [&](std::string_view column) { return lab_cell(table, row, column); };
        const std::string map = value_or(of("map"), std::string{}), root = value_or(of("root"), std::string{});
        const double least = improvement_at(table, row, "p90_ms"), most = improvement_at(table, row, "p10_ms");
        if (least > 0 && most > 0)
            all.push_back({root.empty() ? map : map + " " + root, value_or(of("dimensions"), std::int64_t{0}),
                           value_or(of("bodies"), std::int64_t{0}), least, most});
    }
    return all;
}

std::vector<LabBar> lab_bars(const LabTable& table) {
    std::vector<LabBar> bars;
    if (table.rows.empty() || std::ranges::find(table.columns, "improvement") == table.columns.end()) return bars;
    const auto of = [&](const auto& row, std::string_view column) { return lab_cell(table, row, column); };
    const auto& last = table.rows.back();
    for (const auto& row : table.rows) {
        const bool same_box = of(row, "dimensions") == of(last, "dimensions");
        LabBar bar{.map = value_or(of(row, "map"), std::string{}),
                   .root = value_or(of(row, "root"), std::string{}),
                   .bodies = value_or(of(row, "bodies"), std::int64_t{0}),
                   .rho = value_or(of(row, "rho"), std::int64_t{0}),
                   .median_ms = value_or(of(row, "median_ms"), 0.0),
                   .improvement = value_or(of(row, "improvement"), 0.0),
                   .least = improvement_at(table, row, "p90_ms"),
                   .most = improvement_at(table, row, "p10_ms"),
                   .right = value_or(of(row, "verified"), false),
                   .why = value_or(of(row, "why"), std::string{}),
                   .newest = same_box && of(row, "bodies") == of(last, "bodies")};
        const auto known =
            std::ranges::find_if(bars, [&](const LabBar& b) { return b.map == bar.map && b.root == bar.root; });
        if (known == bars.end())
            bars.push_back(std::move(bar));
        else
            *known = std::move(bar);
    }
    return bars;
}

}  // namespace orrery
