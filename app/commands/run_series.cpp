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
#include "app/record/file_name.hpp"
#include "app/scene/settings_of_series.hpp"
#include "core/base/standard_streams.hpp"
#include "core/formats/formats.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/integrators/integrators.hpp"
#include "core/settings/duration.hpp"

namespace orrery {
namespace {

constexpr double kUsual = 100;       // snapshots in all
constexpr double kLeastPart = 1e-3;  // of a step that an interval must be: numbers stay numbers
constexpr double kHair = 1 + 1e-12;  // 0.3 / 0.1 is not quite 3

bool is_hdf5(const std::filesystem::path& path) { return format_for(path).id == "gadget-hdf5"; }

/// Whether the accelerations after a step are those of the positions after it.
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
        interval_ = std::max((*run.until - scene_.time) / kUsual, kLeastPart * scene_.dt);
    else if (every_ == 0)
        every_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(run.steps) / kUsual));
    if (every_ == 0 && !(interval_ >= kLeastPart * scene_.dt))
        usage_error(fmt::format("--snapshots-interval '{}': must be positive, and at least {:g} of a step",
                                settings_.interval, kLeastPart));
    scene_.bodies.position_mass.clear(), scene_.bodies.velocity.clear();
    if (simulation.steps() > 0) last_ = number_at(simulation);
    thread_ = std::jthread{[this](const std::stop_token& stop) { write_all(stop); }};
}

void SnapshotSeries::require_sound(const Simulation& simulation) const {
    const SeriesSettings nothing;
    if (settings_.patterns.empty() && settings_ != nothing)
        usage_error("what is said of --snapshots-… needs --snapshots NAME_%04d.EXTENSION");
    if (every_ > 0 && !settings_.interval.empty())
        usage_error("--snapshots-every and --snapshots-interval: one of them");
    bool hdf5 = false;
    for (const std::string& pattern : settings_.patterns) {
        if (!is_pattern(pattern))
            usage_error(fmt::format("--snapshots {}: expected a place for the number, such as snap_%04d.h5", pattern));
        hdf5 = is_hdf5(numbered(pattern, 0)) || hdf5;
        require_writable(numbered(pattern, 0).string());
    }
    if (!hdf5 && (settings_.compress > 0 || settings_.single || settings_.accelerations))
        usage_error(
            "--snapshots-compress, -single, -accelerations and -potentials are of HDF5 files, such as "
            "snap_%04d.h5");
    const IntegratorEntry& integrator = simulation.integrator_entry();
    if (settings_.accelerations && !ends_with_forces(integrator))
        usage_error(
            fmt::format("--snapshots-accelerations: integrator '{}' moves bodies after the forces of a step; "
                        "leapfrog does not",
                        integrator.id));
}

bool SnapshotSeries::wants_forces(const Simulation& simulation) const {
    return settings_.accelerations && !simulation.forces_fresh() &&
           (simulation.steps() == 0 || simulation.encounter_rule().on());
}

/// Of the last snapshot that was due up to this state.
std::int64_t SnapshotSeries::number_at(const Simulation& simulation) const {
    if (every_ > 0) return simulation.steps() / static_cast<std::int64_t>(every_);
    const double passed = (simulation.time() - scene_.time) / interval_;
    return static_cast<std::int64_t>(std::floor(passed * kHair));
}

std::uint64_t SnapshotSeries::steps_left(const Simulation& simulation) const {
    if (settings_.patterns.empty()) return std::numeric_limits<std::uint64_t>::max();
    if (every_ > 0) return every_ - static_cast<std::uint64_t>(simulation.steps()) % every_;
    const double next = scene_.time + static_cast<double>(number_at(simulation) + 1) * interval_;
    const double steps = (next - simulation.time()) / simulation.dt() / kHair;
    return static_cast<std::uint64_t>(std::clamp(std::ceil(steps - 1e-9), 1.0, 1e15));
}

void SnapshotSeries::stepped(const Simulation& simulation) {
    if (settings_.patterns.empty()) return;
    const std::int64_t number = number_at(simulation);
    if (number <= last_) return;
    last_ = number;
    Due due{number, simulation.time(), simulation.system().copy(), simulation.labels()};
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return waiting_.size() < kMostWaiting; });
    waiting_.push_back(std::move(due));
    changed_.notify_all();
}

void SnapshotSeries::settle() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return waiting_.empty() && !writing_; });
}

void SnapshotSeries::write_all(const std::stop_token& stop) {
    std::unique_lock lock{mutex_};
    for (;;) {
        changed_.wait(lock, stop, [this] { return !waiting_.empty(); });
        if (waiting_.empty()) return;  // asked to stop, with nothing left to do
        const Due due = std::move(waiting_.front());
        waiting_.pop_front();
        writing_ = true;
        changed_.notify_all();
        lock.unlock();
        write(due);
        lock.lock();
        writing_ = false;
        changed_.notify_all();
    }
}

void SnapshotSeries::write(const Due& due) {
    try {
        Scene scene = scene_;
        scene.time = due.time;
        const BodyState state = due.bodies->state();
        Bodies moved = bodies_of(state);
        if (due.labels) scene.bodies = *due.labels;
        scene.bodies.position_mass = std::move(moved.position_mass);
        scene.bodies.velocity = std::move(moved.velocity);
        hdf5::GadgetOutput how{.compress = settings_.compress,
                               .single = settings_.single,
                               .accelerations = {},
                               .potentials = settings_.potentials};
        if (settings_.accelerations) how.accelerations = unpack<double>(state).acceleration;
        for (const std::string& pattern : settings_.patterns) {
            const std::filesystem::path path = numbered(pattern, static_cast<std::uint64_t>(due.number));
            is_hdf5(path) ? hdf5::write_gadget(scene, path, how) : write_snapshot(scene, path);
            const std::lock_guard lock{mutex_};
            ++written_;
        }
    } catch (const Error& error) {
        refuse(error);
    } catch (const std::exception& error) {  // memory, or the file system
        refuse({Blame::kEnvironment, fmt::format("snapshot {} of the series: {}", due.number, error.what())});
    }
}

void SnapshotSeries::refuse(const Error& error) {
    if (refused_) return;  // this thread alone writes it
    to_stderr("orrery: {}; this snapshot of the series is missing, and the run continues\n", error.what());
    const std::lock_guard lock{mutex_};
    refused_ = error;
}

}  // namespace orrery
