// SPDX-License-Identifier: MIT
#include "core/simulation/conservation.hpp"

#include "core/analysis/background.hpp"
#include "core/engines/menu.hpp"
#include "python/shared_simulation.hpp"

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

}  // namespace

void remember_start(SharedSimulation& self) {
    self.slowly([&](Simulation& own) {
        if (own.within_step() || own.system().count() > kFew) return;
        if (!self.start || !begins_there(*self.start, own)) self.start.reset(), since_start(self, own);
    });
}

Conservation conservation_of(SharedSimulation& self) {
    return self.slowly([&](Simulation& own) {
        require_between_steps(own);
        return since_start(self, own);
    });
}

void warn_of_drift(SharedSimulation& self, std::uint64_t steps) {
    if (steps < kManySteps || self.count() > kVeryFew) return;
    const std::string warning = self.slowly([&](Simulation& own) {
        return own.within_step() ? std::string{} : warning_of(since_start(self, own), own.scene().adaptive);
    });
    if (!warning.empty() && PyErr_WarnEx(PyExc_RuntimeWarning, warning.c_str(), 1) != 0) throw py::error_already_set{};
}

py::object drift(SharedSimulation& self) {
    const Conservation found = conservation_of(self);
    return py::module_::import("orrery._values").attr("Drift")(found.energy, found.momentum, found.kept);
}

}  // namespace orrery::python
