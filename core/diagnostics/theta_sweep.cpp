// SPDX-License-Identifier: MIT
#include "core/diagnostics/theta_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/base/give_way.hpp"

namespace orrery {
namespace {

constexpr std::array kThetas{1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3};  // from fast to exact: points come early
constexpr int kRepeats = 3;                  // at least, in each of two rounds; the least of them is the time
constexpr double kLeastSeconds = 0.1;        // and so long, since other work disturbs short ones most
constexpr std::size_t kSamples = 512;        // each costs N pairs in double
constexpr std::size_t kSliceBodies = 16384;  // so much is evaluated before a stop is seen

/// What is measured, in order: monopoles, and quadrupoles where the engine has them.
std::vector<EngineConfig> plan(EngineConfig config) {
    const int orders = engine(config.engine, config.backend).theta_only ? 1 : 2;
    config.background = true;
    config.tree.accuracy = config.tree.alpha = 0;
    std::vector<EngineConfig> all;
    for (const double theta : kThetas) {
        for (int order = 1; order <= orders; ++order) {
            config.tree.theta = theta, config.tree.order = order;
            all.push_back(config);
        }
    }
    return all;
}

/// Seconds of one evaluation; meaningless when it was stopped.
double evaluate(BodySystem& system, const Gravity& gravity, const std::stop_token& stop) {
    system.start_clock();
    const std::uint64_t items = system.begin_forces(gravity, Potential::kSkip);
    double seconds = system.stop_clock();
    const std::uint64_t slice = std::max<std::uint64_t>(1, items / (1 + system.count() / kSliceBodies));
    for (std::uint64_t first = 0; first < items && !stop.stop_requested(); first += slice) {
        system.start_clock();
        system.run_forces(first, std::min(items, first + slice));
        seconds += system.stop_clock();
    }
    return seconds;
}

/// The least of some evaluations; meaningless when it was stopped.
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

BackgroundThetaSweep::BackgroundThetaSweep() : thread_{[this](const std::stop_token& stop) { work(stop); }} {}

BackgroundThetaSweep::~BackgroundThetaSweep() { clear(); }

void BackgroundThetaSweep::start(Bodies bodies, const Gravity& gravity, const EngineConfig& config) {
    {
        const std::lock_guard lock{mutex_};
        current_.request_stop();
        current_ = std::stop_source{};
        result_ = {.planned = plan(config).size(),
                   .running = true,
                   .bodies = bodies.size(),
                   .engine = fmt::format("{} on {}, {}", config.engine, name(config.backend), name(config.precision))};
        changed_ = true;
        next_ = Job{std::move(bodies), gravity, config, current_.get_token()};
    }
    wake_.notify_one();
}

void BackgroundThetaSweep::stop() {
    const std::lock_guard lock{mutex_};
    current_.request_stop();
    next_.reset();
    result_.running = false;
    changed_ = true;
}

void BackgroundThetaSweep::clear() {
    stop();
    const std::lock_guard lock{mutex_};
    result_ = {};
}

std::optional<ThetaSweep> BackgroundThetaSweep::take() {
    const std::lock_guard lock{mutex_};
    if (!std::exchange(changed_, false)) return std::nullopt;
    return result_;
}

template <class Change>
void BackgroundThetaSweep::publish(const Job& job, const Change& change) {
    const std::lock_guard lock{mutex_};
    if (job.stop.stop_requested()) return;
    change(result_);
    changed_ = true;
}

void BackgroundThetaSweep::work(const std::stop_token& stop) {
    give_way();
    for (;;) {
        std::unique_lock lock{mutex_};
        if (!wake_.wait(lock, stop, [this] { return next_.has_value(); })) return;
        const Job job = *std::exchange(next_, std::nullopt);
        lock.unlock();
        std::string failure;
        try {
            measure(job);
        } catch (const std::exception& error) {  // no memory, no device: told where the points would be
            failure = error.what();
        }
        publish(job, [&](ThetaSweep& result) { result.running = false, result.failure = failure; });
    }
}

/// Two rounds: what disturbed a time in the first is over in the second.
void BackgroundThetaSweep::measure(const Job& job) {
    const std::vector<EngineConfig> all = plan(job.config);
    const std::size_t samples = std::min(kSamples, job.bodies.size());
    for (std::size_t i = 0; i < 2 * all.size(); ++i) {
        const EngineConfig& config = all[i % all.size()];
        const auto system = make_body_system(config, job.bodies);
        const double seconds = least_seconds(*system, job.gravity, job.stop);
        if (job.stop.stop_requested()) return;
        if (i < all.size()) {
            const ThetaPoint point{config.tree.theta, config.tree.order, seconds,
                                   system->force_error(job.gravity, samples)};
            publish(job, [&](ThetaSweep& result) { result.points.push_back(point); });
        } else {
            publish(job, [&](ThetaSweep& result) {
                double& known = result.points[i % all.size()].seconds;
                known = std::min(known, seconds);
            });
        }
    }
}

}  // namespace orrery
