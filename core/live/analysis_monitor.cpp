// SPDX-License-Identifier: MIT
#include "core/live/analysis_monitor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/analysis/analyses.hpp"
#include "core/base/memory.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {
namespace {

using AnalysisSeconds = std::chrono::duration<double>;

constexpr std::uint64_t kAnalysisBytes = 300;  // per body: copies, values, cells of groups

/// The parts of a scene that plots need besides the state of the bodies.
Scene labels_of(const Simulation& simulation) {
    const Scene& scene = simulation.scene();
    Scene labels;
    labels.id = scene.id, labels.label = scene.label;
    labels.gravity = scene.gravity;
    labels.days_per_time = scene.days_per_time;
    labels.length_unit = scene.length_unit, labels.mass_unit = scene.mass_unit;
    labels.bodies.species = simulation.system().labels().species;
    return labels;
}

}  // namespace

AnalysisMonitor::AnalysisMonitor()
    : work_{[](const Work::Task& task) {
                const auto start = std::chrono::steady_clock::now();
                Pool pool{0, true};
                Scene scene = std::move(task.job().scene);
                std::vector<Species> species = std::move(scene.bodies.species);
                scene.bodies = bodies_of(std::exchange(task.job().bodies, nullptr)->state());
                if (species.size() == scene.bodies.size()) scene.bodies.species = std::move(species);
                auto made =
                    std::make_shared<const AnalysisResult>(analyse(pool, scene, task.job().settings, task.stop()));
                if (task.stop().stop_requested()) return;
                const double seconds = AnalysisSeconds{std::chrono::steady_clock::now() - start}.count();
                task.publish([&](std::optional<Result>& latest) { latest = {std::move(made), seconds, {}}; });
            },
            [](std::optional<Result>& latest, const std::string& failure) {
                if (!failure.empty()) latest = {nullptr, 0, failure};
            }} {}

void AnalysisMonitor::want(std::shared_ptr<const AnalysisSettings> settings, AnalysisStatus& status) {
    wanted_ = std::move(settings);
    work_.forget([](std::optional<Result>& latest) { latest.reset(); });
    status.note.clear();
    if (!wanted_) status.now.reset();
    next_ = Clock::now();
    asked_ = failed_ = false;
}

void AnalysisMonitor::restart(AnalysisStatus& status) {
    want(std::move(wanted_), status);
    status.now.reset();
}

void AnalysisMonitor::collect(AnalysisStatus& status) {
    auto result = work_.take([](std::optional<Result>& latest, bool) { return std::exchange(latest, std::nullopt); });
    if (!result) return;
    ++status.serial;
    status.settings = *wanted_;
    status.now = std::move(result->made);
    status.note = std::move(result->failure);
    status.time = asked_time_, status.step = asked_step_;
    status.seconds = result->seconds;
    failed_ = !status.now;
    const double period = std::max(kPeriod, kShare * status.seconds);
    next_ = asked_at_ + std::chrono::duration_cast<Clock::duration>(AnalysisSeconds{period});
}

void AnalysisMonitor::take(const Simulation& simulation, AnalysisStatus& status) {
    if (!wanted_) return;
    collect(status);
    const bool fresh = !asked_ || asked_moment_ != simulation.now().moment;
    if (!fresh || failed_ || simulation.within_step() || Clock::now() < next_ || work_.busy()) return;
    const std::uint64_t needed = kAnalysisBytes * simulation.system().count(), free = available_memory();
    if (free > 0 && needed > free / 2) {
        status.note =
            fmt::format("a plot of these bodies needs {:.1f} GB, more than half of the {:.1f} GB of free memory",
                        1e-9 * static_cast<double>(needed), 1e-9 * static_cast<double>(free));
        failed_ = true;
        return;
    }
    asked_ = true;
    asked_moment_ = simulation.now().moment, asked_time_ = simulation.now().time, asked_step_ = simulation.now().steps;
    asked_at_ = Clock::now();
    work_.start({simulation.system().copy(), labels_of(simulation), *wanted_},
                [](std::optional<Result>& latest) { latest.reset(); });
}

}  // namespace orrery
