// SPDX-License-Identifier: MIT
#include "app/commands/run_outputs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <ranges>
#include <span>
#include <tuple>
#include <utility>

#include "app/cli/options.hpp"
#include "app/record/recorders.hpp"
#include "app/scene/scene_file.hpp"
#include "core/analysis/columns.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/text.hpp"
#include "core/formats/formats.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/integrators/integrators.hpp"
#include "core/simulation/checkpoint.hpp"

namespace orrery {
namespace {

/// Keeps the titles and the rows up to this step. Drops an incomplete last line, left by a run that was killed.
void cut_table(const std::string& path, const std::string& titles, std::uint64_t steps) {
    std::ifstream from{path};
    std::string head;
    if (std::getline(from, head) && head != titles)
        usage_error(path + ": its columns differ from those that this program writes; choose another file");
    from.seekg(0);
    OutputFile to{path};
    for (std::string line; std::getline(from, line) && !from.eof();) {
        std::uint64_t step = 0;
        const auto [end, status] = std::from_chars(line.data(), line.data() + line.size(), step);
        if (status != std::errc{} || step <= steps) to.write(line + '\n');
    }
    to.commit();
}

constexpr const char* kEncounterTitles = "step,number,time,kind,first,second,mass_first,mass_second,speed,energy";

constexpr double kDefaultCount = 100;  // default number of snapshots
constexpr double kLeastPart = 1e-3;    // minimum interval in steps, so that numbers remain representable
constexpr double kHair = 1 + 1e-12;    // tolerates rounding of quotients of times

/// True if the accelerations at the end of a step belong to its final positions.
bool ends_with_forces(const IntegratorEntry& integrator) {
    if (integrator.jerk) return false;
    const auto moves = [](const Stage& stage) {
        return stage.op == Stage::Op::kDrift || stage.op == Stage::Op::kPredict;
    };
    const auto evaluates = [](const Stage& stage) {
        return stage.op == Stage::Op::kForce || stage.op == Stage::Op::kForceDue;
    };
    const auto either = [&](const Stage& stage) { return moves(stage) || evaluates(stage); };
    const auto backward = integrator.stages | std::views::reverse;
    return evaluates(*std::ranges::find_if(backward, either));
}

}  // namespace

RunTable::RunTable(std::string path, const std::string& titles, std::uint64_t steps) : path_{std::move(path)} {
    const bool continues = steps > 0 && std::filesystem::exists(path_);
    file_ = lock_output(path_);
    if (continues) {
        cut_table(path_, titles, steps);
        file_ = lock_output(path_);  // of the file that replaced it
        lseek(file_.get(), 0, SEEK_END);
    } else {
        std::ignore = ftruncate(file_.get(), 0);  // fails for a device, which has nothing to cut
        write(titles + '\n');
    }
}

void RunTable::add(const std::string& rows, const std::string& missing) {
    try {
        write(rows + '\n');
    } catch (const Error& refused) {
        if (refused_) return;
        to_stderr("orrery: {}; {}, and the run continues\n", refused.what(), missing);
        refused_ = refused;
    }
}

void RunTable::write(const std::string& lines) {
    const off_t whole = lseek(file_.get(), 0, SEEK_CUR);
    if (file_.write(std::as_bytes(std::span{lines}))) return;
    const int why = errno;
    if (whole >= 0 && ftruncate(file_.get(), whole) == 0) lseek(file_.get(), whole, SEEK_SET);  // removes a partial row
    environment_error(fmt::format("{}: cannot be written: {}", path_, std::strerror(why)));
}

void add_diagnostics_outputs(CLI::App& app, DiagnosticsOutputs& outputs) {
    app.add_option("--plot", outputs.plot, "Plot Lagrangian radii and energy of the table over time, SVG");
    app.add_option("--diagnostics-hdf", outputs.hdf5,
                   "Write the table as HDF5: one data set per column, NaN where unknown");
    app.add_option("--profile", outputs.profile, "Write the density profile of the last state, CSV: one row per shell");
}

void check(const DiagnosticsOutputs& outputs, const std::string& table) {
    if (table.empty() && !outputs.plot.empty()) usage_error("--plot needs --diagnostics, whose table it plots");
    if (table.empty() && !outputs.hdf5.empty()) usage_error("--diagnostics-hdf needs --diagnostics");
    if (!outputs.hdf5.empty() && !hdf5::kWhyNot.empty())
        environment_error(outputs.hdf5 + ": " + std::string{hdf5::kWhyNot});
    for (const std::string& path : {outputs.plot, outputs.hdf5, outputs.profile})
        if (!path.empty()) require_writable(path);
}

std::vector<std::string> write(const DiagnosticsOutputs& outputs, const std::string& table, const std::string& title,
                               const std::string& note, const Structure* last) {
    std::vector<std::string> written;
    const auto wanted = [&](const std::string& path) {
        if (!path.empty()) written.push_back(path);
        return !path.empty();
    };
    if (wanted(outputs.plot)) write_file(outputs.plot, plot_diagnostics(read_number_table(table), title, note));
    if (wanted(outputs.hdf5)) hdf5::write_number_table(read_number_table(table), "Diagnostics", outputs.hdf5);
    if (last && wanted(outputs.profile)) write_file(outputs.profile, profile_csv(*last));
    return written;
}

EncounterTable::EncounterTable(std::string path, const EncounterLog& log, std::uint64_t steps)
    : table_{std::move(path), kEncounterTitles, steps}, written_{log.ledger.count()} {}

void EncounterTable::add(const EncounterLog& log) {
    const std::uint64_t count = log.ledger.count();
    if (written_ >= count) return;
    std::string rows;
    for (std::uint64_t number = written_; number < count; ++number) {
        const Encounter& e = log.last[log.last.size() - (count - number)];
        rows +=
            fmt::format("{}{},{},{},{},{},{},{},{},{},{}", rows.empty() ? "" : "\n", e.step, number + 1, e.time,
                        encounter_kind(e.kind).id, e.first, e.second, e.mass_first, e.mass_second, e.speed, e.energy);
    }
    written_ = count;
    table_.add(rows, "encounters are missing in it");
}

void add_checkpoints(CLI::App& app, CheckpointOptions& options) {
    app.add_option("--checkpoint", options.path,
                   "Checkpoint file NAME.orrery, from which --resume continues; replaced only by complete checkpoints, "
                   "and written at the end");
    app.add_option("--every-steps", options.every_steps, "Steps between two checkpoints")->check(positive());
    app.add_option("--every-minutes", options.every_minutes,
                   fmt::format("Minutes between two checkpoints (default {:g} if neither is given)",
                               CheckpointOptions::kDefaultMinutes))
        ->check(positive());
}

CheckpointKeeper::CheckpointKeeper(CheckpointOptions options) : options_{std::move(options)} {
    const bool every = options_.every_steps != 0 || options_.every_minutes != 0;
    if (!on() && every) usage_error("--every-steps and --every-minutes need --checkpoint FILE");
    if (!on()) return;
    if (!every) options_.every_minutes = CheckpointOptions::kDefaultMinutes;
    require_checkpoints();
    require_writable(options_.path);
}

bool CheckpointKeeper::due(const Simulation& simulation) const {
    if (!on()) return false;
    const std::chrono::duration<double> passed = Clock::now() - tried_;
    if (options_.every_minutes > 0 && passed.count() >= 60 * options_.every_minutes) return true;
    return options_.every_steps > 0 && simulation.now().moment % options_.every_steps == 0;
}

std::uint64_t CheckpointKeeper::steps_left(const Simulation& simulation) const {
    if (!on() || options_.every_steps == 0) return std::numeric_limits<std::uint64_t>::max();
    return options_.every_steps - simulation.now().moment % options_.every_steps;
}

void CheckpointKeeper::stepped(Simulation& simulation, const RunRecord& run) {
    try {
        write(simulation, run);
    } catch (const Error& refused) {
        to_stderr("orrery: {}; {}, and the run continues\n", refused.what(),
                  std::filesystem::exists(options_.path) ? "the previous one stays" : "there is no previous one");
    }
}

void CheckpointKeeper::write(Simulation& simulation, const RunRecord& run) {
    if (!on() || written_ == simulation.now().steps) return;
    tried_ = Clock::now();
    if (const PartPower* const part = simulation.system().part())
        write_checkpoint_set(part->ranks(), checkpoint_of(simulation, run), options_.path);
    else
        write_checkpoint(checkpoint_of(simulation, run), options_.path);
    written_ = simulation.now().steps;
    const auto end = Clock::now();
    seconds_ = std::chrono::duration<double>(end - tried_).count();
    tried_ = end;
}

std::string CheckpointKeeper::log_text() const {
    return written_ ? fmt::format(", checkpoint at step {}", *written_) : std::string{};
}

void add_series(CLI::App& app, SeriesSettings& settings) {
    app.add_option("--snapshots", settings.patterns,
                   "Series of snapshots of the run, NAME_%04d.EXTENSION; several with different extensions")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    SettingOptions{app}.add(series_settings(), settings);
}

namespace {

/// The run continues after the first snapshot that cannot be written.
bool report_missing(const Error& error) {
    to_stderr("orrery: {}; this snapshot of the series is missing, and the run continues\n", error.what());
    return true;
}

}  // namespace

SnapshotSeries::SnapshotSeries(const SeriesSettings& settings, Simulation& simulation, const RunRecord& run)
    : settings_{settings}, scene_{simulation.scene()}, every_{settings.every} {
    settings_.accelerations |= settings_.potentials;
    require_sound(simulation);
    if (settings_.patterns.empty()) return;
    if (!settings_.interval.empty())
        interval_ = in_units_of(scene_.days_per_time, scene_.id, "--snapshots-interval",
                                parse_duration("--snapshots-interval", settings_.interval));
    else if (every_ == 0 && run.until)
        interval_ = std::max((*run.until - scene_.time) / kDefaultCount, kLeastPart * scene_.dt);
    else if (every_ == 0)
        every_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(run.steps) / kDefaultCount));
    if (every_ == 0 && !(interval_ >= kLeastPart * scene_.dt))
        usage_error(fmt::format("--snapshots-interval '{}': must be positive, and at least {:g} of a step",
                                settings_.interval, kLeastPart));
    if (simulation.now().steps > 0) last_ = number_at(simulation);
    if (simulation.system().part()) return;
    scene_.bodies = simulation.system().labels();
    writer_.emplace(settings_.patterns,
                    SeriesOutput{settings_.compress, settings_.single, settings_.accelerations, settings_.potentials},
                    scene_, report_missing);
    scene_.bodies = {};
}

void SnapshotSeries::require_sound(const Simulation& simulation) const {
    const SeriesSettings nothing;
    if (settings_.patterns.empty() && settings_ != nothing)
        usage_error("--snapshots-… options need --snapshots NAME_%04d.EXTENSION");
    if (every_ > 0 && !settings_.interval.empty())
        usage_error("give either --snapshots-every or --snapshots-interval, not both");
    bool hdf5 = false;
    for (const std::string& pattern : settings_.patterns) {
        if (!is_pattern(pattern))
            usage_error(fmt::format("--snapshots {}: expected a place for the number, such as snap_%04d.h5", pattern));
        hdf5 = is_hdf5_snapshot(numbered(pattern, 0)) || hdf5;
        require_writable(numbered(pattern, 0).string());
    }
    if (!hdf5 && (settings_.compress > 0 || settings_.single || settings_.accelerations))
        usage_error(
            "--snapshots-compress, -single, -accelerations and -potentials need HDF5 files, such as "
            "snap_%04d.h5");
    const IntegratorEntry& integrator = orrery::integrator(simulation.scene().integrator);
    if (settings_.accelerations && !ends_with_forces(integrator))
        usage_error(
            fmt::format("--snapshots-accelerations: integrator '{}' moves bodies after the forces of a step; "
                        "leapfrog does not",
                        integrator.id));
}

bool SnapshotSeries::wants_forces(const Simulation& simulation) const {
    return settings_.accelerations && !simulation.forces().fresh() &&
           (simulation.now().steps == 0 || simulation.scene().encounters.on());
}

/// The number of the last snapshot that was due up to this state.
std::int64_t SnapshotSeries::number_at(const Simulation& simulation) const {
    if (every_ > 0) return simulation.now().steps / static_cast<std::int64_t>(every_);
    const double passed = (simulation.now().time - scene_.time) / interval_;
    return static_cast<std::int64_t>(std::floor(passed * kHair));
}

std::uint64_t SnapshotSeries::steps_left(const Simulation& simulation) const {
    if (settings_.patterns.empty()) return std::numeric_limits<std::uint64_t>::max();
    if (every_ > 0) return every_ - static_cast<std::uint64_t>(simulation.now().steps) % every_;
    const double next = scene_.time + static_cast<double>(number_at(simulation) + 1) * interval_;
    const double steps = (next - simulation.now().time) / simulation.scene().dt / kHair;
    return static_cast<std::uint64_t>(std::clamp(std::ceil(steps - 1e-9), 1.0, 1e15));
}

void SnapshotSeries::stepped(Simulation& simulation) {
    if (settings_.patterns.empty()) return;
    const std::int64_t number = number_at(simulation);
    if (number <= last_) return;
    last_ = number;
    if (const PartPower* const part = simulation.system().part()) return write(number, simulation, *part);
    writer_->add({number, simulation.now().time, simulation.system().copy(), simulation.encounters().labels(),
                  simulation.scene().gravity, simulation.scene().dt});
}

void SnapshotSeries::write(std::int64_t number, const Simulation& simulation, const PartPower& part) {
    Scene scene = scene_;
    scene.time = simulation.now().time, scene.gravity = simulation.scene().gravity, scene.dt = simulation.scene().dt;
    const hdf5::GadgetOutput how{.compress = settings_.compress, .single = settings_.single, .accelerations = {}};
    try {
        part.in_stretches([&](const BodyStretches& bodies) {
            for (const std::string& pattern : settings_.patterns) {
                const std::filesystem::path path = numbered(pattern, static_cast<std::uint64_t>(number));
                is_hdf5_snapshot(path) ? hdf5::write_gadget(scene, bodies, path, how)
                                       : write_snapshot(scene, bodies, path);
                ++written_;
            }
        });
    } catch (const Error& error) {
        if (!refused_) report_missing(refused_.emplace(error));
    }
}

}  // namespace orrery
