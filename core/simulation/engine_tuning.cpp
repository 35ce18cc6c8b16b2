// SPDX-License-Identifier: MIT
#include "core/simulation/engine_tuning.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/engines/device_tuning.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/ranks/ranks.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {
namespace {

constexpr double kSecondsBetween = 10;  // choices
constexpr std::array<std::string_view, 2> kAutoTrees{"tree", "fmm"};
constexpr double kPatience = 3;  // seconds until a failure counts as this rank's alone
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

EngineTuning::EngineTuning(Ranks* ranks) : ranks_{ranks}, forces_{ranks} {}
EngineTuning::EngineTuning(EngineTuning&&) noexcept = default;
EngineTuning& EngineTuning::operator=(EngineTuning&&) noexcept = default;
EngineTuning::~EngineTuning() = default;

std::optional<EngineConfig> EngineTuning::first_engine(const EngineConfig& asked, std::size_t bodies, PairLaw law,
                                                       const Ranks* ranks) {
    const DeviceTuning& measured = tuning_of(asked.backend);
    std::optional<EngineConfig> first;
    if (asked.engine == "auto" && tunable(asked, bodies, law)) {
        first = auto_by_rule(asked, bodies, law);
        first->compensated = asked.compensated;
        const std::string engine = ranks ? std::string{} : fastest_tuned(measured, asked.precision, bodies, kAutoTrees);
        if (!engine.empty() && accuracy_to_keep(asked.tree) == kDefaultAccuracy && find_engine(engine, asked.backend)) {
            first->engine = engine;
            first->tree = asked.tree;
        }
    }
    if (asked.deterministic || ranks) return first;
    const EngineConfig& open = first ? *first : asked;
    const EngineConfig tuned = with_tuning(measured, open, bodies);
    return tuned == open ? first : std::optional{tuned};
}

void EngineTuning::restart(const EngineConfig& asked, std::size_t bodies, PairLaw law) {
    tuner_.stop();
    possible_ = true;
    chosen_at_.reset();
    used_.reset();
    if (!ranks_ || by_all())
        used_ = first_engine(asked, bodies, law, ranks_);  // a led system cannot exchange its engine
}

/// The value of rank 0.
double EngineTuning::agreed(double value) const { return by_all() ? ranks_->agreed(value) : value; }

bool EngineTuning::by_all() const { return ranks_ && !ranks_->leader; }

/// True if it holds on any rank.
bool EngineTuning::on_any(bool own) const {
    if (!by_all()) return own;
    std::vector<char> all(static_cast<std::size_t>(ranks_->count()));
    all[static_cast<std::size_t>(ranks_->rank())] = own ? 1 : 0;
    gather_parts(*ranks_, std::span{all}, all.size(), 1);
    return std::ranges::find(all, 1) != all.end();
}

/// True if a failure of an evaluation on this rank is one of all ranks, so that they refuse the candidate together.
bool EngineTuning::fails_on_all() const { return !by_all() || ranks_->all_arrive(kPatience); }

bool EngineTuning::due(const EngineConfig& asked, std::size_t bodies, PairLaw law, const ForceEvaluation& forces,
                       bool at_once) {
    if (!allowed_ || !possible_ || !(forces.last_seconds() > 0) || !tunable(asked, bodies, law)) return false;
    const Acceptance& acceptance = forces.acceptance();
    const bool keeps = acceptance.measured() && settled(acceptance, accuracy_to_keep(asked.tree));
    if (!tuner_.planned()) {
        if (tuner_.choice() && keeps) tuner_.settled_with(acceptance.factor);
        if (tuner_.choice() && !tuner_.outdated(bodies, acceptance.factor)) return false;
        const double now = agreed(seconds_now());
        if (tuner_.choice() && now < chosen_time_ + kSecondsBetween) return false;
        tuner_.plan(asked, bodies, now);
    }
    if (at_once) return tuner_.planned();
    return tuner_.due(agreed(seconds_now()), agreed(forces.last_seconds()));
}

bool EngineTuning::begin(BodySystem& system, Snapshot kept) {
    over_ = false;
    evaluations_ = 0, spent_ = 0;
    std::string refusal;
    try {
        if (!system.exchange_engine(tuner_.candidate())) return possible_ = false;
        forces_.reset(system);
        if (const double factor = tuner_.known_factor(); factor > 0)
            forces_.restore(system, {}, false, {.acceptance = {.factor = factor}, .next = kNever});
    } catch (const Error& error) {
        refusal = error.what();
    }
    if (on_any(!refusal.empty())) {  // memory may suffice on some ranks only
        tuner_.refuse(refusal.empty() ? "another rank cannot create it" : refusal);
        over_ = true;
    }
    kept_ = std::make_unique<Snapshot>(std::move(kept));
    return true;
}

bool EngineTuning::work(BodySystem& system, const Gravity& gravity, std::chrono::duration<double> budget) {
    const double start = seconds_now();
    const auto left = [&] { return std::chrono::duration<double>{budget.count() - (seconds_now() - start)}; };
    const ForceTask task{system, gravity};
    while (!over_ && left().count() > 0) {
        const double before = seconds_now();
        try {
            const bool complete = forces_.work_and_measure(task, evaluations_, left());
            spent_ += seconds_now() - before;
            if (!complete) return false;
        } catch (const Error& error) {
            if (!fails_on_all()) throw;
            tuner_.refuse(error.what());
            over_ = true;
            break;
        }
        ++evaluations_;
        const double asked = system.accuracy_to_keep();
        const Acceptance& acceptance = forces_.acceptance();
        over_ = tuner_.add({.seconds = agreed(forces_.last_seconds()),
                            .cost = agreed(std::exchange(spent_, 0)),
                            .settled = !(asked > 0) || tuner_.known_factor() > 0 || settled(acceptance, asked),
                            .error = asked > 0 ? std::max(acceptance.error, 0.0) : 0,
                            .asked = asked,
                            .factor = acceptance.factor});
    }
    return over_;
}

Snapshot EngineTuning::end() {
    if (!over_) tuner_.abandon();
    if (tuner_.choice()) chosen_time_ = agreed(seconds_now());
    return std::move(*std::exchange(kept_, nullptr));
}

std::optional<EngineConfig> EngineTuning::choose(BodySystem& system, const EngineConfig& asked,
                                                 const Gravity& gravity) {
    if (!tunable(asked, system.count(), gravity.law)) return std::nullopt;
    tuner_.plan(asked, system.count(), 0);
    bool exchanged = false;
    while (tuner_.planned() && begin(system, Snapshot{})) {
        exchanged = true;
        while (!work(system, gravity, std::chrono::hours{1})) {
        }
        end();
    }
    if (exchanged) system.exchange_engine(tuner_.choice().value_or(asked));
    return tuner_.choice();
}

const EngineConfig* EngineTuning::pending(std::uint64_t moment) const {
    if (!tuner_.choice() || used_ == tuner_.choice() || (chosen_at_ && moment < *chosen_at_)) return nullptr;
    return &*tuner_.choice();
}

std::uint64_t EngineTuning::steps_left(std::uint64_t moment, std::uint64_t most) const {
    if (!chosen_at_ || moment >= *chosen_at_) return most;
    return std::min(most, *chosen_at_ - moment);
}

}  // namespace orrery
