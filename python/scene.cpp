// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/render/preset_views.hpp"
#include "app/scene/scene_file.hpp"
#include "app/scene/shipped.hpp"
#include "core/base/error.hpp"
#include "core/base/menu.hpp"
#include "core/base/text.hpp"
#include "core/engines/menu.hpp"
#include "core/formats/formats.hpp"
#include "core/integrators/integrators.hpp"
#include "core/physics/pair_law.hpp"
#include "core/presets/presets.hpp"
#include "core/series/snapshot_files.hpp"
#include "core/simulation/scene_request.hpp"
#include "python/shared_simulation.hpp"
#include "python/values.hpp"

namespace orrery::python {
namespace {

using Numbers = std::optional<double>;

/// Values that override the scene's own in scene() and load().
struct Changes {
    Numbers softening, dt, sigma, cut_off, adaptive;
    std::optional<std::string> law, integrator, sites = {}, displacements = {};
    std::optional<std::string> encounters = {};
    Numbers body_density = {}, body_radius = {}, restitution = {};
    std::string fields = {};

    void apply(SceneRequest& request) const {
        if (encounters) request.encounters = *encounters;
        request.fields = fields;
        request.body_density = body_density, request.body_radius = body_radius, request.restitution = restitution;
        if (softening) request.softening = softening;
        if (dt) request.dt = dt;
        if (sigma) request.sigma = sigma;
        if (cut_off) request.cut_off = cut_off;
        if (adaptive) request.adaptive = adaptive;
        if (law) request.law = *law;
        if (integrator) request.integrator = *integrator;
        if (sites) request.sites = *sites;
        if (displacements) request.displacements = *displacements;
    }
};

SharedScene opened(SceneRequest request, const Changes& changes) {
    require_own_threads();
    mark_threads();  // presets are generated on all cores
    changes.apply(request);
    auto value = std::make_shared<SceneValue>();
    value->scene = open_scene(request);
    const orrery::PresetView look = preset_view(request.source);
    if (look.double_precision) value->engine.precision = Precision::kDouble;
    if (const auto needed = engine_of_preset(request.source); !needed.empty()) {
        value->engine.engine = needed;
        value->engine.backend = default_backend(value->engine.engine);
        value->engine_given = true;
    }
    value->look.view = look.view;
    value->look.camera = {.yaw = look.yaw, .pitch = look.pitch, .zoom = look.zoom};
    return value;
}

SharedScene opened(const SceneFile& file, SceneRequest request, const Changes& changes) {
    const SharedScene value = opened(std::move(request), changes);
    if (file.engine_given) value->engine = file.engine_here(), value->engine_given = true;
    value->look.view = file.view;
    const auto yaw = Look{}.camera.yaw, pitch = Look{}.camera.pitch;
    value->look.camera = file.camera;
    if (!file.camera.yaw) value->look.camera.yaw = yaw;
    if (!file.camera.pitch) value->look.camera.pitch = pitch;
    return value;
}

std::string no_such_name(const std::string& name) {
    auto meant = nearest_id(presets(), name);
    if (!meant) meant = nearest_id(shipped_scenes(), name);
    return fmt::format("{}: no such preset or scene{}; presets() and scenes() list all, load() reads files", name,
                       meant ? fmt::format("; did you mean '{}'?", *meant) : "");
}

SharedScene scene(const std::string& name, std::size_t bodies, std::uint64_t seed, const Changes& changes) {
    const Unlocked unlocked;
    if (const ShippedScene* const shipped = shipped_scene(name)) {
        const SceneFile file = shipped->read();
        SceneRequest request = file.scene;
        if (bodies != 0) request.bodies = bodies;
        if (seed != 1) request.seed = seed;
        return opened(file, request, changes);
    }
    if (std::ranges::find(presets(), name, &PresetEntry::id) == presets().end()) usage_error(no_such_name(name));
    return opened({.source = name, .bodies = bodies, .seed = seed}, changes);
}

SharedScene load(const std::filesystem::path& path, const Changes& changes) {
    const Unlocked unlocked;
    if (is_scene_path(path)) {
        const SceneFile file = read_scene_file(path);
        return opened(file, file.scene, changes);
    }
    if (!std::filesystem::exists(path) && !names_many(path.string()))
        usage_error(fmt::format("{}: no such file; scene() makes presets", path.string()));
    // An absolute path, because a preset may have the same name.
    return opened({.source = std::filesystem::absolute(path).string()}, changes);
}

std::vector<Species> species_of(const std::vector<std::string>& names, std::size_t count) {
    if (names.size() != count)
        usage_error(fmt::format("species: expected one per body, {}, found {}", count, names.size()));
    std::vector<Species> all;
    for (const std::string& text : names) {
        std::size_t which = 0;
        while (which < kSpeciesCount && name(static_cast<Species>(which)) != text) ++which;
        if (which == kSpeciesCount)
            usage_error(fmt::format("species: expected gas, halo, disk, bulge, stars or boundary, found '{}'", text));
        all.push_back(static_cast<Species>(which));
    }
    return all;
}

/// The arguments of Scene() that are columns.
struct Columns {
    py::object positions, velocities, masses, charges, ids;
    std::optional<std::vector<std::string>> names, species;
};

Bodies bodies_of(const Columns& given) {
    Bodies bodies;
    const std::vector<Vec3d> positions = rows_of(given.positions, "positions");
    const std::size_t n = positions.size();
    if (n == 0) usage_error("positions: expected at least one body");
    bodies.velocity = given.velocities.is_none() ? std::vector<Vec3d>(n) : rows_of(given.velocities, "velocities", n);
    const auto masses = given.masses.is_none() ? std::vector<double>(n, 1 / static_cast<double>(n))
                                               : numbers_or_one(given.masses, "masses", n);
    for (std::size_t i = 0; i < n; ++i)
        bodies.position_mass.push_back({positions[i].x, positions[i].y, positions[i].z, masses[i]});
    if (!given.charges.is_none()) bodies.charge = numbers_of(given.charges, "charges", n);
    if (!given.ids.is_none()) bodies.ids = ids_of(given.ids, "ids", n);
    if (given.names) {
        if (given.names->size() != n)
            usage_error(fmt::format("names: expected one per body, {}, found {}", n, given.names->size()));
        bodies.names = *given.names;
    }
    if (given.species) bodies.species = species_of(*given.species, n);
    return bodies;
}

SharedScene scene_from_arrays(const Columns& columns, double constant, double time, const std::string& label,
                              const Changes& changes) {
    auto value = std::make_shared<SceneValue>();
    Scene& scene = value->scene;
    scene.id = "arrays";
    scene.label = label.empty() ? "Arrays" : label;
    scene.bodies = bodies_of(columns);
    scene.time = time;
    scene.gravity = {.constant = constant,
                     .softening = changes.softening.value_or(0),
                     .law = pair_law(changes.law.value_or("gravity")).value,
                     .sigma = changes.sigma.value_or(0),
                     .cut_off = changes.cut_off.value_or(0)};
    scene.dt = changes.dt.value_or(1e-3);
    if (changes.integrator) scene.integrator = integrator(*changes.integrator).id;
    scene.adaptive = changes.adaptive.value_or(0);
    SceneRequest request;
    changes.apply(request);
    change_encounters(scene, request);
    require_sound(scene);
    return value;
}

void set_gravity(SceneValue& value, const Gravity& gravity) {
    validate(gravity);
    value.scene.gravity = gravity;
}

/// Defines a property for a member of Gravity.
template <auto Member>
void number_of_gravity(py::class_<SceneValue, SharedScene>& type, const char* name, const char* doc) {
    type.def_property(
        name, [](const SceneValue& value) { return value.scene.gravity.*Member; },
        [](SceneValue& value, double number) {
            Gravity gravity = value.scene.gravity;
            gravity.*Member = number;
            set_gravity(value, gravity);
        },
        doc);
}

void bind_columns(py::class_<SceneValue, SharedScene>& type) {
    type.def_property_readonly(
            "positions",
            [](const SharedScene& self) {
                const auto& rows = self->scene.bodies.position_mass;
                return view_of(rows.data(), rows.size(), Precision::kDouble, Part::kXyz, self, true);
            },
            "Positions, float64 of shape (N, 3), in the scene's unit of length. A writable view without a "
            "copy; existing simulations do not change with it.")
        .def_property_readonly(
            "velocities",
            [](const SharedScene& self) {
                return view_of(self->scene.bodies.velocity.data(), self->scene.bodies.size(), self);
            },
            "Velocities, float64 of shape (N, 3), in lengths per unit of time. A writable view.")
        .def_property_readonly(
            "masses",
            [](const SharedScene& self) {
                const auto& rows = self->scene.bodies.position_mass;
                return view_of(rows.data(), rows.size(), Precision::kDouble, Part::kW, self, true);
            },
            "Masses, float64 of shape (N,). A writable view.")
        .def_property_readonly(
            "charges",
            [](const SharedScene& self) -> py::object {
                auto& charge = self->scene.bodies.charge;
                if (charge.empty()) return py::none();
                return py::array_t<double>{static_cast<py::ssize_t>(charge.size()), charge.data()};
            },
            "Charges, float64 of shape (N,), a copy; None if bodies have none. Only the law 'coulomb' uses them.")
        .def_property_readonly(
            "ids",
            [](const SharedScene& self) -> py::object {
                auto& ids = self->scene.bodies.ids;
                if (ids.empty()) return py::none();
                return py::array_t<std::uint64_t>{static_cast<py::ssize_t>(ids.size()), ids.data()};
            },
            "Ids, uint64 of shape (N,), a copy; None if bodies have none.")
        .def_property_readonly(
            "names",
            [](const SceneValue& self) -> py::object {
                return self.scene.bodies.names.empty() ? py::object{py::none()} : py::cast(self.scene.bodies.names);
            },
            "Names, a list of str; None if bodies have none.")
        .def_property_readonly(
            "species",
            [](const SceneValue& self) -> py::object {
                if (self.scene.bodies.species.empty()) return py::none();
                py::list all;
                for (const Species each : self.scene.bodies.species) all.append(py::str(std::string{name(each)}));
                return all;
            },
            "'gas', 'halo', 'disk', 'bulge', 'stars' or 'boundary' of each body, a list; None if unknown.");
}

void bind_numbers(py::class_<SceneValue, SharedScene>& type) {
    number_of_gravity<&Gravity::constant>(type, "G", "The gravitational constant, in the scene's units.");
    number_of_gravity<&Gravity::softening>(type, "softening", "Softening length ε, 0 or more.");
    number_of_gravity<&Gravity::sigma>(type, "sigma", "Length σ of the repulsion of Lennard-Jones atoms, or of ions.");
    number_of_gravity<&Gravity::cut_off>(type, "cut_off", "Cut-off of Lennard-Jones, in units of σ; 0: none.");
    type.def_property(
            "law", [](const SceneValue& self) { return std::string{pair_law(self.scene.gravity.law).id}; },
            [](SceneValue& self, const std::string& id) {
                Gravity gravity = self.scene.gravity;
                gravity.law = pair_law(id).value;
                set_gravity(self, gravity);
            },
            "Force of a pair: an id of laws().")
        .def_property(
            "dt", [](const SceneValue& self) { return self.scene.dt; },
            [](SceneValue& self, double dt) {
                if (!(dt > 0) || !std::isfinite(dt)) usage_error(fmt::format("dt {}: must be positive", dt));
                self.scene.dt = dt;
            },
            "Recommended step, in the scene's unit of time.")
        .def_property(
            "time", [](const SceneValue& self) { return self.scene.time; },
            [](SceneValue& self, double time) {
                if (!std::isfinite(time)) usage_error(fmt::format("time {}: must be a number", time));
                self.scene.time = time;
            },
            "Time of the state.")
        .def_property(
            "integrator", [](const SceneValue& self) { return self.scene.integrator; },
            [](SceneValue& self, const std::string& id) { self.scene.integrator = integrator(id).id; },
            "Recommended integrator: an id of integrators().")
        .def_property(
            "adaptive", [](const SceneValue& self) { return self.scene.adaptive; },
            [](SceneValue& self, double eta) {
                require_adaptive(eta, self.scene.bodies.size(), integrator(self.scene.integrator));
                self.scene.adaptive = eta;
            },
            "η of adaptive steps; 0: all steps are dt.");
}

void bind_words(py::class_<SceneValue, SharedScene>& type) {
    type.def_property_readonly(
            "id", [](const SceneValue& self) { return self.scene.id; }, "Preset or file.")
        .def_property(
            "label", [](const SceneValue& self) { return self.scene.label; },
            [](SceneValue& self, const std::string& text) { self.scene.label = text; }, "Name for display.")
        .def_property_readonly(
            "days_per_time", [](const SceneValue& self) { return self.scene.days_per_time; },
            "Length of a unit of time in days; 0: no physical units.")
        .def_property_readonly(
            "length_unit", [](const SceneValue& self) { return self.scene.length_unit; },
            "'AU' or another name; empty: the scene's own unit.")
        .def_property_readonly(
            "mass_unit", [](const SceneValue& self) { return self.scene.mass_unit; },
            "'M☉' or another name; empty: the scene's own unit.")
        .def_property_readonly(
            "notes", [](const SceneValue& self) { return self.scene.notes; },
            "Remarks from reading the file, a list of str.")
        .def(
            "field",
            [](const SceneValue& self, const std::string& name) { return field_of(self.scene.bodies.fields, name); },
            py::arg("name"),
            "Values of a field that load() has read, by its name in the file, float32 of shape (N,), a copy; NaN: the "
            "file has none for that body. Raises KeyError for one that is not loaded.")
        .def("__len__", [](const SceneValue& self) { return self.scene.bodies.size(); })
        .def("__repr__",
             [](const SceneValue& self) {
                 return fmt::format("<orrery.Scene '{}': {} bodies, t = {:g}>", self.scene.label,
                                    self.scene.bodies.size(), self.scene.time);
             })
        .def(
            "copy", [](const SceneValue& self) { return std::make_shared<SceneValue>(self); },
            "An independent scene with the same bodies.")
        .def(
            "save",
            [](const SceneValue& self, const std::filesystem::path& path) {
                const Unlocked unlocked;
                require_sound(self.scene);
                write_snapshot(self.scene, path);
            },
            py::arg("path"),
            "Writes a snapshot, completely or not at all; the extension chooses the format, see formats(). Raises "
            "UsageError for an unknown extension, MachineError if it cannot be written.")
        .def(py::pickle([](const SceneValue& self) { return state_of(self); },
                        [](const py::dict& state) { return std::make_shared<SceneValue>(scene_of_state(state)); }));
}

constexpr const char* kOfArrays =
    "Bodies from arrays.\n\n"
    "positions: real numbers of shape (N, 3), N of 1 or more, in any unit of length, type and layout.\n"
    "velocities: shape (N, 3), in lengths per unit of time; None: at rest.\n"
    "masses: shape (N,), 0 or more, or one number for all; None: 1/N each.\n"
    "G, softening, law, sigma, cut_off: the force; dt, integrator, adaptive: recommended steps; time: that of the "
    "state.\n"
    "charges: shape (N,), for the law 'coulomb'; names and species: one str per body; ids: shape (N,), whole "
    "numbers.\n"
    "encounters: 'off', 'merge', 'bounce' or 'accrete' when bodies touch; body_density (mass per volume) or "
    "body_radius: their size, None: from the softening; restitution: 0 to 1, of a bounce.\n\n"
    "All arrays are copied. Raises TypeError for numbers that are not real, UsageError (a ValueError) for shapes that "
    "do "
    "not agree, and for numbers that are not finite or out of range, naming the first such body.";

}  // namespace

void require_sound(const Scene& scene) {
    validate(scene.bodies, scene.id);
    validate(scene.gravity);
    if (!(scene.dt > 0) || !std::isfinite(scene.dt)) usage_error(fmt::format("dt {}: must be positive", scene.dt));
    if (!std::isfinite(scene.time)) usage_error(fmt::format("time {}: must be a number", scene.time));
    require_adaptive(scene.adaptive, scene.bodies.size(), integrator(scene.integrator));
    require_adaptive(scene.adaptive, scene.gravity.law);
    for (std::size_t i = 0; i < scene.bodies.charge.size(); ++i)
        if (!std::isfinite(scene.bodies.charge[i]))
            usage_error(fmt::format("{}: charge of body {} is not finite", scene.id, i));
}

void bind_scene(py::module_& module) {
    using namespace py::literals;
    py::class_<SceneValue, SharedScene> type{module, "Scene",
                                             "Bodies with everything needed to simulate and draw them. A plain value: "
                                             "a Simulation copies it."};
    type.attr("__module__") = "orrery";
    type.def(py::init([](py::object positions, py::object velocities, py::object masses, double constant,
                         double softening, double dt, const std::string& integrator, double adaptive, double time,
                         const std::string& law, double sigma, double cut_off,
                         std::optional<std::vector<std::string>> names, std::optional<std::vector<std::string>> species,
                         py::object ids, py::object charges, const std::string& label, const std::string& encounters,
                         Numbers body_density, Numbers body_radius, Numbers restitution) {
                 return scene_from_arrays({std::move(positions), std::move(velocities), std::move(masses),
                                           std::move(charges), std::move(ids), std::move(names), std::move(species)},
                                          constant, time, label,
                                          {.softening = softening,
                                           .dt = dt,
                                           .sigma = sigma,
                                           .cut_off = cut_off,
                                           .adaptive = adaptive,
                                           .law = law,
                                           .integrator = integrator,
                                           .encounters = encounters,
                                           .body_density = body_density,
                                           .body_radius = body_radius,
                                           .restitution = restitution});
             }),
             kOfArrays, "positions"_a, "velocities"_a = py::none(), "masses"_a = py::none(), py::kw_only(), "G"_a = 1.0,
             "softening"_a = 0.0, "dt"_a = 1e-3, "integrator"_a = "leapfrog", "adaptive"_a = 0.0, "time"_a = 0.0,
             "law"_a = "gravity", "sigma"_a = 0.0, "cut_off"_a = 0.0, "names"_a = py::none(), "species"_a = py::none(),
             "ids"_a = py::none(), "charges"_a = py::none(), "label"_a = "", "encounters"_a = "off",
             "body_density"_a = py::none(), "body_radius"_a = py::none(), "restitution"_a = py::none());
    bind_columns(type);
    bind_numbers(type);
    bind_words(type);
    module.def(
        "scene",
        [](const std::string& name, std::size_t bodies, std::uint64_t seed, Numbers softening, Numbers dt,
           std::optional<std::string> law, Numbers sigma, Numbers cut_off, std::optional<std::string> integrator,
           Numbers adaptive, std::optional<std::string> sites, std::optional<std::string> displacements,
           std::optional<std::string> encounters, Numbers body_density, Numbers body_radius, Numbers restitution) {
            return scene(
                name, bodies, seed,
                {softening, dt, sigma, cut_off, adaptive, std::move(law), std::move(integrator), std::move(sites),
                 std::move(displacements), std::move(encounters), body_density, body_radius, restitution});
        },
        "name"_a, py::kw_only(), "bodies"_a = 0, "seed"_a = 1, "softening"_a = py::none(), "dt"_a = py::none(),
        "law"_a = py::none(), "sigma"_a = py::none(), "cut_off"_a = py::none(), "integrator"_a = py::none(),
        "adaptive"_a = py::none(), "sites"_a = py::none(), "displacements"_a = py::none(), "encounters"_a = py::none(),
        "body_density"_a = py::none(), "body_radius"_a = py::none(), "restitution"_a = py::none(),
        "A preset or a shipped scene by its id, see presets() and scenes(). `bodies` 0: the default number; the same "
        "seed gives the same bodies. `sites` ('lattice' or 'glass') and `displacements` ('zeldovich' or '2lpt') apply "
        "to the preset zeldovich: the positions of bodies before displacement, and its order. None: as the scene "
        "recommends. Raises UsageError for an unknown id, for a number of bodies that is fixed, and for sites or "
        "displacements of a scene that has none.");
    module.def(
        "load",
        [](const std::filesystem::path& path, Numbers softening, Numbers dt, std::optional<std::string> law,
           Numbers sigma, Numbers cut_off, std::optional<std::string> integrator, Numbers adaptive,
           std::optional<std::string> encounters, Numbers body_density, Numbers body_radius, Numbers restitution,
           std::string fields) {
            return load(path, {softening,
                               dt,
                               sigma,
                               cut_off,
                               adaptive,
                               std::move(law),
                               std::move(integrator),
                               {},
                               {},
                               std::move(encounters),
                               body_density,
                               body_radius,
                               restitution,
                               std::move(fields)});
        },
        "path"_a, py::kw_only(), "softening"_a = py::none(), "dt"_a = py::none(), "law"_a = py::none(),
        "sigma"_a = py::none(), "cut_off"_a = py::none(), "integrator"_a = py::none(), "adaptive"_a = py::none(),
        "encounters"_a = py::none(), "body_density"_a = py::none(), "body_radius"_a = py::none(),
        "restitution"_a = py::none(), "fields"_a = "",
        "A snapshot, in the format found from its content, or a scene file NAME.toml. Raises UsageError with file, "
        "line or byte offset, what was expected and what was found; MachineError if it cannot be read. To continue "
        "from a checkpoint bit for bit: resume(). `fields`: names of fields() to load, separated by commas, for "
        "Scene.field().");
}

namespace {

/// Writes the bodies and a scene file with engine and view into this folder, for a window. Returns the file's path.
std::filesystem::path written(const Scene& scene, const EngineConfig& engine, bool engine_given, const Look& look,
                              const std::filesystem::path& folder) {
    const bool exact = format_for("bodies.orrery").why_not.empty();
    const std::filesystem::path bodies = folder / (exact ? "bodies.orrery" : "bodies.csv");
    write_snapshot(scene, bodies);
    SceneFile file{.title = scene.label};
    file.scene = {.source = bodies.string(),
                  .softening = scene.gravity.softening,
                  .dt = scene.dt,
                  .integrator = scene.integrator,
                  .adaptive = scene.adaptive};
    file.engine = engine, file.engine_given = engine_given;
    if (engine_given) file.backend = engine.backend;
    file.view = look.view;
    file.camera = look.camera;
    const std::filesystem::path path = folder / "window.toml";
    write_scene_file(file, path);
    return path;
}

}  // namespace

void bind_windows(py::module_& module) {
    constexpr const char* kDoc =
        "For orrery.Window: writes the scene that its program opens into this folder; returns the path.";
    module.def(
        "_write_window_scene",
        [](SharedSimulation& self, const std::filesystem::path& folder) {
            return self.between_steps([&](Simulation& own) {
                return written(present_scene(own), own.engine_config(), true, self.look(), folder);
            });
        },
        py::arg("bodies"), py::arg("folder"), kDoc);
    module.def(
        "_write_window_scene",
        [](const SceneValue& self, const std::filesystem::path& folder) {
            const Unlocked unlocked;
            require_sound(self.scene);
            return written(self.scene, self.engine, self.engine_given, self.look, folder);
        },
        py::arg("bodies"), py::arg("folder"), kDoc);
}

}  // namespace orrery::python
