// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>

#include "core/analysis/background.hpp"
#include "core/base/error.hpp"
#include "core/engines/menu.hpp"
#include "core/formats/formats.hpp"
#include "core/physics/pair_law.hpp"
#include "core/simulation/compatibility.hpp"
#include "python/shared_simulation.hpp"
#include "python/values.hpp"

namespace orrery::python {
namespace {

using Text = std::optional<std::string>;
using Type = py::class_<SharedSimulation, SimulationHandle>;

/// A getter of a property: `get` of the simulation, as short work.
template <class Get>
auto quick(Get get) {
    return [get](SharedSimulation& self) { return self.quickly(get); };
}

SimulationHandle begin(const SceneValue& from, Text engine, Text backend, Text precision, Text integrator,
                       std::optional<double> dt, const py::kwargs& settings) {
    const bool chosen = from.engine_given || engine || backend || precision || !settings.empty();
    EngineConfig config = engine_of(from.engine, from.engine_given,
                                    {std::move(engine), std::move(backend), std::move(precision), settings});
    const Unlocked unlocked;
    require_own_threads();
    mark_threads();
    Scene scene = from.scene;
    require_sound(scene);
    if (integrator) scene.integrator = *integrator;
    if (dt) scene.dt = *dt;
    if (!chosen && !scene.encounters.on())
        config = default_engine(config, scene.bodies.size(), scene.gravity.law, orrery::integrator(scene.integrator));
    require_resolved(scene, config.precision);
    Simulation simulation{std::move(scene), config};
    if (dt) simulation.set_dt(*dt);
    return std::make_shared<SharedSimulation>(std::move(simulation), from.look);
}

void set_engine(SharedSimulation& self, Text engine, Text backend, Text precision, const py::kwargs& settings) {
    const EngineConfig now = self.quickly([](Simulation& own) { return own.engine_config(); });
    EngineConfig base = now;
    if (engine && *engine != now.engine) {
        // Settings of one engine do not apply to another; the precision of the state is kept.
        base = default_engine_config();
        base.precision = now.precision, base.threads = now.threads;
        base.compensated = now.compensated, base.background = now.background;
        if (!backend && find_engine(*engine, now.backend)) backend = std::string{name(now.backend)};
    }
    const EngineConfig config =
        engine_of(base, true, {std::move(engine), std::move(backend), std::move(precision), settings});
    self.slowly([&](Simulation& own) {
        const bool narrower = of_state(config.precision) != of_state(own.engine_config().precision);
        if (narrower && !own.within_step()) require_resolved(present_scene(own), config.precision);
        own.set_engine(config);
    });
}

/// Ids of the bodies; empty if they have none. Encounters need ids, so bodies that can merge always have them.
const std::vector<std::uint64_t>& ids_of_bodies(const Simulation& own, Bodies& kept) {
    if (const auto labels = own.encounters().labels()) return labels->ids;
    kept = present_scene(own).bodies;
    return kept.ids;
}

py::object ids(SharedSimulation& self) {
    const std::vector<std::uint64_t> all = self.slowly([](Simulation& own) {
        Bodies kept;
        return ids_of_bodies(own, kept);
    });
    if (all.empty()) return py::none();
    return py::array_t<std::uint64_t>{static_cast<py::ssize_t>(all.size()), all.data()};
}

py::object encounters(SharedSimulation& self) {
    const auto [kind, log] = self.quickly([](Simulation& own) {
        return std::pair{own.scene().encounters.kind, own.encounters().log()};
    });
    const py::module_ values = py::module_::import("orrery._values");
    py::list last;
    for (const Encounter& each : log.last)
        last.append(values.attr("Encounter")(std::string{encounter_kind(each.kind).id}, each.step, each.time,
                                             each.first, each.second, each.mass_first, each.mass_second, each.speed,
                                             each.energy));
    const EncounterLedger& sum = log.ledger;
    return values.attr("Encounters")(std::string{encounter_kind(kind).id}, sum.merges, sum.bounces, sum.accretions,
                                     sum.energy, py::array_t<double>{3, &sum.angular_momentum.x}, std::move(last));
}

py::object energies(SharedSimulation& self) {
    struct Copy {
        Bodies bodies;
        Gravity gravity;
        EngineConfig by;
    };
    const Copy copy = self.between_steps([](Simulation& own) {
        const EngineConfig& engine = own.engine_config();
        Copy taken{own.system().bodies(), own.scene().gravity, {}};
        taken.by = watched_energy_engine(law_of(engine), own.scene().gravity.law, engine.backend, taken.bodies.size());
        taken.by.background = engine.background;
        taken.by.threads = engine.threads;
        return taken;
    });
    const Diagnostics found = [&] {
        const Unlocked unlocked;
        return diagnose(copy.bodies, copy.gravity, copy.by);
    }();
    const auto three = [](const Vec3d& v) { return py::array_t<double>{3, &v.x}; };
    return py::module_::import("orrery._values")
        .attr("Energies")(found.kinetic, found.potential, found.total(), three(found.momentum),
                          three(found.angular_momentum), found.mass, three(found.centre_of_mass));
}

py::object error(SharedSimulation& self, std::size_t samples) {
    if (samples == 0) usage_error("samples: must be 1 or more");
    const ForceError found = self.between_steps([&](Simulation& own) {
        evaluate_all(own);
        return own.system().force_error(own.scene().gravity, samples);
    });
    return py::module_::import("orrery._values")
        .attr("ForceError")(found.rms, found.median, found.p99, found.max, found.samples);
}

void bind_views(Type& type) {
    constexpr const char* kWhere =
        " A read-only view of the simulation's memory, without a copy: on the CPU a NumPy array, on "
        "CUDA a DeviceArray. It shows every later step; when the engine changes, it keeps the bodies at that time.";
    const auto view = [&](const char* name, View which, const char* doc) {
        type.def_property_readonly(
            name, [which](SharedSimulation& self) { return view_of(self, which); },
            (std::string{doc} + kWhere).c_str());
    };
    view("positions", View::kPositions,
         "Positions, of shape (N, 3), float32, or float64 in mixed and double precision.");
    view("velocities", View::kVelocities, "Velocities, of shape (N, 3), in lengths per unit of time.");
    view("masses", View::kMasses, "Masses, of shape (N,).");
    view("accelerations", View::kAccelerations,
         "Accelerations at these positions, of shape (N, 3), computed if necessary. After later steps "
         "the view contains those of the last evaluation, which may be of positions before the last drift.");
}

void bind_steps(Type& type) {
    using namespace py::literals;
    constexpr const char* kCallback =
        " `callback(simulation)` is called after every `every` steps: it may read, change or step the simulation, and "
        "its exceptions are passed on; if it returns False, the run ends. The GIL is released during steps; Ctrl + C "
        "raises KeyboardInterrupt after the current step, or within 20 ms for shorter ones. Raises MachineError with "
        "body and step if a state is no longer finite.";
    type.def(
        "step",
        [](const py::object& self, std::int64_t n, const py::object& callback, std::uint64_t every) {
            if (n < 0) usage_error(fmt::format("n {}: must be 0 or more; `reversed` takes steps backward", n));
            return run(self, self.cast<SharedSimulation&>(), {.most = static_cast<std::uint64_t>(n)}, callback, every);
        },
        "n"_a = 1, py::kw_only(), "callback"_a = py::none(), "every"_a = 1,
        (std::string{"Takes n steps of dt. Returns the number of steps."} + kCallback).c_str());
    type.def(
        "run_until",
        [](const py::object& self, double time, const py::object& callback, std::uint64_t every, bool exact) {
            return run(self, self.cast<SharedSimulation&>(), {.until = time, .exact = exact}, callback, every);
        },
        "time"_a, py::kw_only(), "callback"_a = py::none(), "every"_a = 1, "exact"_a = false,
        (std::string{"Takes whole steps until this time is reached, in the scene's unit: the same ones as `orrery run "
                     "--until`. With `exact` the last one is shortened to end there. Returns the number of steps."} +
         kCallback)
            .c_str());
    type.def_property_readonly("time", &SharedSimulation::time, "Time after the last step, in the scene's unit.")
        .def_property_readonly("steps", &SharedSimulation::steps, "Steps taken, minus those taken backward.")
        .def_property(
            "dt", quick([](Simulation& own) { return own.scene().dt; }),
            [](SharedSimulation& self, double dt) { self.quickly([&](Simulation& own) { own.set_dt(dt); }); },
            "Length of a step, in the scene's unit of time; of adaptive steps, the maximum.")
        .def_property(
            "reversed", quick([](Simulation& own) { return own.now().reversed; }),
            [](SharedSimulation& self, bool on) { self.quickly([&](Simulation& own) { own.set_reversed(on); }); },
            "True: time runs backward from the next step on.")
        .def_property(
            "adaptive", quick([](Simulation& own) { return own.scene().adaptive; }),
            [](SharedSimulation& self, double eta) {
                self.slowly([&](Simulation& own) { own.set_integrator(own.scene().integrator, eta); });
            },
            "η of adaptive steps; 0: all steps are dt.")
        .def_property(
            "integrator", quick([](Simulation& own) { return own.scene().integrator; }),
            [](SharedSimulation& self, const std::string& id) {
                self.slowly([&](Simulation& own) { own.set_integrator(id); });
            },
            "How a step is composed: an id of integrators().");
}

template <auto Member>
void gravity_number(Type& type, const char* name, const char* doc) {
    type.def_property(
        name, quick([](Simulation& own) { return own.scene().gravity.*Member; }),
        [](SharedSimulation& self, double number) {
            self.slowly([&](Simulation& own) {
                Gravity gravity = own.scene().gravity;
                gravity.*Member = number;
                own.set_gravity(gravity);
            });
        },
        doc);
}

void bind_engine(Type& type) {
    using namespace py::literals;
    type.def_property_readonly("ids", ids,
                               "Ids, uint64 of shape (N,), a copy; None if bodies have none. They stay with their "
                               "bodies when mergers, add() and remove() change indices.")
        .def(
            "field",
            [](SharedSimulation& self, const std::string& name) {
                const auto fields = self.slowly([](Simulation& own) { return own.system().labels().fields; });
                return field_of(fields, name);
            },
            "name"_a, "Values of a field of the scene's file, as Scene.field(); they stay with their bodies.")
        .def_property_readonly("encounters", encounters,
                               "Encounters of bodies so far: an Encounters, with the last 256 in `last`.");
    gravity_number<&Gravity::constant>(type, "G", "The gravitational constant, in the scene's units.");
    gravity_number<&Gravity::softening>(type, "softening", "Softening length ε, 0 or more.");
    type.def_property_readonly("law",
                               quick([](Simulation& own) { return std::string{pair_law(own.scene().gravity.law).id}; }),
                               "Force of a pair: an id of laws().")
        .def("set_engine", set_engine, "engine"_a = py::none(), py::kw_only(), "backend"_a = py::none(),
             "precision"_a = py::none(),
             "Selects another engine, or other settings of this one, from the next step on; bodies and time remain. "
             "Settings as in Simulation(). For another engine, settings that are not given have its defaults; for the "
             "same one they remain, and None restores the default. Raises as Simulation() does, leaving the simulation "
             "unchanged. Earlier views keep the current bodies.")
        .def_property_readonly("engine", quick([](Simulation& own) { return own.engine_config().engine; }),
                               "Id of the engine, see engines().")
        .def_property_readonly("backend",
                               quick([](Simulation& own) { return std::string{name(own.engine_config().backend)}; }),
                               "'cpu' or 'cuda'.")
        .def_property_readonly("precision",
                               quick([](Simulation& own) { return std::string{name(own.engine_config().precision)}; }),
                               "'single', 'mixed' or 'double'.")
        .def_property_readonly(
            "settings",
            [](SharedSimulation& self) {
                return described(self.quickly([](Simulation& own) { return own.engine_config(); }));
            },
            "All settings of the engine, a dict by id.")
        .def_property_readonly("force_seconds", quick([](Simulation& own) { return own.forces().last_seconds(); }),
                               "Duration of the last evaluation of all forces in seconds; 0: there was none.")
        .def(
            "energies", energies,
            "Kinetic, potential and total energy, momentum, angular momentum about the origin, mass and centre of "
            "mass, in the scene's units: an Energies. Computed in double: by all pairs up to 65 536 bodies (524 288 on "
            "CUDA), beyond that by a tree with a relative error of about 1e-5.")
        .def("drift", drift,
             "Errors of energy and momentum since the first step (with more than 1024 bodies: since the first call), "
             "without what encounters removed: a Drift. With up to 64 bodies, step() and run_until() issue a "
             "RuntimeWarning if 100 steps or more have changed the energy by 1 %.")
        .def("error", error, "samples"_a = 512,
             "Error of the accelerations at these positions against all pairs in double, for a sample of so many "
             "bodies: a ForceError.");
}

void bind_files(Type& type) {
    using namespace py::literals;
    type.def(
            "scene",
            [](SharedSimulation& self) {
                auto value = std::make_shared<SceneValue>();
                self.between_steps([&](Simulation& own) {
                    value->scene = present_scene(own);
                    value->engine = own.engine_config();
                    value->engine_given = true;
                });
                value->look = self.look();
                return value;
            },
            "The current bodies with time, force, step and engine: a Scene, an independent copy.")
        .def(
            "save",
            [](SharedSimulation& self, const std::filesystem::path& path) {
                self.between_steps([&](Simulation& own) { write_snapshot(present_scene(own), path); });
            },
            "path"_a,
            "Writes a snapshot of the current state, completely or not at all; the extension chooses the format, see "
            "formats(). Raises UsageError for an unknown extension, MachineError if it cannot be written.")
        .def(
            "checkpoint",
            [](SharedSimulation& self, const std::filesystem::path& path) {
                self.between_steps([&](Simulation& own) { write_checkpoint(checkpoint_of(own, {}), path); });
            },
            "path"_a,
            "Writes everything that determines the following steps, for resume() and `orrery run --resume`; completely "
            "or not at all. Raises MachineError if it cannot be written, or in a build without HDF5.")
        .def(
            "copy",
            [](SharedSimulation& self) {
                return self.between_steps([&](Simulation& own) {
                    Checkpoint now = checkpoint_of(own, {});
                    now.scene.bodies = own.system().bodies();
                    return std::make_shared<SharedSimulation>(resume(std::move(now)), self.look());
                });
            },
            "An independent simulation that continues from here, bit for bit.")
        .def("close", &SharedSimulation::close,
             "Frees the memory, except for existing views. Afterwards other calls raise UsageError; a second close() "
             "does nothing.")
        .def_property_readonly("closed", &SharedSimulation::closed, "True after close().")
        .def("__enter__", [](py::object self) { return self; })
        .def("__exit__", [](SharedSimulation& self, const py::args&) { self.close(); })
        .def("__len__", &SharedSimulation::count)
        .def("__repr__",
             [](SharedSimulation& self) {
                 if (self.closed()) return std::string{"<orrery.Simulation, closed>"};
                 return self.quickly([](Simulation& own) {
                     const EngineConfig& engine = own.engine_config();
                     return fmt::format("<orrery.Simulation '{}': {} bodies, t = {:g} after {} steps, {} on {}, {}>",
                                        own.scene().label, own.system().count(), own.now().time, own.now().steps,
                                        engine.engine, name(engine.backend), name(engine.precision));
                 });
             })
        .def(py::pickle([](SharedSimulation& self) { return state_of(self); },
                        [](const py::dict& state) { return simulation_of_state(state); }));
}

}  // namespace

void bind_simulation(py::module_& module) {
    using namespace py::literals;
    Type type{
        module, "Simulation",
        "Moving bodies: a scene with an engine and an integrator. Bodies move only during calls. It may be used from "
        "any thread; calls from several threads are serialised, without holding the GIL. A `with` block closes it."};
    type.attr("__module__") = "orrery";
    type.def(
        py::init(&begin), "scene"_a, "engine"_a = py::none(), py::kw_only(), "backend"_a = py::none(),
        "precision"_a = py::none(), "integrator"_a = py::none(), "dt"_a = py::none(),
        "Simulates a copy of the scene's bodies with this engine.\n\n"
        "engine: an id of engines(); None: that of the scene file, or 'direct'.\n"
        "backend: 'cpu', 'cuda' or 'gl'; None: the engine's best one on this machine.\n"
        "precision: 'single', 'mixed' or 'double'; None: as the scene recommends.\n"
        "integrator: an id of integrators(), dt: the length of a step; None: as the scene recommends.\n"
        "Other keywords are settings of the engine, see settings(): theta, accuracy, map, threads …\n\n"
        "Defaults are those of `orrery run`, so the steps have the same bits. Raises UsageError (a ValueError) for "
        "unknown or incompatible values, TypeError for an unknown keyword, MachineError (a RuntimeError) for an "
        "engine that cannot run here, or too little memory.");
    bind_views(type);
    bind_edits(type);
    bind_steps(type);
    bind_engine(type);
    bind_files(type);
    module.def(
        "resume",
        [](const std::filesystem::path& path) {
            const Unlocked unlocked;
            require_own_threads();
            mark_threads();
            return std::make_shared<SharedSimulation>(resume(read_run(path)), Look{});
        },
        "path"_a,
        "A simulation that continues from a checkpoint, bit for bit: of Simulation.checkpoint(), of `orrery run "
        "--checkpoint`, or of the window. Raises UsageError if the file is not a valid checkpoint.");
}

}  // namespace orrery::python
