// SPDX-License-Identifier: MIT
#include "app/commands/check_orders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/options.hpp"
#include "app/cli/table.hpp"
#include "app/commands/commands.hpp"
#include "core/base/files.hpp"
#include "core/base/progress.hpp"
#include "core/base/standard_streams.hpp"
#include "core/simulation/orders.hpp"

namespace orrery {
namespace {

void print_table(const std::vector<OrderRow>& rows) {
    Table table;
    table.head = {"integrator", "order", "measured", ""};
    for (const OrderPoint& point : rows.front().points) table.head.push_back(fmt::format("{}", point.steps));
    for (const OrderRow& row : rows) {
        table.rows.push_back({std::string{row.integrator.id}, fmt::to_string(row.integrator.order),
                              fmt::format("{:.2f}", row.measured), row.pass() ? "pass" : "FAIL"});
        for (const OrderPoint& point : row.points) table.rows.back().push_back(fmt::format("{:.1e}", point.error));
    }
    to_stdout(
        "{}Errors after one period of an ellipse of eccentricity 0.5, by the number of steps per period, in double "
        "precision\n",
        table.text());
}

void print_json(const std::vector<OrderRow>& rows) {
    auto all = nlohmann::ordered_json::array();
    for (const OrderRow& row : rows) {
        auto points = nlohmann::ordered_json::array();
        for (const OrderPoint& point : row.points) points.push_back({{"steps", point.steps}, {"error", point.error}});
        all.push_back({{"integrator", row.integrator.id},
                       {"order", row.integrator.order},
                       {"measured", row.measured},
                       {"pass", row.pass()},
                       {"points", points}});
    }
    to_stdout("{}\n", all.dump(2));
}

}  // namespace

int check_orders(const std::string& path, bool json) {
    if (!path.empty()) require_writable(path);
    Progress progress{"orders", integrators().size()};
    const auto rows = measure_orders([&](std::size_t done, std::size_t) { progress.update(done, ""); });
    if (json)
        print_json(rows);
    else
        print_table(rows);
    if (!path.empty()) {
        OutputFile file{path};
        file.write(plot_orders(rows));
        file.commit();
        if (!json) to_stdout("wrote     {}\n", path);
    }
    return std::ranges::all_of(rows, &OrderRow::pass) ? 0 : kCheckFailed;
}

}  // namespace orrery
