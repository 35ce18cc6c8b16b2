// SPDX-License-Identifier: MIT
#include "app/window/plots/roofline.hpp"

namespace orrery {
namespace {

using Measurement = BackgroundJob<EngineConfig, RooflineState>;

void measure_ceilings(const Measurement::Task& task) {
    const EngineConfig& engine = task.job();
    const Ceilings found = ceilings(engine.backend, engine.precision, engine.threads);
    task.publish([&](RooflineState& news) { news.ceilings = found, news.of = engine; });
}

}  // namespace

bool has_bound(const Status& status) {
    return status.dynamics.gravity.law == PairLaw::kGravity && status.engine.ranks == 1 &&
           pair_cost(status.engine.config, true);
}

std::optional<double> pairs_bound(const UiState& state) {
    const RooflineState& measured = state.own.of<RooflineState>();
    const EngineConfig& engine = state.status.engine.config;
    if (!measured.ceilings || !has_bound(state.status) || measured.of.backend != engine.backend ||
        measured.of.precision != engine.precision || measured.of.threads != engine.threads)
        return std::nullopt;
    return pairs_bound(*measured.ceilings, *pair_cost(engine, engine.equal_masses), engine.precision,
                       state.status.bodies);
}

void RooflineMonitor::update(UiState& state) {
    RooflineState& shown = state.own.of<RooflineState>();
    if (shown.wanted) {
        if (!work_)
            work_ =
                std::make_unique<Measurement>(measure_ceilings, [](RooflineState& news, const std::string& failure) {
                    news.measuring = false, news.why_not = failure;
                });
        work_->start_if_idle(state.status.engine.config, [](RooflineState& news) { news.measuring = true; });
        shown.wanted = false;
    }
    if (work_)
        work_->take([&](const RooflineState& news, bool changed) {
            if (changed) shown = news;
        });
}

}  // namespace orrery
