// SPDX-License-Identifier: MIT
#include "core/simulation/orders.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/plot/plot.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {
namespace {

constexpr double kEccentricity = 0.5;
constexpr int kFewest = 64, kMost = 16384;
/// Below kRounding, rounding may show; above kLarge, the error is no longer small compared with the orbit.
constexpr double kRounding = 1e-11, kLarge = 0.05;

/// Starts at the apocentre. Semi-major axis, G and total mass are 1, so the period is 2π.
Scene ellipse() {
    Scene scene;
    const double far = 1 + kEccentricity, slow = std::sqrt((1 - kEccentricity) / (1 + kEccentricity));
    scene.bodies.add({far / 2, 0, 0}, {0, slow / 2, 0}, 0.5);
    scene.bodies.add({-far / 2, 0, 0}, {0, -slow / 2, 0}, 0.5);
    return scene;
}

double miss(std::string_view integrator_id, int steps) {
    Scene scene = ellipse();
    const Vec3d start = xyz(scene.bodies.position_mass[0]);
    const double step = 2 * std::numbers::pi / steps;
    const bool individual =
        integrator(integrator_id).individual;  // their steps are √η over the angular velocity, independent of dt
    const int intervals = individual ? 16 : steps;
    if (individual) scene.adaptive = step * step;
    scene.dt = 2 * std::numbers::pi / intervals;
    Simulation simulation{std::move(scene), {.precision = Precision::kDouble, .threads = 1}, integrator_id};
    for (int i = 0; i < intervals; ++i) simulation.step();
    const Vec3d off = xyz(simulation.system().bodies().position_mass[0]) - start;
    return 2 * std::sqrt(dot(off, off));  // of the relative orbit
}

double slope(const std::vector<OrderPoint>& points) {
    double found = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 1; i < points.size(); ++i)
        if (points[i - 1].error < kLarge && points[i].error > kRounding)
            found = std::log2(points[i - 1].error / points[i].error);
    return found;
}

}  // namespace

bool OrderRow::pass() const { return std::abs(measured - integrator.order) <= 0.2; }

std::vector<OrderRow> measure_orders(const std::function<void(std::size_t, std::size_t)>& progress) {
    std::vector<OrderRow> rows;
    for (const IntegratorEntry& entry : integrators()) {
        if (progress) progress(rows.size(), integrators().size());
        OrderRow row{entry, {}, 0};
        for (int steps = kFewest; steps <= kMost; steps *= 2) row.points.push_back({steps, miss(entry.id, steps)});
        row.measured = slope(row.points);
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string plot_orders(const std::vector<OrderRow>& rows) {
    static constexpr std::array colors{"#0072b2", "#56b4e9", "#999999", "#e69f00", "#d55e00", "#009e73", "#cc79a7"};
    static constexpr std::array dashes{"", "8 4"};  // for more curves than colours, and curves on top of each other
    PlotPanel panel{.title = "Error after one period, eccentricity 0.5, double",
                    .x_label = "steps per period",
                    .y_label = "error: distance from the starting point",
                    .curves = {},
                    .marks = {},
                    .reference = 1e-16,
                    .log_x = true,
                    .log_y = true};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        PlotCurve curve{.label = fmt::format("{}: order {:.2f}", rows[i].integrator.label, rows[i].measured),
                        .color = colors[i % colors.size()],
                        .dashes = dashes[i % dashes.size()],
                        .points = {}};
        for (const OrderPoint& point : rows[i].points)
            curve.points.push_back({static_cast<double>(point.steps), point.error});
        panel.curves.push_back(std::move(curve));
    }
    return plot("Integrators and their orders", "orrery check --orders", {panel}, 1);
}

}  // namespace orrery
