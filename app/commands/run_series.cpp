// SPDX-License-Identifier: MIT
#include "app/commands/run_series.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

#include "app/cli/options.hpp"
#include "app/cli/setting_options.hpp"
#include "app/record/recorders.hpp"
#include "app/scene/settings_of_series.hpp"
#include "core/base/standard_streams.hpp"
#include "core/formats/formats.hpp"
#include "core/integrators/integrators.hpp"
#include "core/settings/duration.hpp"

namespace orrery {
namespace {

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

void add_series(CLI::App& app, SeriesSettings& settings) {
    app.add_option("--snapshots", settings.patterns,
                   "Series of snapshots of the run, NAME_%04d.EXTENSION; several with different extensions")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    SettingOptions{app}.add(series_settings(), settings);
}

SnapshotSeries::SnapshotSeries(const SeriesSettings& settings, const Simulation& simulation, const RunRecord& run)
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
    writer_.emplace(settings_.patterns,
                    SeriesOutput{settings_.compress, settings_.single, settings_.accelerations, settings_.potentials},
                    scene_, [](const Error& error) {
                        to_stderr("orrery: {}; this snapshot of the series is missing, and the run continues\n",
                                  error.what());
                        return true;
                    });
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

void SnapshotSeries::stepped(const Simulation& simulation) {
    if (settings_.patterns.empty()) return;
    const std::int64_t number = number_at(simulation);
    if (number <= last_) return;
    last_ = number;
    writer_->add({number, simulation.now().time, simulation.system().copy(), simulation.encounters().labels(),
                  simulation.scene().gravity, simulation.scene().dt});
}

}  // namespace orrery
