// SPDX-License-Identifier: MIT
// The plots of `orrery plot`, as numbers and as SVG; the snapshots of a series.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <array>
#include <filesystem>

#include "core/analysis/analyses.hpp"
#include "core/analysis/result.hpp"
#include "core/base/error.hpp"
#include "core/base/menu.hpp"
#include "core/plot/plot.hpp"
#include "core/series/series_index.hpp"
#include "python/shared_simulation.hpp"
#include "python/values.hpp"

namespace orrery::python {
namespace {

AnalysisSettings settings_of(const std::string& kind, const py::kwargs& given) {
    AnalysisSettings settings;
    settings.kind = find_in_menu(analyses(), "plot", kind).id;
    std::string known;
    for (const Setting<AnalysisSettings>& each : analysis_settings())
        if (each.applies_to(settings)) known += fmt::format("{}{}", known.empty() ? "" : ", ", each.info.id);
    for (const auto& [key, value] : given) {
        const auto keyword = key.cast<std::string>();
        const auto of_kind = [&] {
            for (const Setting<AnalysisSettings>& each : analysis_settings())
                if (means(keyword, each.info)) return each.applies_to(settings);
            return false;
        };
        if (!of_kind() || !assign_keyword(analysis_settings(), settings, keyword, value))
            throw py::type_error{fmt::format("'{}' is not a setting of {}; there are {}", keyword, kind, known)};
    }
    return settings;
}

py::object analysed(const Scene& scene, const AnalysisSettings& settings) {
    struct Found {
        AnalysisResult result;
        std::string svg;
    };
    const Found found = [&] {
        const Unlocked unlocked;
        require_own_threads();
        mark_threads();
        Pool pool{0, false};
        AnalysisResult result = analyse(pool, scene, settings);
        std::string svg = analysis_svg(result, fmt::format("{}: {}", scene.label, result.title));
        return Found{std::move(result), std::move(svg)};
    }();
    py::dict columns;
    for (const AnalysisColumn& column : found.result.columns)
        columns[py::str(column.name)] =
            py::array_t<double>{static_cast<py::ssize_t>(column.values.size()), column.values.data()};
    const py::module_ values = py::module_::import("orrery._values");
    return values.attr("Analysis")(found.result.title, found.result.note, std::move(columns),
                                   values.attr("Svg")(found.svg));
}

constexpr const char* kAnalyse =
    "The data of `orrery plot` for these bodies: an Analysis with title, note (definition and source), columns (a dict "
    "from names to float64 arrays, in the scene's units) and svg, which notebooks display.\n\n"
    "kind: 'surface-density', 'density', 'dispersion', 'rotation-curve', 'toomre-q', 'histogram', 'phase-space', "
    "'groups' …; an unknown one raises UsageError that lists all. Keywords are the options of `orrery plot`: of, "
    "centre, axis, bins, from_, to, scale, x, y, weight, link …";

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

void bind_analyses(py::module_& module) {
    using namespace py::literals;
    py::class_<SceneValue, SharedScene> scene = module.attr("Scene");
    scene.def(
        "analyse",
        [](const SceneValue& self, const std::string& kind, const py::kwargs& settings) {
            return analysed(self.scene, settings_of(kind, settings));
        },
        "kind"_a, kAnalyse);
    py::class_<SharedSimulation, SimulationHandle> simulation = module.attr("Simulation");
    simulation.def(
        "analyse",
        [](SharedSimulation& self, const std::string& kind, const py::kwargs& settings) {
            const AnalysisSettings requested = settings_of(kind, settings);
            const Scene present = self.between_steps([](Simulation& own) { return present_scene(own); });
            return analysed(present, requested);
        },
        "kind"_a, kAnalyse);
    module.def(
        "_series_members",
        [](const std::vector<std::string>& sources) {
            const SeriesIndex index = [&] {
                const Unlocked unlocked;
                return SeriesIndex{sources};
            }();
            py::list members;
            for (const SeriesMember& each : index.members()) members.append(py::make_tuple(each.path, each.time));
            return py::make_tuple(members, index.notes());
        },
        "sources"_a, "Paths and times of the snapshots of a series, and notes about files that were skipped.");
}

void bind_plots(py::module_& module) {
    using namespace py::literals;
    module.def(
        "plot", plotted, "curves"_a, py::kw_only(), "title"_a = "", "note"_a = "", "x_label"_a = "", "y_label"_a = "",
        "log_x"_a = false, "log_y"_a = false,
        "Plots curves as SVG, which notebooks display: a dict from a name to two columns of numbers, x and y, of "
        "equal length. Logarithmic axes omit values that are not positive. Returns an Svg, which is a str.");
}

}  // namespace orrery::python
