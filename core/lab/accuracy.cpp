// SPDX-License-Identifier: MIT
// Error and time of approximations: of the approximating engines over the requested accuracy, for every preset, and of
// the fast multipole engine over the order p of its expansions, at fixed opening angles.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "core/base/error.hpp"
#include "core/engines/menu.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/lab/figures.hpp"
#include "core/lab/force_experiments.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/force_evaluation.hpp"

namespace orrery {
namespace {

constexpr std::array kAccuraciesAsked{1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
constexpr std::size_t kErrorSamples = 4096;
constexpr std::uint32_t kMostAccuracyBodies = 1u << 24;

/// One row of the table.
struct AccuracyCase {
    std::string_view preset;
    EngineConfig engine;
    std::uint32_t bodies;
    std::int64_t repeat;

    /// The values of the first kLabSettings columns.
    std::vector<LabValue> settings() const {
        return {std::string{preset},  engine.engine,        std::string{name(engine.precision)},
                std::int64_t{bodies}, engine.tree.accuracy, repeat};
    }
    std::string text() const {
        return fmt::format("{}, {} bodies, {} to {:g}", preset, bodies, engine.engine, engine.tree.accuracy);
    }
};

std::vector<std::uint32_t> sizes_of(const LabConfig& config) {
    for (const std::uint32_t bodies : config.bodies)
        if (bodies < 1 || bodies > kMostAccuracyBodies)
            usage_error(fmt::format("--bodies {}: expected 1 to {} bodies", bodies, kMostAccuracyBodies));
    if (!config.bodies.empty()) return config.bodies;
    return {config.quick ? 2048u : 65536u};
}

/// All presets with a free number of bodies under gravity, with all engines of this backend that keep an accuracy.
std::vector<AccuracyCase> cases_of(const LabConfig& config) {
    const std::int64_t repeat = config.repeat > 0 ? config.repeat : config.quick ? 3 : 5;
    std::vector<AccuracyCase> all;
    for (const PresetEntry& preset : presets()) {
        if (preset.fixed_count || !preset.gravitates) continue;
        for (const std::uint32_t bodies : sizes_of(config))
            for (const EngineEntry& entry : engines()) {
                if (entry.backend != config.backend || !entry.has(Capability::kAccuracy) || entry.id == "auto")
                    continue;
                EngineConfig engine{.engine = std::string{entry.id}, .backend = entry.backend};
                engine.tree.keep_accuracy = true;
                for (const double accuracy : kAccuraciesAsked) {
                    engine.tree.accuracy = accuracy;
                    all.push_back({preset.id, engine, bodies, repeat});
                }
            }
    }
    return all;
}

/// Milliseconds of one evaluation.
double timed(BodySystem& system, const Gravity& gravity) {
    system.clock().start();
    system.run_forces(0, system.begin_forces(gravity, Potential::kSkip));
    return 1e3 * system.clock().stop();
}

/// Caches the last preset, so that each is made once: making some takes longer than computing their forces.
class LastPreset {
public:
    const Scene& of(const AccuracyCase& each) {
        if (!scene_ || preset_ != each.preset || bodies_ != each.bodies) {
            scene_.reset();
            scene_ = make_preset(each.preset, {.bodies = each.bodies});
            preset_ = each.preset, bodies_ = each.bodies;
        }
        return *scene_;
    }

private:
    std::optional<Scene> scene_;
    std::string preset_;
    std::uint32_t bodies_ = 0;
};

std::vector<LabValue> measured_row(const AccuracyCase& each, const Scene& scene) {
    const auto system = make_body_system(each.engine, scene.bodies);
    const Acceptance acceptance = settle_accuracy(*system, scene.gravity);
    std::vector<double> times;
    for (std::int64_t i = 0; i < each.repeat; ++i) times.push_back(timed(*system, scene.gravity));
    std::ranges::sort(times);
    const ForceError error = system->force_error(scene.gravity, std::min(kErrorSamples, scene.bodies.size()));
    std::vector<LabValue> row = each.settings();
    row.insert(row.end(), {error.rms, error.rms / each.engine.tree.accuracy, acceptance.factor, times[times.size() / 2],
                           times.front(),
                           acceptance.limit == AcceptanceLimit::kNone
                               ? LabValue{}
                               : LabValue{accuracy_text(acceptance, each.engine, each.engine.tree.accuracy)},
                           system->engine_choice()});
    return row;
}

LabTable run_accuracy(const LabConfig& config, const LabProgress& progress) {
    require_lab_backend("accuracy", config.backend);
    LabTable table{.columns = {"preset", "engine", "precision", "bodies", "accuracy", "repeat", "rms_error",
                               "error_over_accuracy", "acceptance", "median_ms", "min_ms", "why", "choice"},
                   .rows = {}};
    const std::vector<AccuracyCase> all = cases_of(config);
    LastPreset last;
    for (const AccuracyCase& each : all) {
        if (config.stop && config.stop()) return table;
        progress(table.rows.size(), all.size(), each.text());
        std::vector<LabValue> row;
        if (config.kept) row = config.kept("accuracy", table.columns, each.settings());
        if (row.empty()) row = measured_row(each, last.of(each));
        if (config.on_row) config.on_row(table.columns, row);
        table.rows.push_back(std::move(row));
    }
    return table;
}

constexpr auto kColors =
    std::to_array<std::string_view>({"#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#8c564b", "#e08000", "#17becf",
                                     "#e377c2", "#7f7f7f", "#bcbd22", "#000000"});

}  // namespace

std::vector<PlotPanel> accuracy_panels(const LabTable& table) {
    const auto column = [&](std::string_view id) { return lab_column(table, id); };
    std::vector<PlotPanel> panels;
    std::vector<std::string> known;  // presets in the order of their colours
    for (const auto& row : table.rows) {
        const std::string engine = std::get<std::string>(row[column("engine")]) + ", " +
                                   std::to_string(std::get<std::int64_t>(row[column("bodies")])) + " bodies",
                          preset = std::get<std::string>(row[column("preset")]);
        if (std::ranges::find(known, preset) == known.end()) known.push_back(preset);
        const auto color =
            kColors[static_cast<std::size_t>(std::ranges::find(known, preset) - known.begin()) % kColors.size()];
        const auto add = [&](const std::string& title, const std::string& y_label, bool log_y, double y) {
            lab_curve(panels,
                      {.title = title,
                       .x_label = "requested accuracy",
                       .y_label = y_label,
                       .curves = {},
                       .marks = {},
                       .reference = log_y ? std::nullopt : std::optional{1.0},
                       .log_x = true,
                       .log_y = log_y},
                      preset, color)
                .push_back({lab_number(row[column("accuracy")]), y});
        };
        add(engine + ": error", "RMS error / accuracy", false, lab_number(row[column("error_over_accuracy")]));
        add(engine + ": time", "ms", true, lab_number(row[column("median_ms")]));
    }
    return panels;
}

LabEntry accuracy_experiment() {
    return {"accuracy", "Accuracy kept", "error and time of tree and fmm over the requested accuracy, for every preset",
            run_accuracy, kMostAccuracyBodies};
}

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
    require_lab_backend("orders", config.backend);
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
    return {"orders",   "Order of expansions", "error and time of fmm in double over the order p, at three angles θ",
            run_orders, kMostOrderBodies,      false};
}

}  // namespace orrery
