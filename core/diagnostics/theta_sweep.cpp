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
constexpr int kRepeats = 5;                                            // at least; the least of them is the time
constexpr double kLeastSeconds = 0.2;        // and so long, since other work disturbs short ones most
constexpr std::size_t kSamples = 512;        // each costs N pairs in double
constexpr std::size_t kSliceBodies = 16384;  // so much is evaluated before a stop is seen

/// Monopoles, or quadrupoles too.
int orders_of(const EngineConfig& config) { return engine(config.engine, config.backend).theta_only ? 1 : 2; }

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

/// None when it was stopped.
std::optional<ThetaPoint> measure_point(const Bodies& bodies, const Gravity& gravity, const EngineConfig& config,
                                        const std::stop_token& stop) {
    const auto system = make_body_system(config, bodies);
    double least = std::numeric_limits<double>::infinity();
    double total = 0;
    for (int i = 0; (i < kRepeats || total < kLeastSeconds) && !stop.stop_requested(); ++i) {
        const double seconds = evaluate(*system, gravity, stop);
        total += seconds;
        least = std::min(least, seconds);
    }
    if (stop.stop_requested()) return std::nullopt;
    const ForceError error = system->force_error(gravity, std::min(kSamples, bodies.size()));
    return ThetaPoint{config.tree.theta, config.tree.order, least, error};
}

}  // namespace

BackgroundThetaSweep::BackgroundThetaSweep() : thread_{[this](const std::stop_token& stop) { work(stop); }} {}

BackgroundThetaSweep::~BackgroundThetaSweep() { clear(); }

void BackgroundThetaSweep::start(Bodies bodies, const Gravity& gravity, const EngineConfig& config) {
    {
        const std::lock_guard lock{mutex_};
        current_.request_stop();
        current_ = std::stop_source{};
        result_ = {.planned = static_cast<std::size_t>(orders_of(config)) * kThetas.size(),
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

void BackgroundThetaSweep::measure(const Job& job) {
    EngineConfig config = job.config;
    config.background = true;
    config.tree.accuracy = config.tree.alpha = 0;
    for (const double theta : kThetas) {
        for (int order = 1; order <= orders_of(config); ++order) {
            config.tree.theta = theta, config.tree.order = order;
            const auto point = measure_point(job.bodies, job.gravity, config, job.stop);
            if (!point) return;
            publish(job, [&](ThetaSweep& result) { result.points.push_back(*point); });
        }
    }
}

}  // namespace orrery
