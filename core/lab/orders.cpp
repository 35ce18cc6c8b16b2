// SPDX-License-Identifier: MIT
// Error and time of the fast multipole engine over the order p of its expansions, at fixed opening angles.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "core/base/error.hpp"
#include "core/cuda/info.hpp"
#include "core/engines/fmm_choice.hpp"
#include "core/lab/figures.hpp"
#include "core/lab/force_experiments.hpp"

namespace orrery {
namespace {

constexpr std::array kAngles{0.9, 0.7, 0.5};
constexpr std::size_t kBodiesCompared = 4096;
constexpr std::uint32_t kMostOrderBodies = 1u << 22;

/// One row of the table.
struct OrderCase {
    EngineConfig engine;
    std::uint32_t bodies;
    std::int64_t repeat;

    /// The values of the first kLabSettings columns.
    std::vector<LabValue> settings() const {
        return {engine.engine,     std::string{name(engine.precision)}, std::int64_t{bodies},
                engine.tree.theta, std::int64_t{engine.tree.order},     repeat};
    }
    std::string text() const {
        return fmt::format("{} bodies, θ {}, order {}", bodies, engine.tree.theta, engine.tree.order);
    }
};

std::vector<OrderCase> order_cases(const LabConfig& config) {
    for (const std::uint32_t bodies : config.bodies)
        if (bodies < 1 || bodies > kMostOrderBodies)
            usage_error(fmt::format("--bodies {}: expected 1 to {} bodies", bodies, kMostOrderBodies));
    const std::vector<std::uint32_t> sizes =
        config.bodies.empty() ? std::vector{config.quick ? 2048u : 65536u} : config.bodies;
    const std::int64_t repeat = config.repeat > 0 ? config.repeat : config.quick ? 3 : 5;
    std::vector<OrderCase> all;
    for (const std::uint32_t bodies : sizes)
        for (const double theta : kAngles)
            for (const int order : fmm_orders(config.backend)) {
                EngineConfig engine{.engine = "fmm", .backend = config.backend, .precision = Precision::kDouble};
                engine.tree.theta = theta, engine.tree.order = order;
                all.push_back({engine, bodies, repeat});
            }
    return all;
}

std::vector<LabValue> order_row(const OrderCase& each, const Bodies& bodies) {
    const auto system = make_body_system(each.engine, bodies);
    seconds_of_forces(*system);  // the first evaluation includes the set-up
    std::vector<double> seconds;
    for (std::int64_t i = 0; i < each.repeat; ++i) seconds.push_back(seconds_of_forces(*system));
    const LabTimes times = lab_times(std::move(seconds));
    const ForceError error = system->force_error(kLabGravity, std::min(kBodiesCompared, bodies.size()));
    std::vector<LabValue> row = each.settings();
    row.insert(row.end(), {error.rms, times.median_ms, times.min_ms, times.p90_ms});
    return row;
}

LabTable run_orders(const LabConfig& config, const LabProgress& progress) {
    if (config.backend == Backend::kCuda && !cuda_info().available)
        environment_error(fmt::format("the laboratory cannot run on cuda: {}", cuda_info().reason));
    LabTable table{.columns = {"engine", "precision", "bodies", "theta", "order", "repeat", "rms_error", "median_ms",
                               "min_ms", "p90_ms"},
                   .rows = {}};
    const std::vector<OrderCase> all = order_cases(config);
    Bodies ball;
    for (const OrderCase& each : all) {
        if (config.stop && config.stop()) return table;
        progress(table.rows.size(), all.size(), each.text());
        std::vector<LabValue> row;
        if (config.kept) row = config.kept("orders", table.columns, each.settings());
        if (row.empty()) {
            if (ball.size() != each.bodies) ball = lab_ball(each.bodies);
            row = order_row(each, ball);
        }
        if (config.on_row) config.on_row(table.columns, row);
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace

std::vector<PlotPanel> order_panels(const LabTable& table) {
    constexpr std::array<std::string_view, 3> colors{"#d62728", "#1f77b4", "#2ca02c"};
    std::vector<PlotPanel> panels;
    for (const auto& row : table.rows) {
        const auto cell = [&](std::string_view id) { return lab_number(row[lab_column(table, id)]); };
        const double theta = cell("theta"), order = cell("order");
        const auto which = static_cast<std::size_t>(std::ranges::find(kAngles, theta) - kAngles.begin());
        const auto add = [&](const std::string& title, const std::string& y_label, double y) {
            lab_curve(panels,
                      {.title = fmt::format("{} bodies: {}", cell("bodies"), title),
                       .x_label = "order p",
                       .y_label = y_label,
                       .curves = {},
                       .marks = {},
                       .reference = std::nullopt,
                       .log_y = true},
                      fmt::format("θ = {}", theta), colors[which % colors.size()])
                .push_back({order, y});
        };
        add("error", "relative RMS error of the forces", cell("rms_error"));
        add("time", "ms", cell("median_ms"));
    }
    return panels;
}

LabEntry orders_experiment() {
    return {"orders", "Order of expansions", "error and time of fmm in double over the order p, at three angles θ",
            run_orders, kMostOrderBodies};
}

}  // namespace orrery
