// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>

#include "core/base/error.hpp"
#include "core/plot/plot.hpp"
#include "python/arrays.hpp"

namespace orrery::python {
namespace {

// Okabe and Ito (2008), distinguishable with colour blindness.
constexpr std::array kCurveColors{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};

py::object plotted(const py::dict& curves, const std::string& title, const std::string& note,
                   const std::string& x_label, const std::string& y_label, bool log_x, bool log_y) {
    PlotPanel panel{.title = {}, .x_label = x_label, .y_label = y_label, .curves = {}, .marks = {}, .reference = {}};
    panel.log_x = log_x, panel.log_y = log_y;
    for (const auto& [key, given] : curves) {
        const auto label = py::cast<std::string>(key);
        const auto both = py::cast<py::sequence>(given);
        if (both.size() != 2) usage_error(fmt::format("plot: '{}': expected two columns, x and y", label));
        const std::size_t count = py::len(both[0]);
        const std::vector<double> x = numbers_of(both[0], "plot: x", count), y = numbers_of(both[1], "plot: y", count);
        PlotCurve curve{.label = label,
                        .color = kCurveColors[panel.curves.size() % kCurveColors.size()],
                        .dashes = {},
                        .points = {}};
        for (std::size_t i = 0; i < count; ++i) curve.points.push_back({x[i], y[i]});
        panel.curves.push_back(std::move(curve));
    }
    if (panel.curves.empty()) usage_error("plot: expected at least one curve");
    return py::module_::import("orrery._values").attr("Svg")(plot(title, note, {panel}, 1));
}

}  // namespace

void bind_plots(py::module_& module) {
    using namespace py::literals;
    module.def(
        "plot", plotted, "curves"_a, py::kw_only(), "title"_a = "", "note"_a = "", "x_label"_a = "", "y_label"_a = "",
        "log_x"_a = false, "log_y"_a = false,
        "Plots curves as SVG, which notebooks display: a dict from a name to two columns of numbers, x and y, of "
        "equal length. Logarithmic axes omit values that are not positive. Returns an Svg, which is a str.");
}

}  // namespace orrery::python
