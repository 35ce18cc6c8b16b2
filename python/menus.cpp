// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "app/render/color_maps.hpp"
#include "app/render/color_modes.hpp"
#include "app/render/view_settings.hpp"
#include "app/scene/shipped.hpp"
#include "core/base/error.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/menu.hpp"
#include "core/formats/formats.hpp"
#include "core/gl/info.hpp"
#include "core/integrators/integrators.hpp"
#include "core/maps/maps.hpp"
#include "core/physics/pair_law.hpp"
#include "core/presets/presets.hpp"
#include "python/bindings.hpp"
#include "python/values.hpp"

namespace orrery::python {
namespace {

py::object made(const char* type, const py::args& values) {
    return py::module_::import("orrery._values").attr(type)(*values);
}

template <class Menu>
py::list entries(const Menu& menu) {
    py::list all;
    for (const auto& each : menu) all.append(made("Entry", py::make_tuple(each.id, each.label, each.doc)));
    return all;
}

py::list engine_entries() {
    py::list all;
    for (const EngineEntry& entry : engines()) {
        py::list offered, laws;
        for (const Precision precision : precisions())
            if (offers(entry, precision)) offered.append(name(precision));
        for (const PairLaw law : entry.pair_laws) laws.append(pair_law(law).id);
        if (entry.law != Law::kPairs) laws = py::list{};
        const std::string why = unavailable(entry);
        all.append(made("Engine", py::make_tuple(entry.id, entry.label, entry.doc, name(entry.backend),
                                                 py::tuple{offered}, py::tuple{laws}, why.empty(), why)));
    }
    return all;
}

py::list preset_entries() {
    py::list all;
    for (const PresetEntry& entry : presets())
        all.append(made("Preset", py::make_tuple(entry.id, entry.label, entry.doc, entry.family, entry.default_bodies,
                                                 entry.fixed_count)));
    return all;
}

py::list integrator_entries() {
    py::list all;
    for (const IntegratorEntry& entry : integrators())
        all.append(made("Integrator", py::make_tuple(entry.id, entry.label, entry.doc, entry.order, entry.reversible)));
    return all;
}

py::list format_entries() {
    py::list all;
    for (const FormatEntry& entry : formats()) {
        py::list extensions;
        for (const std::string_view extension : entry.extensions) extensions.append(extension);
        all.append(made("Format", py::make_tuple(entry.id, entry.label, entry.doc, py::tuple{extensions},
                                                 entry.why_not.empty(), entry.why_not)));
    }
    return all;
}

py::list map_entries() {
    py::list all = entries(maps());
    for (const auto& each : simplex3_maps()) all.append(made("Entry", py::make_tuple(each.id, each.label, each.doc)));
    return all;
}

template <class Config>
py::object setting_entry(const Setting<Config>& setting, const Config& standard) {
    return made("Setting", py::make_tuple(setting.info.id, setting.info.doc, takes_text(setting.info),
                                          object_of(setting.member.get(standard))));
}

py::list engine_setting_entries(const std::string& id, const std::optional<std::string>& backend) {
    const Backend where = backend ? parse_backend(*backend) : default_backend(id);
    const EngineEntry& entry = engine(id, where);
    EngineConfig standard = default_engine_config();
    standard.engine = id, standard.backend = where;
    py::list all;
    for (const EngineSetting& each : engine_settings())
        if (reads(entry, each.info)) all.append(setting_entry(each, standard));
    return all;
}

py::list view_setting_entries() {
    py::list all;
    for (const ViewSetting& each : view_settings())
        if (!each.info.id.starts_with("trail")) all.append(setting_entry(each, ViewSettings{}));
    return all;
}

}  // namespace

void bind_menus(py::module_& module) {
    using namespace py::literals;
    module.def(
        "engines", engine_entries,
        "Engines of this build, one entry per backend, with the reason if it cannot run here: a list of Engine.");
    module.def(
        "choose_gl_device", choose_gl_device, "device"_a,
        "Chooses the OpenGL device of engines on gl, before one is used: the number of an EGL device, or a part of "
        "its name. `orrery info` lists them.");
    module.def("settings", engine_setting_entries, "engine"_a, "backend"_a = py::none(),
               "Settings of this engine, the keywords of Simulation() and set_engine(): a list of Setting.");
    module.def("view_settings", view_setting_entries, "Keywords of render(): a list of Setting.");
    module.def("presets", preset_entries, "Initial conditions for scene(): a list of Preset.");
    module.def(
        "scenes", [] { return entries(shipped_scenes()); }, "Shipped scenes for scene(): a list of Entry.");
    module.def("integrators", integrator_entries, "How a step can be composed: a list of Integrator.");
    module.def(
        "laws", [] { return entries(pair_laws()); }, "Forces of a pair: a list of Entry.");
    module.def("formats", format_entries, "File formats of load() and save(): a list of Format.");
    module.def("maps", map_entries, "Thread maps of pairs and of triples: a list of Entry.");
    module.def(
        "roots", [] { return entries(roots()); }, "Square roots for thread maps: a list of Entry.");
    module.def(
        "color_maps", [] { return entries(color_maps()); }, "Colour maps of render(): a list of Entry.");
    module.def(
        "color_modes", [] { return entries(color_modes()); }, "Quantities for colours: a list of Entry.");
}

}  // namespace orrery::python
