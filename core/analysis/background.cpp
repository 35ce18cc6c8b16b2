// SPDX-License-Identifier: MIT
#include "core/analysis/background.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <limits>
#include <utility>

#include "core/engines/menu.hpp"
#include "core/engines/tree_choice.hpp"

namespace orrery {

EngineConfig watched_energy_engine(Law law, PairLaw pairs, Backend backend, std::size_t bodies) {
    constexpr std::size_t kMostCpu = 65'536, kMostCuda = 524'288;  // N² pairs in double: a few seconds
    if (backend == Backend::kGl) backend = best_backend();         // its only queue is that of the steps
    EngineConfig config = energy_engine(law, backend);
    config.background = true;
    if (law != Law::kPairs || pairs != PairLaw::kGravity ||
        bodies <= (backend == Backend::kCuda ? kMostCuda : kMostCpu))
        return config;
    config.engine = "tree";
    config.tree.theta = 0.5, config.tree.order = 2;
    return config;
}

BackgroundDiagnostics::BackgroundDiagnostics()
    : work_{run, [](std::optional<Result>&, const std::string&) {}} {}  // run() reports failures itself

bool BackgroundDiagnostics::start(const Bodies& bodies, const Gravity& gravity, Backend backend, std::uint64_t serial,
                                  Law law) {
    return start(std::make_shared<HostCopy>(state_of(bodies)), gravity, backend, serial, law, bodies.charge);
}

bool BackgroundDiagnostics::start(std::shared_ptr<const BodyCopy> bodies, const Gravity& gravity, Backend backend,
                                  std::uint64_t serial, Law law, std::vector<double> charge) {
    return work_.start_if_idle({std::move(bodies), gravity, backend, serial, law, std::move(charge)},
                               [](std::optional<Result>&) {});
}

std::optional<BackgroundDiagnostics::Result> BackgroundDiagnostics::take() {
    return work_.take([](std::optional<Result>& result, bool) { return std::exchange(result, std::nullopt); });
}

void BackgroundDiagnostics::cancel() {
    work_.forget([](std::optional<Result>& result) { result.reset(); });
}

bool BackgroundDiagnostics::busy() const { return work_.busy(); }

void BackgroundDiagnostics::run(const Work::Task& task) {
    const Job& job = task.job();
    Result result{.serial = job.serial};
    Leisure leisure;
    const auto start = std::chrono::steady_clock::now();
    try {
        Bodies bodies = bodies_of(std::exchange(job.bodies, nullptr)->state());
        bodies.charge = job.charge;
        EngineConfig config = watched_energy_engine(job.law, job.gravity.law, job.backend, bodies.size());
        if (config.engine == "tree" && job.backend == Backend::kCuda) {
            config.precision = Precision::kSingle;  // smaller error than the tree's
            leisure.rests = 99;
        }
        result.diagnostics =
            diagnose(bodies, job.gravity, config, task.stop(), job.backend == Backend::kCuda ? &leisure : nullptr);
    } catch (const std::exception& e) {  // out of memory or no device: the caller decides what to do
        result.failure = e.what();
    }
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() - leisure.rested;
    task.publish([&](std::optional<Result>& latest) { latest = std::move(result); });
}

namespace {

constexpr std::array kThetas{1.0, 0.9, 0.8, 0.7,
                             0.6, 0.5, 0.4, 0.3};  // from fast to exact, so that the first points come soon
constexpr int kRepeats = 3;            // least number of evaluations in each of two rounds; their minimum is the time
constexpr double kLeastSeconds = 0.1;  // minimum time spent, since other work disturbs short measurements most
constexpr std::size_t kSamples = 512;  // each costs N pairs in double
constexpr std::size_t kSliceBodies = 16384;  // bodies evaluated between checks for a stop

/// The configurations in order of measurement: for each θ all orders that are compared.
std::vector<EngineConfig> plan(EngineConfig config) {
    config.background = true;
    config.tree.accuracy = config.tree.alpha = 0;
    std::vector<EngineConfig> all;
    for (const double theta : kThetas) {
        for (const int order : swept_orders(engine(config.engine, config.backend))) {
            config.tree.theta = theta, config.tree.order = order;
            all.push_back(config);
        }
    }
    return all;
}

/// Seconds of one evaluation; meaningless if it was stopped.
double evaluate(BodySystem& system, const Gravity& gravity, const std::stop_token& stop) {
    system.clock().start();
    const std::uint64_t items = system.begin_forces(gravity, Potential::kSkip);
    double seconds = system.clock().stop();
    const std::uint64_t slice = std::max<std::uint64_t>(1, items / (1 + system.count() / kSliceBodies));
    for (std::uint64_t first = 0; first < items && !stop.stop_requested(); first += slice) {
        system.clock().start();
        system.run_forces(first, std::min(items, first + slice));
        seconds += system.clock().stop();
    }
    return seconds;
}

/// The minimum over several evaluations; meaningless if it was stopped.
double least_seconds(BodySystem& system, const Gravity& gravity, const std::stop_token& stop) {
    double least = std::numeric_limits<double>::infinity(), total = 0;
    for (int i = 0; (i < kRepeats || total < kLeastSeconds) && !stop.stop_requested(); ++i) {
        const double seconds = evaluate(system, gravity, stop);
        total += seconds;
        least = std::min(least, seconds);
    }
    return least;
}

}  // namespace

BackgroundThetaSweep::BackgroundThetaSweep()
    : work_{measure, [](ThetaSweep& sweep, const std::string& failure) {
                sweep.running = false, sweep.failure = failure;  // shown in place of the points
            }} {}

void BackgroundThetaSweep::start(Bodies bodies, const Gravity& gravity, const EngineConfig& config) {
    const ThetaSweep begun{
        .planned = plan(config).size(),
        .running = true,
        .bodies = bodies.size(),
        .engine = fmt::format("{} on {}, {}", config.engine, name(config.backend), name(config.precision))};
    work_.start({std::move(bodies), gravity, config}, [&](ThetaSweep& sweep) { sweep = begun; });
}

void BackgroundThetaSweep::stop() {
    work_.forget([](ThetaSweep& sweep) { sweep.running = false; });
}

void BackgroundThetaSweep::clear() {
    work_.forget([](ThetaSweep& sweep) { sweep = {}; });
}

std::optional<ThetaSweep> BackgroundThetaSweep::take() {
    return work_.take(
        [](const ThetaSweep& sweep, bool changed) { return changed ? std::optional{sweep} : std::nullopt; });
}

/// Two rounds, so that a disturbance in the first does not affect the second.
void BackgroundThetaSweep::measure(const Work::Task& task) {
    const Job& job = task.job();
    const std::vector<EngineConfig> all = plan(job.config);
    const std::size_t samples = std::min(kSamples, job.bodies.size());
    for (std::size_t i = 0; i < 2 * all.size(); ++i) {
        const EngineConfig& config = all[i % all.size()];
        const auto system = make_body_system(config, job.bodies);
        const double seconds = least_seconds(*system, job.gravity, task.stop());
        if (task.stop().stop_requested()) return;
        if (i < all.size()) {
            const ThetaPoint point{config.tree.theta, config.tree.order, seconds,
                                   system->force_error(job.gravity, samples)};
            task.publish([&](ThetaSweep& result) { result.points.push_back(point); });
        } else {
            task.publish([&](ThetaSweep& result) {
                double& known = result.points[i % all.size()].seconds;
                known = std::min(known, seconds);
            });
        }
    }
}

}  // namespace orrery
