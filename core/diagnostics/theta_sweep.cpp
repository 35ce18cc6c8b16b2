// SPDX-License-Identifier: MIT
#include "core/analysis/background.hpp"
#include "core/engines/menu.hpp"
#include "core/engines/tree_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace orrery {
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
