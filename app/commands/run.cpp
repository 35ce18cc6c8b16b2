// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "app/cli/options.hpp"
#include "app/cli/terminal.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/gpus.hpp"
#include "app/commands/run_outputs.hpp"
#include "app/commands/run_work.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/bodies/body_source.hpp"
#include "core/formats/formats.hpp"
#include "core/ranks/process_ranks.hpp"
#include "core/simulation/checkpoint.hpp"
#include "core/simulation/compatibility.hpp"

namespace orrery {
namespace {

constexpr double kDefaultLog = 60;  // seconds between log lines if there is no progress bar

struct RunOptions {
    SceneOptions scene;
    EngineOptions engine;
    RunLength length;
    RunPlan plan;
    CheckpointOptions checkpoint;
    std::string resume, wall_time, log_every;
    DiagnosticsOutputs of_diagnostics;
    bool no_energy = false;
    bool json = false;
};

/// Options allowed with `--resume`: the end, the outputs, and the number of threads, which does not affect results.
constexpr std::array kWithResume{"--resume",
                                 "--steps",
                                 "--until",
                                 "--output",
                                 "--diagnostics",
                                 "--diagnostics-every",
                                 "--plot",
                                 "--diagnostics-hdf",
                                 "--encounters-csv",
                                 "--profile",
                                 "--no-energy",
                                 "--json",
                                 "--checkpoint",
                                 "--snapshots",
                                 "--snapshots-every",
                                 "--snapshots-interval",
                                 "--every-steps",
                                 "--every-minutes",
                                 "--wall-time",
                                 "--log-every",
                                 "--threads",
                                 "--ranks",
                                 "--ok-if-interrupted",
                                 "--quiet",
                                 "--verbose",
                                 "--help"};

void require_resumable(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options()) {
        const bool allowed =
            std::ranges::any_of(kWithResume, [&](const char* known) { return option->check_name(known); });
        if (option->count() > 0 && !allowed)
            usage_error(
                fmt::format("--resume continues with the bodies, engine and dt of the checkpoint; to change them, open "
                            "it as the SCENE, without {}",
                            option->get_name()));
    }
}

/// The end of a run, or nothing if none was given.
std::optional<RunRecord> end_of(const RunLength& length, const Scene& scene, std::int64_t taken) {
    if (length.steps) return RunRecord{.steps = *length.steps, .until = {}, .first = {}};
    if (scene.adaptive > 0 && !length.until.empty())
        return RunRecord{.steps = 0, .until = length.end(scene), .first = {}};
    const auto steps = length.count(scene);
    if (!steps) return std::nullopt;
    return RunRecord{.steps = static_cast<std::uint64_t>(taken) + *steps, .until = {}, .first = {}};
}

/// Refuses what needs all bodies in one place, where each rank has only its own.
void require_by_parts(const RunOptions& options) {
    const auto refuse = [](bool asked, std::string_view option) {
        if (asked)
            usage_error(
                fmt::format("{} needs all bodies in one process; use --ranks all, or convert the last state", option));
    };
    refuse(!options.of_diagnostics.profile.empty(), "--profile");
    refuse(!options.plan.encounters.empty(), "--encounters-csv");
    refuse(options.plan.series.accelerations || options.plan.series.potentials, "--snapshots-accelerations");
}

/// Opens the scene and stores the end in the plan.
Simulation begin(RunOptions& options) {
    EngineConfig engine = options.engine.config();
    auto [scene, bodies, all] = options.scene.open_in_stretches();
    if (!options.engine.chosen() && options.engine.knobs.typed.empty() && !scene.encounters.on())
        engine = default_engine(engine, all, scene.gravity.law, integrator(scene.integrator));
    const auto end = end_of(options.length, scene, 0);
    if (!end) usage_error("run needs an end: --steps or --until");
    options.plan.record = *end;
    require_resolved(scene, *bodies, engine.precision);
    if (ranks_that_own_bodies()) require_by_parts(scene);
    return Simulation{std::move(scene), *bodies, engine, {}, process_ranks()};
}

/// The checkpoint of this process: of a set, its own part, or the whole set if there is one process.
Checkpoint read_for_rank(const std::string& path) {
    const auto set = read_checkpoint_set(path);
    Ranks* ranks = process_ranks();
    if (!set && !ranks_that_own_bodies()) return read_run(path);
    if (!set)
        usage_error(fmt::format("{}: holds all bodies; resume it with --ranks all, or open it as the SCENE", path));
    if (!ranks) return joined(*set);
    if (ranks->count() != set->ranks)
        usage_error(fmt::format("{}: is of {} ranks, not {}: resume it on {} ranks, or on one", path, set->ranks,
                                ranks->count(), set->ranks));
    ranks->own_bodies = ranks->in_place = true;
    return read_run(set->part(ranks->rank()));
}

/// Reads the checkpoint and stores the end in the plan: the original one, unless another is given.
Simulation continue_run(RunOptions& options) {
    Checkpoint checkpoint = read_for_rank(options.resume);
    if (options.engine.threads != 0) checkpoint.state.engine.threads = options.engine.threads;
    if (options.engine.threads != 0 && checkpoint.state.used) checkpoint.state.used->threads = options.engine.threads;
    const EngineConfig engine = checkpoint.state.used.value_or(checkpoint.state.engine);
    const RunRecord before = checkpoint.run;
    options.plan.record = end_of(options.length, checkpoint.scene, checkpoint.state.steps).value_or(before);
    options.plan.record.first = before.first;
    if (!options.plan.record.until && options.plan.record.steps == 0)
        usage_error(fmt::format("{}: does not state the end of the run; give --steps or --until", options.resume));
    Simulation simulation = resume(std::move(checkpoint), process_ranks());
    if (process_ranks()) process_ranks()->in_place = false;
    to_stderr("orrery: resuming after step {}, {}\n", simulation.now().steps, clock_of(simulation));
    if (!orrery::engine(engine.engine, engine.backend).repeats(engine))
        to_stderr(
            "orrery: note: engine {} is not deterministic, so the following steps differ in their last digits "
            "from those of an uninterrupted run\n",
            engine.engine);
    return simulation;
}

/// Validates the options before the first step.
void check(RunOptions& options) {
    for (const std::string& path : options.plan.outputs) {
        format_for(path);
        require_writable(path);
    }
    if (!options.plan.encounters.empty()) require_writable(options.plan.encounters);
    check(options.of_diagnostics, options.plan.diagnostics);
    options.plan.energy = !options.no_energy;
    if (!options.wall_time.empty()) options.plan.wall_time = parse_wall_time("--wall-time", options.wall_time);
    if (options.log_every.empty())
        options.plan.log_every = isatty(STDERR_FILENO) == 1 ? 0 : kDefaultLog;
    else if (options.log_every != "0")
        options.plan.log_every = parse_wall_time("--log-every", options.log_every);
}

/// If every rank has the whole state, only rank 0 writes, and computes what it writes.
void leave_writing_to_the_first(RunOptions& options) {
    if (is_first_process() || ranks_that_own_bodies()) return;
    options.plan.outputs.clear();
    options.plan.diagnostics.clear();
    options.plan.encounters.clear();
    options.plan.series = {};
    options.plan.energy = false;
    options.of_diagnostics = {};
    options.checkpoint = {};
}

void report_end(RunEnd end, const RunWork& work, const Simulation& simulation, const CheckpointKeeper& checkpoints) {
    if (end == RunEnd::kComplete) return;
    to_stderr("orrery: {} after step {} of {}{}\n",
              end == RunEnd::kInterrupted ? "interrupted" : "the wall-time limit is reached", simulation.now().steps,
              work.goal(), checkpoints.on() ? "; to resume: orrery run --resume " + checkpoints.path() : "");
}

/// Warns if an approximating engine misses the requested accuracy, in its forces or in the change of momentum.
void warn_of_forces(const Simulation& simulation, const RunReport& report) {
    const EngineConfig& engine = simulation.engine_config();
    const double requested = simulation.system().accuracy_to_keep();
    const std::string missed = accuracy_missed(simulation.forces().acceptance(), engine, requested);
    if (!missed.empty()) to_stderr("orrery: {}\n", missed);
    if (!(requested > 0) || !report.first || !report.last || report.conservation().momentum <= requested) return;
    to_stderr(
        "orrery: the momentum has changed by {:.1e} of Σ m|v|: the forces of '{}' do not balance to the requested "
        "{:g}; --engine fmm or direct conserves it\n",
        report.conservation().momentum, engine.engine, requested);
}

/// Writes the final bodies. With owned bodies, rank 0 writes those that the other ranks send, stretch by stretch.
void write_last(Simulation& simulation, const std::vector<std::string>& paths) {
    if (paths.empty()) return;
    const PartPower* const part = simulation.system().part();
    const Scene last = part ? present_settings(simulation) : present_scene(simulation);
    const auto write = [&](const BodyStretches& bodies) {
        for (const std::string& path : paths) write_snapshot(last, bodies, path);
    };
    if (part)
        part->in_stretches(write);
    else
        write(BodyStretches{last.bodies});
}

/// The plot's note summarises the command. Returns the paths written.
std::vector<std::string> write_diagnostics(const DiagnosticsOutputs& outputs, const std::string& table,
                                           const Simulation& simulation, const RunReport& report) {
    const EngineConfig& engine = simulation.engine_config();
    const std::string title = fmt::format("{}, {} bodies", simulation.scene().label, simulation.system().count());
    const std::string note =
        fmt::format("{} on {}, {} precision, {} step{} of {:g}, softening {:.4g}", engine.engine, name(engine.backend),
                    name(engine.precision), report.steps, report.steps == 1 ? "" : "s", simulation.scene().dt,
                    simulation.scene().gravity.softening);
    return write(outputs, table, title, note, report.structure ? &*report.structure : nullptr);
}

int run(RunOptions& options, CLI::App& app) {
    const bool resumed = !options.resume.empty();
    if (resumed) {
        require_resumable(app);
    } else if (options.scene.given.source.empty()) {
        usage_error("run needs a SCENE, or --resume FILE");
    } else if (const auto file = adopt_scene(options.scene, &options.engine)) {
        options.plan.series = file->series;
        apply_typed(app);
    }
    check(options);
    if (resumed && process_ranks() && read_checkpoint_set(options.resume)) process_ranks()->own_bodies = true;
    if (ranks_that_own_bodies()) require_by_parts(options);
    leave_writing_to_the_first(options);
    CheckpointKeeper checkpoints{options.checkpoint};
    Simulation simulation = resumed ? continue_run(options) : begin(options);
    if (ranks_that_own_bodies()) simulation.allow_tuning(false);
    report_sharing(simulation.system(), simulation.engine_config());
    RunWork work{options.plan, simulation, checkpoints};
    const RunEnd end = work.steps();
    // A process that receives SIGTERM is killed soon, so the checkpoint comes first.
    std::optional<Error> refused;
    try {
        work.write_checkpoint();
    } catch (const Error& error) {
        refused = error;
    }
    write_last(simulation, options.plan.outputs);
    if (refused) throw Error{*refused};
    report_end(end, work, simulation, checkpoints);
    const RunReport& report = work.report();
    const std::string warning = report.warning(simulation.scene().adaptive);
    const bool finite = warning.empty() || report.conservation().finite;
    if (!warning.empty() && finite) to_stderr("orrery: warning: {}\n", warning);
    warn_of_forces(simulation, report);
    to_stdout("{}", options.json ? json_of(report, simulation, end) + '\n' : text_of(report, simulation));
    std::vector<std::string> written;
    if (is_first_process())
        written = write_diagnostics(options.of_diagnostics, options.plan.diagnostics, simulation, report);
    for (const auto& missing : {work.refused_encounters(), work.refused_row(), work.series().refused()})
        if (missing) throw Error{*missing};
    if (!finite) environment_error(fmt::format("{}: {}", simulation.scene().id, warning));
    if (options.json) return interrupt_code();
    const auto wrote = [](const std::string& path) { to_stdout("wrote     {}\n", path); };
    std::ranges::for_each(options.plan.outputs, wrote);
    if (!options.plan.encounters.empty()) wrote(options.plan.encounters);
    std::ranges::for_each(written, wrote);
    if (work.series().written() > 0) to_stdout("wrote     snapshots of the series: {}\n", work.series().written());
    if (checkpoints.on()) wrote(checkpoints.path());
    return interrupt_code();
}

}  // namespace

Work declare_run(CLI::App& app) {
    const auto options = std::make_shared<RunOptions>();
    add_source(app, options->scene, Source::kOptional);
    add_scene(app, options->scene);
    add_engine(app, options->engine);
    add_length(app, options->length);
    add_integrator(app, options->scene);
    const HelpGroup output{app, "Output"};
    app.add_option("-o,--output", options->plan.outputs, "Snapshot of the last state; the extension chooses the format")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    app.add_option("--diagnostics", options->plan.diagnostics,
                   "Table of energies, momenta, Lagrangian radii and more, CSV");
    app.add_option("--diagnostics-every", options->plan.diagnostics_every,
                   "Steps between two rows of the table (default: about a hundred rows in all)")
        ->check(positive());
    app.add_flag("--no-energy", options->no_energy, "Do not compute the energy at the beginning and the end");
    app.add_option("--encounters-csv", options->plan.encounters,
                   "Table of all encounters, CSV: time, ids and masses of both, speed, removed energy");
    add_diagnostics_outputs(app, options->of_diagnostics);
    add_series(app, options->plan.series);
    const HelpGroup long_runs{app, "Long runs"};
    add_checkpoints(app, options->checkpoint);
    app.add_option("--resume", options->resume,
                   "Resume from this checkpoint, instead of a SCENE, to the end of the original run; --steps and "
                   "--until count from its beginning");
    app.add_option("--wall-time", options->wall_time,
                   "Maximum wall time; the run ends before it, with a checkpoint: 90s, 10m, 2h");
    app.add_option("--log-every", options->log_every,
                   "Interval of log lines on stderr: 30s, 5m; 0: none (default 1m if stderr is not a terminal)");
    const HelpGroup report{app, "Output"};
    add_json(app, options->json);
    app.footer(
        "The same command gives the same snapshot, byte for byte, on the same machine. Examples:\n  orrery run plummer "
        "--steps 1000 -o end.tipsy\n  orrery run solar-system --until 100yr --dt 0.5day --diagnostics energy.csv\n  "
        "orrery run plummer --steps 1000000 --checkpoint run.orrery --every-minutes 10 --wall-time 8h -o end.h5\n  "
        "orrery run --resume run.orrery --checkpoint run.orrery -o end.h5\n  orrery run plummer --steps 1000 "
        "--diagnostics table.csv --plot table.svg --profile density.csv\nThe table has the columns step time kinetic "
        "potential total momentum_x momentum_y momentum_z\nangular_x angular_y angular_z virial_ratio (2K/|W|), "
        "mass_centre_x … (centre of mass), centre_x … (density centre),\nr_1 r_10 r_25 r_50 r_75 r_90 (Lagrangian "
        "radii, by % of the mass), closest_distance closest_first\nclosest_second, in the scene's units; momenta about "
        "the origin, radii about the density centre.\nCtrl+C (SIGINT), SIGTERM, SIGHUP, SIGUSR1 and SIGXCPU end the "
        "run after the current step; checkpoint and outputs are written. The exit code is then 130 after Ctrl+C, and 0 "
        "after the others, which batch systems send.\nA state that is no longer finite also ends the run; the "
        "last good state that was kept is then in\nNAME.last-good.EXTENSION next to each output.");
    return [options, &app] { return run(*options, app); };
}

}  // namespace orrery
