// SPDX-License-Identifier: MIT
#include "core/analysis/background.hpp"

#include <chrono>
#include <exception>
#include <utility>

namespace orrery {

EngineConfig watched_energy_engine(Law law, PairLaw pairs, Backend backend, std::size_t bodies) {
    constexpr std::size_t kMostCpu = 65'536, kMostCuda = 524'288;  // N² pairs in double: a few seconds
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

}  // namespace orrery
