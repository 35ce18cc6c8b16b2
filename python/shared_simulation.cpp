// SPDX-License-Identifier: MIT
#include "python/shared_simulation.hpp"

#include <fmt/format.h>

#include <chrono>

#include "core/analysis/background.hpp"
#include "core/base/error.hpp"
#include "core/engines/choices.hpp"
#include "core/engines/menu.hpp"
#include "core/simulation/conservation.hpp"
#include "python/values.hpp"

namespace orrery::python {
namespace {

// Limits that keep the energies before the first step within a few milliseconds, and those after 100 steps negligible.
constexpr std::size_t kFew = 1024, kVeryFew = 64;
constexpr std::uint64_t kManySteps = 100;

Diagnostics energies_of(const Simulation& simulation) {
    const EngineConfig& engine = simulation.engine_config();
    const std::size_t count = simulation.system().count();
    EngineConfig by = watched_energy_engine(law_of(engine), simulation.scene().gravity.law, engine.backend, count);
    by.background = engine.background;
    by.threads = count <= kVeryFew ? 1 : engine.threads;
    return diagnose(simulation.system().bodies(), simulation.scene().gravity, by);
}

/// A change of the bodies or of the force by the caller is a new start.
bool begins_there(const SharedSimulation::Start& start, const Simulation& simulation) {
    const bool met = simulation.encounters().log().ledger.count() != start.met.count();
    return start.gravity == simulation.scene().gravity && start.law == law_of(simulation.engine_config()) &&
           (start.count == simulation.system().count() || met);
}

Conservation since_start(SharedSimulation& self, const Simulation& simulation) {
    if (self.start && !begins_there(*self.start, simulation)) self.start.reset();
    const Diagnostics now = energies_of(simulation);
    const EncounterLedger& met = simulation.encounters().log().ledger;
    if (!self.start)
        self.start.emplace(now, met, simulation.scene().gravity, law_of(simulation.engine_config()),
                           simulation.system().count());
    return conserved(self.start->energies, now, taken_between(self.start->met, met));
}

struct Seen {
    std::shared_ptr<const BodySystem> owner;
    BodyColumns columns;
};

Seen look_at(Simulation& simulation) {
    require_between_steps(simulation);
    simulation.system().wait();
    const auto columns = simulation.system().columns();
    if (!columns)
        usage_error(simulation.engine_config().backend == Backend::kGl
                        ? "bodies on gl have no arrays in place; read copies of them, or use another backend"
                        : "these bodies are distributed over several memories");
    return {simulation.system().shared_from_this(), *columns};
}

py::object array_at(const Seen& seen, View which) {
    const BodyColumns& at = seen.columns;
    const bool masses = which == View::kMasses;
    const std::size_t column = which == View::kVelocities ? 1 : which == View::kAccelerations ? 2 : 0;
    const void* const rows = column == 0 ? at.position_mass : column == 1 ? at.velocity : at.acceleration;
    if (at.backend == Backend::kCpu)
        return view_of(rows, at.count, at.precision, masses ? Part::kW : Part::kXyz, seen.owner, false);
    const std::size_t offset = masses ? 3 * (at.precision == Precision::kSingle ? sizeof(float) : sizeof(double)) : 0;
    return py::cast(DeviceArray{.data = static_cast<const std::byte*>(rows) + offset,
                                .count = at.count,
                                .precision = at.precision,
                                .rows = !masses,
                                .owner = seen.owner,
                                .column = column});
}

}  // namespace

void SharedSimulation::require_open() const {
    if (!simulation_) usage_error("this simulation is closed");
}

void evaluate_all(Simulation& simulation) {
    while (!simulation.evaluate(std::chrono::hours{1})) {
    }
}

void require_between_steps(const Simulation& simulation) {
    if (simulation.within_step())
        usage_error("the last step failed halfway; set the engine again, or restore a checkpoint");
}

void remember_start(SharedSimulation& self) {
    self.slowly([&](Simulation& own) {
        if (own.within_step() || own.system().count() > kFew) return;
        if (!self.start || !begins_there(*self.start, own)) self.start.reset(), since_start(self, own);
    });
}

Conservation conservation_of(SharedSimulation& self) {
    return self.between_steps([&](Simulation& own) { return since_start(self, own); });
}

void warn_of_drift(SharedSimulation& self, std::uint64_t steps) {
    if (steps < kManySteps || self.count() > kVeryFew) return;
    const std::string warning = self.slowly([&](Simulation& own) {
        return own.within_step() || has_own_law(own.engine_config())
                   ? std::string{}
                   : warning_of(since_start(self, own), own.scene().adaptive);
    });
    if (!warning.empty() && PyErr_WarnEx(PyExc_RuntimeWarning, warning.c_str(), 1) != 0) throw py::error_already_set{};
}

py::object drift(SharedSimulation& self) {
    const Conservation found = conservation_of(self);
    return py::module_::import("orrery._values").attr("Drift")(found.energy, found.momentum, found.kept);
}

/// Views are made once for each system, whose memory does not move.
py::object view_of(SharedSimulation& simulation, View which) {
    const Seen seen = which == View::kAccelerations ? simulation.between_steps([](Simulation& own) {
        evaluate_all(own);
        return look_at(own);
    })
                                                    : simulation.quickly(look_at);
    if (simulation.viewed != seen.owner.get()) {
        for (py::object& view : simulation.views) view = {};
        simulation.viewed = seen.owner.get();
    }
    py::object& view = simulation.views[static_cast<std::size_t>(which)];
    if (!view) view = array_at(seen, which);
    return view;
}

}  // namespace orrery::python
