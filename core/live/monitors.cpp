// SPDX-License-Identifier: MIT
#include "core/live/monitors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/analyses.hpp"
#include "core/base/clock.hpp"
#include "core/base/memory.hpp"
#include "core/engines/choices.hpp"
#include "core/engines/menu.hpp"
#include "core/physics/law.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::size_t kTripletLimitCpu = 1024, kTripletLimitCuda = 8192;  // N³/6 triplets: about the same time
// Time between two energies in units of the time one takes: at least kEnergyWatchShare, but down to kLeastEnergyShare
// if that would be more than kOldEnergy.
constexpr double kEnergyWatchShare = 20, kLeastEnergyShare = 4;
constexpr Seconds kOldEnergy{10};
// Upper bounds of the memory per body: the copy, its double version, keys and curve positions; values, cells of groups.
constexpr std::uint64_t kStructureBytes = 240, kAnalysisBytes = 300, kErrorBytes = 400;

constexpr Seconds kErrorPeriod{2};
constexpr Seconds kReportPeriod{0.25};  // a device's report waits for its events
constexpr Seconds kCellsPeriod{0.1};
/// Time between two measurements on the host (force errors and cells), in units of the time one takes.
constexpr double kMeasureShare = 20;

std::size_t triplet_limit(Backend backend) { return backend == Backend::kCuda ? kTripletLimitCuda : kTripletLimitCpu; }

double seconds_since(Clock::time_point start) { return Seconds{Clock::now() - start}.count(); }

Clock::time_point after(Clock::time_point from, Seconds gap) {
    return from + std::chrono::duration_cast<Clock::duration>(gap);
}

bool all_finite(const Bodies& bodies) {
    const auto finite = [](const auto& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); };
    return std::ranges::all_of(bodies.position_mass, finite) && std::ranges::all_of(bodies.velocity, finite);
}

/// "…: `what` needs … GB", or empty if this many bytes per body take less than half of the free memory.
std::string lack_of_memory(const Simulation& simulation, std::uint64_t bytes_per_body, std::string_view what) {
    const std::uint64_t needed = bytes_per_body * simulation.system().count(), free = available_memory();
    if (free == 0 || needed < free / 2) return {};
    return fmt::format("{} needs {:.1f} GB, more than half of the {:.1f} GB of free memory", what,
                       1e-9 * static_cast<double>(needed), 1e-9 * static_cast<double>(free));
}

/// The parts of a scene that plots need besides the state of the bodies.
Scene labels_of(const Simulation& simulation) {
    const Scene& scene = simulation.scene();
    Scene labels;
    labels.id = scene.id, labels.label = scene.label;
    labels.gravity = scene.gravity;
    labels.days_per_time = scene.days_per_time;
    labels.length_unit = scene.length_unit, labels.mass_unit = scene.mass_unit;
    labels.bodies.species = simulation.system().labels().species;
    labels.bodies.fields = simulation.system().labels().fields;
    return labels;
}

}  // namespace

bool MonitorSchedule::due(const Simulation& simulation, const Interpolation::Moment& snapshot) const {
    if (ended_ || Clock::now() < next_) return false;
    if (snapshot) return !requested_ || requested_->time != snapshot->time;
    return (!requested_ || requested_->moment != simulation.now().moment) && !simulation.within_step();
}

void MonitorSchedule::request(const Simulation& simulation, const Interpolation::Moment& snapshot) {
    requested_ = {simulation.now().moment, simulation.now().steps, snapshot ? snapshot->time : simulation.now().time,
                  Clock::now(), simulation.encounters().log().ledger};
}

Seconds EnergyMonitor::gap_after(Seconds one) {
    const Seconds usual = std::max(Seconds{1}, kEnergyWatchShare * one);
    return usual <= kOldEnergy ? usual : std::max(kOldEnergy, kLeastEnergyShare * one);
}

bool EnergyMonitor::watches(const Simulation& simulation) {
    return law_of(simulation.engine_config()) == Law::kPairs ||
           simulation.system().count() <= triplet_limit(best_backend());
}

void EnergyMonitor::restart(const Simulation& simulation, EnergyStatus& status) {
    energies_.cancel();
    schedule_.restart();
    status.start.reset();
    status.now.reset();
    status.note.clear();
    const Backend backend = best_backend();
    if (has_own_law(simulation.engine_config())) {
        schedule_.end();
        status.note = "The kernel has its own law, whose energy is not computed";
        return;
    }
    if (!watches(simulation)) {
        schedule_.end();
        status.note =
            fmt::format("energy is computed for up to {} bodies on {}", triplet_limit(backend), name(backend));
        return;
    }
    const EngineConfig by = watched_energy_engine(law_of(simulation.engine_config()), simulation.scene().gravity.law,
                                                  backend, simulation.system().count());
    if (by.engine == "tree")
        status.note = fmt::format("W by {}, θ = {}: accurate to about 1e-5", by.engine, by.tree.theta);
}

void EnergyMonitor::collect(EnergyStatus& status) {
    const auto result = energies_.take();
    if (!result) return;
    const MonitorSchedule::Requested& requested = schedule_.requested();
    if (result->failure.empty()) {
        status.now = result->diagnostics;
        status.time = requested.time, status.step = requested.step, status.taken = requested.at;
        status.seconds = result->seconds;
        status.met = requested.ledger;
        if (!status.start) status.start = status.now, status.start_met = status.met;
    } else {
        status.note = result->failure;
        if (!status.now) schedule_.repeat();
    }
    schedule_.rest_until(after(Clock::now(), gap_after(Seconds{result->seconds})));
}

void EnergyMonitor::take(const Simulation& simulation, const Interpolation::Moment& snapshot, EnergyStatus& status) {
    if (schedule_.ended()) return;
    collect(status);
    if (!schedule_.due(simulation, snapshot) || energies_.busy()) return;
    schedule_.request(simulation, snapshot);
    const Bodies& labels = simulation.system().labels();
    const Law law = law_of(simulation.engine_config());
    std::shared_ptr<const BodyCopy> bodies =
        snapshot ? std::make_shared<HostCopy>(state_of(snapshot->bodies)) : simulation.system().copy();
    energies_.start(std::move(bodies), simulation.scene().gravity, best_backend(), 0, law, labels.charge);
}

StructureMonitor::StructureMonitor()
    : monitor_{[](const Job& job, const std::stop_token&) -> std::optional<Monitor<Job, Structure>::Result> {
          const double start = thread_cpu_seconds();
          Pool pool{0, true};
          const Bodies bodies = bodies_of(std::exchange(job.bodies, nullptr)->state());
          if (!all_finite(bodies)) return std::nullopt;  // the simulation reports the lost body
          auto structure = std::make_shared<const Structure>(structure_of(pool, bodies));
          return {{std::move(structure), thread_cpu_seconds() - start, {}}};
      }} {}

void StructureMonitor::restart(const Simulation& simulation, StructureStatus& status) {
    monitor_.restart();
    status = {.serial = status.serial};
    status.note = lack_of_memory(simulation, kStructureBytes, "structure is not analysed: it");
    if (!status.note.empty()) monitor_.schedule.end();
}

void StructureMonitor::collect(StructureStatus& status) {
    const auto result = monitor_.collect();
    if (!result) return;
    if (!result->value) {
        status.note = result->failure;
        return;
    }
    const MonitorSchedule::Requested& requested = monitor_.schedule.requested();
    status.now = result->value;
    status.time = requested.time, status.step = requested.step, status.taken = requested.at;
    status.met = requested.ledger;
    if (!status.start) status.start = status.now, status.start_time = status.time, status.start_met = status.met;
    ++status.serial;
    status.seconds = copy_seconds_ + result->seconds;
    status.period = std::max(kPeriod, kShare * status.seconds);
    monitor_.schedule.rest_since_request(Seconds{status.period});
}

void StructureMonitor::take(const Simulation& simulation, const Interpolation::Moment& snapshot,
                            StructureStatus& status) {
    if (monitor_.schedule.ended()) return;
    collect(status);
    if (!monitor_.due(simulation, snapshot)) return;
    const auto start = Clock::now();
    std::shared_ptr<const BodyCopy> bodies =
        snapshot ? std::make_shared<const HostCopy>(state_of(snapshot->bodies)) : simulation.system().copy();
    copy_seconds_ = seconds_since(start);
    monitor_.schedule.request(simulation, snapshot);
    monitor_.start({std::move(bodies)});
}

AnalysisMonitor::AnalysisMonitor()
    : monitor_{[](const Job& job, const std::stop_token& stop) -> std::optional<Monitor<Job, AnalysisResult>::Result> {
          const auto start = Clock::now();
          Pool pool{0, true};
          Scene scene = std::move(job.scene);
          std::vector<Species> species = std::move(scene.bodies.species);
          scene.bodies = bodies_of(std::exchange(job.bodies, nullptr)->state());
          if (species.size() == scene.bodies.size()) scene.bodies.species = std::move(species);
          auto made = std::make_shared<const AnalysisResult>(analyse(pool, scene, job.settings, stop));
          if (stop.stop_requested()) return std::nullopt;
          return {{std::move(made), seconds_since(start), {}}};
      }} {}

void AnalysisMonitor::want(std::shared_ptr<const AnalysisSettings> settings, AnalysisStatus& status) {
    wanted_ = std::move(settings);
    monitor_.restart();
    status.note.clear();
    if (!wanted_) status.now.reset();
}

void AnalysisMonitor::restart(AnalysisStatus& status) {
    want(std::move(wanted_), status);
    status.now.reset();
}

void AnalysisMonitor::collect(AnalysisStatus& status) {
    auto result = monitor_.collect();
    if (!result) return;
    const MonitorSchedule::Requested& requested = monitor_.schedule.requested();
    ++status.serial;
    status.settings = *wanted_;
    status.now = std::move(result->value);
    status.note = std::move(result->failure);
    status.time = requested.time, status.step = requested.step;
    status.seconds = result->seconds;
    monitor_.schedule.rest_since_request(Seconds{std::max(kPeriod, kShare * status.seconds)});
}

void AnalysisMonitor::take(const Simulation& simulation, AnalysisStatus& status) {
    if (!wanted_) return;
    collect(status);
    if (!monitor_.due(simulation, nullptr)) return;
    if (std::string lack = lack_of_memory(simulation, kAnalysisBytes, "a plot of these bodies"); !lack.empty()) {
        status.note = std::move(lack);
        return monitor_.schedule.end();
    }
    monitor_.schedule.request(simulation, nullptr);
    monitor_.start({simulation.system().copy(), labels_of(simulation), *wanted_});
}

void StateMonitors::restart(const Simulation& simulation, Status& status) {
    energy_.restart(simulation, status.energy);
    structure_.restart(simulation, status.structure);
    analysis_.restart(status.analysis);
}

void StateMonitors::rest_until(Clock::time_point then) {
    energy_.rest_until(then), structure_.rest_until(then), analysis_.rest_until(then);
}

void StateMonitors::want_analysis(std::shared_ptr<const AnalysisSettings> settings, Status& status) {
    analysis_.want(std::move(settings), status.analysis);
}

void StateMonitors::take(const Simulation& simulation, const Interpolation::Moment& snapshot, Status& status) {
    energy_.take(simulation, snapshot, status.energy);
    structure_.take(simulation, snapshot, status.structure);
    analysis_.take(simulation, status.analysis);
}

void ForceMonitor::forget(Status& status) {
    status.force.error.reset();
    status.force.net.reset();
    status.engine.report = {};
    times_.clear();
    cells_.reset();
    next_error_ = next_report_ = next_cells_ = Clock::now();
}

void ForceMonitor::evaluated(const Simulation& simulation) { times_.add(simulation.forces().last_seconds()); }

void ForceMonitor::take(const Simulation& simulation, Status& status) {
    const auto now = Clock::now();
    if (now >= next_report_) take_report(simulation, status);
    if (now >= next_error_ && simulation.forces().fresh()) measure(simulation, status);
}

void ForceMonitor::take_report(const Simulation& simulation, Status& status) {
    status.engine.report = simulation.system().engine_report();
    next_report_ = after(Clock::now(), kReportPeriod);
}

void ForceMonitor::measure(const Simulation& simulation, Status& status) {
    const auto start = Clock::now();
    const BodySystem& system = simulation.system();
    const Law law = law_of(simulation.engine_config());
    const std::size_t samples = law == Law::kPairs ? std::clamp<std::size_t>(1'500'000 / system.count(), 8, 256)
                                                   : affordable_samples(law, 256, system.count(), 3e6);  // some 20 ms
    status.force.error = system.force_error(simulation.scene().gravity, samples);
    status.force.net = system.net_force();
    const auto end = Clock::now();
    next_error_ = after(end, std::max(kErrorPeriod, kMeasureShare * Seconds{end - start}));
}

void ForceMonitor::want_cells(std::size_t most) {
    most_cells_ = most;
    take_cells_next();
}

bool ForceMonitor::wanted(const Simulation& simulation) const {
    const ForceEvaluation& forces = simulation.forces();
    if (!forces.fresh()) return most_cells_ > 0 || forces.color_due();
    // The step may have been interrupted after its forces. Errors are measured between steps.
    return simulation.within_step() && (most_cells_ > 0 || forces.color().by == ColorBy::kError);
}

bool ForceMonitor::due(const Simulation& simulation) const { return wanted(simulation) && !simulation.within_step(); }

std::shared_ptr<const std::vector<TreeCell>> ForceMonitor::cells(const Simulation& simulation, bool each) {
    if (most_cells_ == 0) cells_.reset();
    const auto now = Clock::now();
    if (most_cells_ == 0 || (now < next_cells_ && !each) || !simulation.forces().fresh()) return cells_;
    cells_ = std::make_shared<const std::vector<TreeCell>>(simulation.system().engine_cells(most_cells_));
    next_cells_ = after(now, std::max(kCellsPeriod, kMeasureShare * Seconds{Clock::now() - now}));
    return cells_;
}

BodyErrorMonitor::BodyErrorMonitor()
    : monitor_{[](const Job& job, const std::stop_token& stop) -> std::optional<Monitor<Job, BodyErrors>::Result> {
          const auto start = Clock::now();
          Pool pool{0, true};
          auto errors = std::make_shared<const BodyErrors>(
              body_errors(pool, std::exchange(job.bodies, nullptr)->state(), job.law, job.gravity, job.charge, stop));
          if (stop.stop_requested()) return std::nullopt;
          return {{std::move(errors), seconds_since(start), {}}};
      }} {}

bool BodyErrorMonitor::take(Simulation& simulation) {
    const bool shown = simulation.forces().color().by == ColorBy::kError;
    if (std::exchange(shown_, shown) != shown) restart();
    if (!shown || monitor_.schedule.ended()) return false;
    const auto result = monitor_.collect();
    if (result && result->value) {
        simulation.set_body_errors(result->value);
        monitor_.schedule.rest_since_request(Seconds{std::max(kPeriod, kShare * result->seconds)});
    }
    if (simulation.forces().fresh() && monitor_.due(simulation, nullptr)) {
        if (!lack_of_memory(simulation, kErrorBytes, "").empty()) return monitor_.schedule.end(), false;
        const BodySystem& system = simulation.system();
        monitor_.schedule.request(simulation, nullptr);
        monitor_.start(
            {system.copy(), law_of(simulation.engine_config()), simulation.scene().gravity, system.labels().charge});
    }
    return result && result->value;
}

void TrailMonitor::want(int every) {
    every_ = std::max(0, every);
    forget();
}

bool TrailMonitor::on(const Simulation& simulation) const {
    return every_ > 0 && simulation.system().count() <= kMostBodies;
}

void TrailMonitor::forget() {
    steps_.clear(), places_.clear();
    handed_ = 0;
    any_ = false;
    spacing_ = std::max(1, every_);
}

void TrailMonitor::stepped(Simulation& simulation, bool paced) {
    if (!on(simulation)) return;
    const std::int64_t step = simulation.now().steps;
    if (any_ && step <= last_) forget();  // time has run backward
    if (simulation.system().count() != bodies_) forget();
    bodies_ = simulation.system().count();
    if (any_ && !paced && step < last_ + spacing_) return;
    keep(simulation);
    last_ = step, any_ = true;
    if (places_.size() > (paced ? kMostPacedPlaces : kMostPlaces)) thin();
}

/// On a device, reads only positions and the inputs of cheap colours; other quantities use kPresentColor.
void TrailMonitor::keep(Simulation& simulation) {
    steps_.push_back(simulation.now().steps);
    if (simulation.engine_config().backend == Backend::kCpu) {
        simulation.fill(state_, true);
        places_.insert(places_.end(), state_.host.begin(), state_.host.end());
        return;
    }
    all_.resize(bodies_);
    std::iota(all_.begin(), all_.end(), 0u);
    const ColorBy by = simulation.forces().color().by;
    for (const BodySample& body : simulation.system().sample(all_)) {
        const Vec4d& x = body.position_mass;
        const double color = by == ColorBy::kSpeed          ? length(body.velocity)
                             : by == ColorBy::kAcceleration ? length(body.acceleration)
                             : by == ColorBy::kMass         ? x.w
                                                            : kPresentColor;
        places_.push_back({float(x.x), float(x.y), float(x.z), float(color)});
    }
}

void TrailMonitor::thin() {
    spacing_ *= 2;
    std::size_t kept = 0;
    for (std::size_t i = handed_ = 0; i < steps_.size(); i += 2, ++kept) {
        steps_[kept] = steps_[i];
        std::copy_n(places_.begin() + static_cast<std::ptrdiff_t>(i * bodies_), bodies_,
                    places_.begin() + static_cast<std::ptrdiff_t>(kept * bodies_));
    }
    steps_.resize(kept);
    places_.resize(kept * bodies_);
}

void TrailMonitor::fill(Frame& frame, bool taken) {
    if (taken && handed_ > 0) {
        const std::size_t gone = std::min(handed_, steps_.size());
        steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(gone));
        places_.erase(places_.begin(), places_.begin() + static_cast<std::ptrdiff_t>(gone * bodies_));
        spacing_ = std::max(1, every_);
    }
    handed_ = steps_.size();
    frame.passed_steps = steps_;
    frame.passed = places_;
}

}  // namespace orrery
