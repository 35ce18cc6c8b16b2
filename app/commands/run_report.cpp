// SPDX-License-Identifier: MIT
#include "app/commands/run_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/terminal.hpp"
#include "core/engines/choices.hpp"
#include "core/physics/gravity.hpp"
#include "core/physics/units.hpp"

namespace orrery {
namespace {

double pairs_per_second(const RunReport& report, Simulation& simulation) {
    const double count = static_cast<double>(simulation.system().count());
    return report.force_median() > 0 ? count * count / report.force_median() : 0;
}

/// Mean number of force evaluations of a body per step, over the steps of this process.
double forces_of_a_body(const RunReport& report, Simulation& simulation) {
    return static_cast<double>(simulation.forces().body_forces()) /
           (static_cast<double>(report.taken) * static_cast<double>(simulation.system().count()));
}

std::string structure_text(const RunReport& report) {
    const Structure& s = *report.structure;
    const auto half = static_cast<std::size_t>(std::ranges::find(kMassFractions, 0.5) - kMassFractions.begin());
    std::string text = fmt::format("structure half the mass within {:.5g} of ({:.4g}, {:.4g}, {:.4g})",
                                   s.lagrangian_radii[half], s.centre.x, s.centre.y, s.centre.z);
    if (s.closest)
        text += fmt::format(", closest pair {} and {}, {:.4g} apart", s.closest->first, s.closest->second,
                            s.closest->distance);
    return text + fmt::format("; computed in {:.3g} ms\n", 1e3 * report.structure_seconds);
}

/// Number of encounters, and the energy, momentum and mass that they removed.
std::string encounters_text(const EncounterLedger& met) {
    std::string text = "encounters";
    for (const auto& [count, what] :
         {std::pair{met.merges, "merges"}, {met.bounces, "bounces"}, {met.accretions, "accretions"}})
        if (count > 0) text += fmt::format("{} {} {}", text.back() == 's' && text.size() == 10 ? "" : ",", count, what);
    if (met.count() == 0) text += " none";
    text += fmt::format("; they removed E = {:.6g}, L = ({:.4g}, {:.4g}, {:.4g})", met.energy, met.angular_momentum.x,
                        met.angular_momentum.y, met.angular_momentum.z);
    if (met.mass != 0) text += fmt::format(", and rounding a mass of {:.2g}", met.mass);
    return text + "\n";
}

}  // namespace

std::string_view name(RunEnd end) {
    return end == RunEnd::kComplete ? "complete" : end == RunEnd::kInterrupted ? "interrupted" : "wall-time";
}

void RunReport::add_steps(std::uint64_t more, double in_seconds, double force) {
    seconds += in_seconds;
    taken += more;
    if (force_seconds.size() < kRecent)
        force_seconds.push_back(force);
    else
        force_seconds[timed % kRecent] = force;
    ++timed;
}

double RunReport::force_median() const {
    if (force_seconds.empty()) return 0;
    std::vector<double> sorted = force_seconds;
    std::ranges::sort(sorted);
    return sorted[sorted.size() / 2];
}

std::string clock_of(const Simulation& simulation) {
    const Scene& scene = simulation.scene();
    return scene.days_per_time > 0 || scene.scale_factor > 0
               ? named_clock_text(simulation.now().time, scene.days_per_time, scene.scale_factor)
               : fmt::format("t = {:g}", simulation.now().time);
}

std::string text_of(const RunReport& report, Simulation& simulation) {
    const EngineConfig& engine = simulation.engine_config();
    const std::string choice = simulation.engine_choice();
    std::string text =
        fmt::format("{}: {} bodies, {} step{} of {:g}, now at {}\n", simulation.scene().id, simulation.system().count(),
                    report.steps, report.steps == 1 ? "" : "s", simulation.scene().dt, clock_of(simulation));
    text += fmt::format("engine    {} on {}, {} precision{}\n", engine.engine, name(engine.backend),
                        name(engine.precision), choice.empty() ? "" : " (" + choice + ")");
    if (report.taken > 0)
        text += fmt::format("speed     {} steps/s, force {:.3g} ms (median), {} pairs/s\n",
                            with_prefix(report.steps_per_second()), 1e3 * report.force_median(),
                            with_prefix(pairs_per_second(report, simulation)));
    if (const auto ladder = orrery::ladder(simulation); !ladder.empty() && report.taken > 0)
        text += fmt::format("ladder    {} bodies at dt, dt/2, dt/4 …; {:.4g} forces of a body in a step\n",
                            fmt::join(ladder, ", "), forces_of_a_body(report, simulation));
    if (const double requested = simulation.system().accuracy_to_keep(); requested > 0)
        text += fmt::format("accuracy  {}\n", accuracy_text(simulation.forces().acceptance(), engine, requested));
    if (report.first && report.last) {
        const Conservation found = report.conservation();
        text += report.own_law ? std::string{"energy    unknown: the kernel has its own law\n"}
                               : fmt::format("energy    |ΔE/E| = {:.2e} (E = {:.9g}, initially {:.9g})\n",
                                             std::abs(found.energy), report.last->total(), report.first->total());
        text += fmt::format("momentum  |ΔP| / Σ m|v| = {:.2e}\n", found.momentum);
        if (!report.energy_by.empty() && !report.own_law) text += fmt::format("          W by {}\n", report.energy_by);
    }
    if (simulation.scene().encounters.on() || simulation.encounters().log().ledger.count() > 0)
        text += encounters_text(simulation.encounters().log().ledger);
    if (report.structure) text += structure_text(report);
    return text;
}

std::string json_of(const RunReport& report, Simulation& simulation, RunEnd end) {
    const EngineConfig& engine = simulation.engine_config();
    nlohmann::ordered_json json{{"scene", simulation.scene().id},
                                {"engine", engine.engine},
                                {"backend", name(engine.backend)},
                                {"map", map_in_force(engine)},
                                {"root", root_in_force(engine)},
                                {"precision", name(engine.precision)},
                                {"bodies", simulation.system().count()},
                                {"steps", report.steps},
                                {"ended", name(end)},
                                {"dt", simulation.scene().dt},
                                {"time", simulation.now().time},
                                {"snapshots", report.snapshots},
                                {"steps_per_second", report.steps_per_second()},
                                {"force_ms", 1e3 * report.force_median()},
                                {"pairs_per_second", pairs_per_second(report, simulation)},
                                {"gflops", gflops(pairs_per_second(report, simulation))},
                                {"energy", nullptr},
                                {"energy_drift", nullptr},
                                {"momentum_drift", nullptr},
                                {"warning", nullptr}};
    if (const auto ladder = orrery::ladder(simulation); !ladder.empty())
        json["ladder"] = {{"bodies", ladder}, {"forces", simulation.forces().body_forces()}};
    if (const double requested = simulation.system().accuracy_to_keep(); requested > 0) {
        const Acceptance& acceptance = simulation.forces().acceptance();
        json["accuracy"] = {{"asked", requested}, {"measured", nullptr}, {"acceptance", acceptance.factor}};
        if (acceptance.measured()) json["accuracy"]["measured"] = acceptance.error;
    }
    if (report.first && report.last) {
        const Conservation found = report.conservation();
        if (!report.own_law) json["energy"] = report.last->total(), json["energy_drift"] = std::abs(found.energy);
        json["momentum_drift"] = found.momentum;
        if (const std::string warning = report.warning(simulation.scene().adaptive); !warning.empty())
            json["warning"] = warning;
    }
    if (const EncounterLedger& met = simulation.encounters().log().ledger;
        simulation.scene().encounters.on() || met.count() > 0)
        json["encounters"] = {
            {"merges", met.merges},
            {"bounces", met.bounces},
            {"accretions", met.accretions},
            {"energy", met.energy},
            {"angular_momentum", {met.angular_momentum.x, met.angular_momentum.y, met.angular_momentum.z}},
            {"mass", met.mass},
            {"momentum", {met.momentum.x, met.momentum.y, met.momentum.z}}};
    if (report.structure) {
        const Structure& s = *report.structure;
        json["lagrangian_fractions"] = kMassFractions;
        json["lagrangian_radii"] = s.lagrangian_radii;
        json["dense_centre"] = {s.centre.x, s.centre.y, s.centre.z};
        json["mass_centre"] = {s.motion.centre_of_mass.x, s.motion.centre_of_mass.y, s.motion.centre_of_mass.z};
        if (s.closest) json["closest_pair"] = {s.closest->first, s.closest->second, s.closest->distance};
        json["structure_ms"] = 1e3 * report.structure_seconds;
    }
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace orrery
