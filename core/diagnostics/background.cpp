// SPDX-License-Identifier: MIT
#include "core/diagnostics/background.hpp"

#include <chrono>
#include <exception>
#include <utility>

#include "core/base/give_way.hpp"

namespace orrery {

BackgroundDiagnostics::BackgroundDiagnostics() : thread_{[this](std::stop_token stop) { work(std::move(stop)); }} {}

BackgroundDiagnostics::~BackgroundDiagnostics() { cancel(); }

bool BackgroundDiagnostics::start(Bodies bodies, const Gravity& gravity, Backend backend, std::uint64_t serial,
                                  Law law) {
    {
        const std::lock_guard lock{mutex_};
        if (working_ || next_) return false;
        current_ = std::stop_source{};
        next_ = Job{std::move(bodies), gravity, backend, serial, law, current_.get_token()};
    }
    wake_.notify_one();
    return true;
}

std::optional<BackgroundDiagnostics::Result> BackgroundDiagnostics::take() {
    const std::lock_guard lock{mutex_};
    return std::exchange(result_, std::nullopt);
}

void BackgroundDiagnostics::cancel() {
    const std::lock_guard lock{mutex_};
    current_.request_stop();
    next_.reset();
    result_.reset();
}

bool BackgroundDiagnostics::busy() const {
    const std::lock_guard lock{mutex_};
    return working_ || next_;
}

void BackgroundDiagnostics::work(std::stop_token stop) {
    give_way();
    for (;;) {
        std::unique_lock lock{mutex_};
        working_ = false;
        if (!wake_.wait(lock, stop, [this] { return next_.has_value(); })) return;
        const Job job = *std::exchange(next_, std::nullopt);
        working_ = true;
        lock.unlock();
        Result result = run(job);
        lock.lock();
        if (!job.stop.stop_requested()) result_ = std::move(result);
    }
}

BackgroundDiagnostics::Result BackgroundDiagnostics::run(const Job& job) {
    Result result{.serial = job.serial};
    const auto start = std::chrono::steady_clock::now();
    try {
        EngineConfig config = energy_engine(job.law, job.backend);
        config.background = true;
        result.diagnostics = diagnose(job.bodies, job.gravity, config, job.stop);
    } catch (const std::exception& e) {  // no memory, no device: the caller decides what that means
        result.failure = e.what();
    }
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

}  // namespace orrery
