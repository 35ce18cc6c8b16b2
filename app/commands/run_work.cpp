// SPDX-License-Identifier: MIT
#include "app/commands/run_work.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/cli/terminal.hpp"
#include "core/analysis/background.hpp"
#include "core/analysis/columns.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/engines/choices.hpp"
#include "core/engines/menu.hpp"
#include "core/formats/formats.hpp"
#include "core/ranks/process_ranks.hpp"

namespace orrery {
namespace {

constexpr std::uint64_t kBar = 1'000'000;              // resolution of the progress bar
constexpr int kGoodShare = 20;                         // time between two copies, divided by the time of one
constexpr double kLogShare = 0.05;                     // maximum share of the log interval spent on energies
constexpr double kSlowly = 2e8;                        // lower bound on the pairs or triplets per second of an energy
constexpr std::chrono::duration<double> kQueue{0.05};  // of queued steps; signals wait for them
constexpr int kMostLosses = 10;                        // of a device, before the run ends
constexpr double kQuickEnergy = 1;                     // seconds: longest final measurement of an interrupted run

/// "end.std.tipsy" becomes "end.last-good.std.tipsy": the format follows from the extension.
std::filesystem::path beside(const std::filesystem::path& output) {
    const std::string name = output.filename().string();
    const std::size_t dot = std::min(name.find('.', 1), name.size());
    return output.parent_path() / (name.substr(0, dot) + ".last-good" + name.substr(dot));
}

/// "3 min 5 s"; "long" beyond about 30 years.
std::string wait_of(double seconds) {
    if (!(seconds < 1e9)) return "long";
    const auto all = static_cast<long>(std::ceil(seconds));
    if (all < 60) return fmt::format("{} s", all);
    if (all < 3600) return fmt::format("{} min {} s", all / 60, all % 60);
    if (all < 86400) return fmt::format("{} h {} min", all / 3600, all % 3600 / 60);
    return fmt::format("{} d {} h", all / 86400, all % 86400 / 3600);
}

}  // namespace

void LastGood::keep(const Simulation& simulation) {
    const auto start = Clock::now();
    if (scene_ && start < next_) return;
    scene_ = present_scene(simulation);
    step_ = simulation.now().steps;
    const auto end = Clock::now();
    next_ = end + kGoodShare * (end - start);
}

std::string LastGood::write(const std::vector<std::string>& outputs) const {
    std::string text;
    for (const std::string& output : outputs) {
        const std::string path = beside(output).string();
        try {
            write_snapshot(*scene_, path);
            text += fmt::format("; the state after step {} is in {}", step_, path);
        } catch (const Error& refused) {
            text += fmt::format("; {}", refused.what());
        }
    }
    return text;
}

RunWork::RunWork(RunPlan plan, Simulation& simulation, CheckpointKeeper& checkpoints)
    : plan_{std::move(plan)},
      simulation_{simulation},
      checkpoints_{checkpoints},
      series_{plan_.series, simulation, plan_.record} {
    if (plan_.series.potentials) simulation.set_color_by(ColorBy::kPotential);  // evaluated with the forces
    const auto taken = static_cast<std::uint64_t>(std::max<std::int64_t>(0, simulation.now().steps));
    row_every_ =
        plan_.diagnostics_every > 0 ? plan_.diagnostics_every : std::max<std::uint64_t>(1, plan_.record.steps / 100);
    if (tabulates() && is_first_process())
        table_.emplace(plan_.diagnostics, fmt::format("{}", fmt::join(diagnostics_columns(), ",")), taken);
    if (!plan_.encounters.empty()) met_.emplace(plan_.encounters, simulation.encounters().log(), taken);
    report_.first = plan_.record.first;
    begun_fraction_ = fraction();
    lined_ = simulation.now().steps;
}

RunEnd RunWork::steps() {
    const InterruptGuard interrupt;
    if (simulation_.now().steps == 0 || !report_.first) measure();
    if (simulation_.now().steps == 0) write_row();
    while (series_.wants_forces(simulation_)) simulation_.evaluate(std::chrono::hours{1});
    series_.stepped(simulation_);
    Progress progress{simulation_.scene().id, kBar, static_cast<std::uint64_t>(kBar * begun_fraction_)};
    while (!done()) {
        const RunEnd end = agreed(interrupt.interrupted() ? RunEnd::kInterrupted
                                  : out_of_time()         ? RunEnd::kWallTime
                                                          : RunEnd::kComplete);
        if (end != RunEnd::kComplete) return end;
        take_steps();
        if (met_) met_->add(simulation_.encounters().log());
        if (tabulates() && static_cast<std::uint64_t>(simulation_.now().steps) % row_every_ == 0)
            measure(), write_row();
        while (series_.wants_forces(simulation_)) simulation_.evaluate(std::chrono::hours{1});
        series_.stepped(simulation_);
        if (on_all(checkpoints_.due(simulation_))) {
            series_.settle();  // snapshots before a checkpoint must be on disk
            checkpoints_.stepped(simulation_, plan_.record);
        }
        if (plan_.log_every > 0 && Clock::now() - line_at_ >= std::chrono::duration<double>{plan_.log_every})
            write_line();
        progress.update(static_cast<std::uint64_t>(kBar * fraction()),
                        with_prefix(report_.steps_per_second()) + " steps/s");
    }
    return RunEnd::kComplete;
}

bool RunWork::on_all(bool wanted) const { return simulation_.system().part() ? agreed(wanted) : wanted; }

bool RunWork::done() const {
    if (plan_.record.until) return simulation_.now().time >= *plan_.record.until;
    return simulation_.now().steps >= static_cast<std::int64_t>(plan_.record.steps);
}

double RunWork::fraction() const {
    const RunRecord& record = plan_.record;
    const double begin = simulation_.scene().time, all = record.until ? *record.until - begin : double(record.steps);
    const double now = record.until ? simulation_.now().time - begin : double(simulation_.now().steps);
    return all > 0 ? std::clamp(now / all, 0.0, 1.0) : 1;
}

std::string RunWork::goal() const {
    return plan_.record.until ? fmt::format("time {:g}", *plan_.record.until) : fmt::format("{}", plan_.record.steps);
}

/// True if one more step and the final checkpoint would exceed the wall time.
bool RunWork::out_of_time() const {
    if (plan_.wall_time <= 0) return false;
    return since_begin() + step_seconds_ + 2 * checkpoints_.seconds() >= plan_.wall_time;
}

std::uint64_t RunWork::steps_at_once() const {
    const auto taken = static_cast<std::uint64_t>(std::max<std::int64_t>(0, simulation_.now().steps));
    // A run until a time has steps of different lengths, which are not queued.
    std::uint64_t most = plan_.record.until ? 1 : plan_.record.steps - taken;
    if (tabulates()) most = std::min(most, row_every_ - taken % row_every_);
    return std::min({most, checkpoints_.steps_left(simulation_), series_.steps_left(simulation_)});
}

/// If the state becomes non-finite, the last good state is written before the error is rethrown.
void RunWork::take_steps() {
    const bool keeps = !plan_.outputs.empty() && !simulation_.system().part();
    if (keeps) last_good_.keep(simulation_);
    kept_.keep(simulation_);
    const auto start = Clock::now();
    std::uint64_t steps = 0;
    try {
        steps = simulation_.take_steps(kQueue, agreed(steps_at_once()));
    } catch (const DeviceLost& lost) {
        if (++losses_ > kMostLosses) throw;  // it would only be reset again
        to_stderr("orrery: {}\n", kept_.restore(simulation_, lost));
        return;
    } catch (const Error& lost) {
        if (!keeps) throw;
        throw Error{lost.blame(), lost.what() + last_good_.write(plan_.outputs)};
    }
    const double took = std::chrono::duration<double>(Clock::now() - start).count();
    step_seconds_ = std::max(took, 0.9 * step_seconds_);
    report_.add_steps(steps, took, simulation_.forces().last_seconds());
}

void RunWork::measure() {
    if ((!plan_.energy && !tabulates()) || measured_ == simulation_.now().steps) return;
    const auto start = Clock::now();
    report_.own_law = has_own_law(simulation_.engine_config());
    if (PartPower* const part = simulation_.system().part()) {
        Pool pool{simulation_.engine_config().threads, false};
        report_.last = diagnose(pool, *part, simulation_.scene().gravity);
        report_.energy_by = fmt::format("the potentials of {}, which are more accurate than its forces",
                                        simulation_.engine_config().engine);
        measured_ = simulation_.now().steps;
        measure_seconds_ = std::chrono::duration<double>(Clock::now() - start).count();
        if (!report_.first) report_.first = plan_.record.first = report_.last;
        return;
    }
    const EngineConfig& engine = simulation_.engine_config();
    const Bodies bodies = simulation_.system().bodies();
    EngineConfig by =
        watched_energy_engine(law_of(engine), simulation_.scene().gravity.law, engine.backend, bodies.size());
    by.background = false;
    report_.energy_by =
        by.engine == "tree" ? fmt::format("{} in double, θ = {}: to about 1e-5", by.engine, by.tree.theta) : "";
    report_.last = diagnose(bodies, simulation_.scene().gravity, by);
    report_.met = simulation_.encounters().log().ledger;
    const auto middle = Clock::now();
    Pool pool{0, false};
    report_.structure = structure_of(pool, bodies);
    report_.structure_seconds = std::chrono::duration<double>(Clock::now() - middle).count();
    measured_ = simulation_.now().steps;
    measure_seconds_ = std::chrono::duration<double>(Clock::now() - start).count();
    if (!report_.first) report_.first = plan_.record.first = report_.last;
    if (plan_.energy && !report_.own_law && simulation_.now().steps == 0 && !report_.conservation().finite)
        usage_error(fmt::format("{}: {}; --no-energy skips this check", simulation_.scene().id,
                                report_.warning(simulation_.scene().adaptive)));
}

double RunWork::measuring_takes() const {
    if (measured_ >= 0) return measure_seconds_;
    const auto count = static_cast<double>(simulation_.system().count());
    const bool pairs = law_of(simulation_.engine_config()) == Law::kPairs;
    return count * count * (pairs ? 1 : count / 6) / kSlowly;
}

void RunWork::write_row() {
    if (!table_ || rowed_ >= simulation_.now().steps) return;  // also after steps were repeated
    rowed_ = simulation_.now().steps;
    const auto values = diagnostics_values(rowed_, simulation_.now().time, &*report_.last,
                                           report_.structure ? &*report_.structure : nullptr);
    table_->add(csv_fields(values), fmt::format("the row of step {} is missing", rowed_));
}

void RunWork::write_line() {
    const double passed = std::chrono::duration<double>(Clock::now() - line_at_).count();
    const double rate = static_cast<double>(simulation_.now().steps - lined_) / passed;
    const double part = fraction(), left = since_begin() * (1 - part) / std::max(part - begun_fraction_, 1e-300);
    if (!simulation_.system().part() && measuring_takes() <= kLogShare * plan_.log_every) measure();
    std::string energy;
    if (measured_ >= 0 && report_.first && !report_.own_law)
        energy = fmt::format(", |ΔE/E| = {:.2e}{}", std::abs(report_.conservation().energy),
                             measured_ == simulation_.now().steps ? "" : fmt::format(" at step {}", measured_));
    if (isatty(STDERR_FILENO) == 1) draw_on_stderr("\r\033[K");
    to_stderr("orrery: step {} of {} ({:.1f} %), {}{}, {} steps/s, {} left{}\n", simulation_.now().steps, goal(),
              100 * part, clock_of(simulation_), energy, with_prefix(rate), wait_of(left), checkpoints_.log_text());
    line_at_ = Clock::now();
    lined_ = simulation_.now().steps;
}

void RunWork::write_checkpoint() {
    series_.settle();
    checkpoints_.write(simulation_, plan_.record);
}

const RunReport& RunWork::report() {
    report_.snapshots = series_.written();
    report_.steps = static_cast<std::uint64_t>(std::max<std::int64_t>(0, simulation_.now().steps));
    if (on_all(done() || measuring_takes() <= kQuickEnergy)) measure();
    if (done()) write_row();  // an interrupted run writes no row that the complete run would not have
    return report_;
}

}  // namespace orrery
