// SPDX-License-Identifier: MIT
#include "core/simulation/force_evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/ranks/ranks.hpp"

namespace orrery {
namespace {

constexpr std::uint64_t kRarer = 4;  // each gap between measurements is this many times the previous one
constexpr std::chrono::hours kWhole{1};
constexpr double kMissed = 1.05;  // beyond this the accuracy counts as missed; a sample is accurate to a few percent

bool missed(const Acceptance& acceptance, double asked) {
    return acceptance.measured() && acceptance.error > kMissed * asked;
}

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

void AccuracyKeeper::restore(const KeptAccuracy& kept, BodySystem& system) {
    abandon();
    kept_ = kept;
    system.scale_acceptance(kept_.acceptance.factor);
}

bool AccuracyKeeper::work(BodySystem& system, const Gravity& gravity, std::uint64_t moment,
                          std::chrono::duration<double> budget, Ranks* ranks) {
    if (!under_way_) sample_.begin(system), under_way_ = true;
    if (!sample_.work(system, gravity, budget)) return false;
    under_way_ = false;
    const double asked = system.accuracy_to_keep(), measured = ranks ? ranks->agreed(sample_.error()) : sample_.error();
    Acceptance& acceptance = kept_.acceptance;
    const double before = acceptance.factor;
    acceptance = adjusted(acceptance, asked, measured);
    if (acceptance.factor != before) system.scale_acceptance(acceptance.factor);
    const std::uint64_t most = kRarely * std::max<std::uint64_t>(sample_.rounds(), ErrorSample::kLeastRounds);
    kept_.gap = settled(acceptance, asked) ? std::min(kRarer * kept_.gap, most) : 1;
    kept_.next = moment + kept_.gap;
    return true;
}

Acceptance settle_accuracy(BodySystem& system, const Gravity& gravity, Ranks* ranks) {
    AccuracyKeeper keeper;
    for (std::uint64_t i = 0; i < 10; ++i) {
        system.run_forces(0, system.begin_forces(gravity, Potential::kSkip));
        const double asked = system.accuracy_to_keep();
        if (!(asked > 0)) break;
        system.wait();
        keeper.work(system, gravity, i, kWhole, ranks);
        if (settled(keeper.kept().acceptance, asked)) break;
    }
    return keeper.kept().acceptance;
}

std::string accuracy_text(const Acceptance& acceptance, const EngineConfig& engine, double asked) {
    if (!acceptance.measured()) return "not yet measured";
    const std::string text = fmt::format("{:.1e} measured, {:g} requested", acceptance.error, asked);
    switch (acceptance.limit) {
        case AcceptanceLimit::kLoosest:
            return text + ": a looser criterion changes nothing here";
        case AcceptanceLimit::kFinest:
            return text + fmt::format(": {} precision gives no more here{}", name(engine.precision),
                                      engine.precision == Precision::kDouble ? "" : ", double does");
        case AcceptanceLimit::kNone:
            break;
    }
    return text + fmt::format("{}, criterion × {:.3g}", missed(acceptance, asked) ? ": not reached yet" : "",
                              acceptance.factor);
}

std::string accuracy_missed(const Acceptance& acceptance, const EngineConfig& engine, double asked) {
    if (!(asked > 0) || !missed(acceptance, asked)) return {};
    const std::string found = fmt::format("the forces of '{}' err by {:.1e}, above the accuracy of {:g}", engine.engine,
                                          acceptance.error, asked);
    if (acceptance.limit != AcceptanceLimit::kFinest)
        return found + fmt::format("; more steps may reach it, or --accuracy {:.1g}, or --engine direct",
                                   asked * asked / acceptance.error);
    return found + (engine.precision == Precision::kDouble ? "; --engine direct reaches it"
                                                           : "; --precision double reaches it");
}

std::uint64_t ForceEvaluation::begin(const ForceTask& task) {
    evaluated_.reset();
    const std::size_t count = task.system.count();
    body_forces_ += task.due > 0 ? task.due : count;
    if (task.jerk) return require_steps(task.system).begin_jerk_forces(task.gravity, task.due > 0);
    return task.due > 0 && task.due < count ? require_steps(task.system).begin_due_forces(task.gravity, potential())
                                            : task.system.begin_forces(task.gravity, potential());
}

bool ForceEvaluation::work(const ForceTask& task, std::chrono::duration<double> budget) {
    const auto start = Clock::now();
    BodySystem& system = task.system;
    if (items_ == 0) {
        system.clock().start();
        items_ = begin(task);
        seconds_ = system.clock().stop();
        next_item_ = 0;
    }
    const std::uint64_t before = next_item_;  // makes progress with any budget
    // The first slice is a single item, to measure the rate; later slices fill the budget.
    while (next_item_ < items_) {
        const double left = budget.count() - seconds_since(start);
        const double fit = items_per_second_ * std::clamp(left, 0.0, 3600.0);
        if (next_item_ > before && left <= 0) break;
        const auto slice = static_cast<std::uint64_t>(std::clamp(fit, 1.0, static_cast<double>(items_ - next_item_)));
        system.clock().start();
        system.run_forces(next_item_, next_item_ + slice);
        const double took = std::max(system.clock().stop(), 1e-9);
        next_item_ += slice;
        seconds_ += took;
        items_per_second_ = static_cast<double>(slice) / took;
    }
    if (next_item_ < items_) return false;
    if (task.due == 0) last_seconds_ = seconds_;
    restart();
    fresh_ = true;
    color_forces_ = color_forces_ || task.due == 0 || task.jerk;
    evaluated_ = task.gravity;
    return true;
}

bool ForceEvaluation::work_and_measure(const ForceTask& task, std::uint64_t moment,
                                       std::chrono::duration<double> budget) {
    const auto start = Clock::now();
    if (!keeper_.under_way()) {
        if (!work(task, budget)) return false;
        if (!keeper_.due(task.system, moment)) return true;
    }
    const std::chrono::duration<double> left{budget.count() - seconds_since(start)};
    return keeper_.work(task.system, task.gravity, moment, left, ranks_ && !ranks_->leader ? ranks_ : nullptr);
}

void ForceEvaluation::enqueue(const ForceTask& task) {
    fresh_ = false;
    task.system.run_forces(0, begin(task));
    fresh_ = color_forces_ = true;
    evaluated_ = task.gravity;
}

std::uint64_t ForceEvaluation::repeat(const ForceTask& task, const MoveCycle& moves, std::uint64_t times) {
    const std::uint64_t played = task.system.step_queue()->repeat(moves, task.gravity, potential(), times);
    body_forces_ += played * moves.size() * task.system.count();
    return played;
}

double ForceEvaluation::progress() const {
    return items_ == 0 ? 0 : static_cast<double>(next_item_) / static_cast<double>(items_);
}

void ForceEvaluation::set_color(const FrameColor& color) {
    const Potential before = potential();
    color_ = color;
    if (potential() == before) return;
    if (color.by == ColorBy::kPotential) color_forces_ = false;
    restart();  // an evaluation in progress would yield only some of the potentials
}

void ForceEvaluation::restart() {
    keeper_.abandon();
    items_ = next_item_ = 0;
    fresh_ = false;
}

void ForceEvaluation::discard() {
    evaluated_.reset();
    color_forces_ = false;
    restart();
}

void ForceEvaluation::change_system(BodySystem& system, bool other_engine, std::uint64_t moment) {
    discard();
    items_per_second_ = 0;
    if (other_engine) keeper_.restart(moment);
    keeper_.restore(keeper_.kept(), system);
}

void ForceEvaluation::restore(BodySystem& system, const std::optional<Gravity>& evaluated, bool fresh,
                              const KeptAccuracy& accuracy) {
    restart();
    keeper_.restore(accuracy, system);
    evaluated_ = evaluated;
    fresh_ = fresh;
}

void ForceEvaluation::reset(BodySystem& system) {
    discard();
    body_forces_ = 0;
    keeper_ = {};
    keeper_.restore(keeper_.kept(), system);
}

}  // namespace orrery
