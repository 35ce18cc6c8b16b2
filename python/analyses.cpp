// SPDX-License-Identifier: MIT
// The plots of `orrery plot`, as numbers and as SVG; the snapshots of a series.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>

#include "core/analysis/analyses.hpp"
#include "core/analysis/result.hpp"
#include "core/base/error.hpp"
#include "core/base/menu.hpp"
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
            const Scene present = self.slowly([](Simulation& own) {
                require_between_steps(own);
                return present_scene(own);
            });
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

}  // namespace orrery::python
