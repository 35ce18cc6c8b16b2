// SPDX-License-Identifier: MIT
// Engine selection by timing: tries candidate engines on the actual bodies, then delegates to the fastest.
#pragma once
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/engines/auto_plan.hpp"
#include "core/engines/engine.hpp"

namespace orrery {

/// Times candidate engines on the given bodies and uses the fastest. Trials run in the first begin() for each pair of
/// body count and force law; that begin() blocks, on a device too. With EngineConfig::deterministic or several ranks
/// the choice depends on N alone.
///
/// `Tools` supplies what differs between memory spaces: a Stopwatch with start(queue) and stop(queue), which waits and
/// returns seconds; and Accelerations{count, queue} with data(), zeroed scratch memory, so that trials do not overwrite
/// the bodies' accelerations.
template <class Space, class Real, class Tools>
class Auto final : public Engine<Space, Real>, public HistoryPower<Space, Real>, public AcceptancePower {
public:
    explicit Auto(const EngineConfig& asked) : asked_{asked} {}

    std::uint64_t begin(BodyView<Space, Real> bodies, const Gravity& gravity, Potential potential,
                        Queue<Space> queue) override {
        const Choice choice{bodies.count, gravity.law};
        auto known = picks_.find(choice);
        if (known == picks_.end()) {
            inner_.reset();  // its memory is needed for the trials
            known = picks_.emplace(choice, pick(bodies, gravity, queue)).first;
        }
        pick_ = &known->second;
        if (!inner_ || inner_config_ != pick_->config) {
            inner_.reset();
            inner_ = make(pick_->config);
            inner_config_ = pick_->config;
            if (auto* acceptance = inner_->acceptance()) acceptance->scale_acceptance(scale_);
            if (ranks_) inner_->share(*ranks_);
        }
        if (restored_) {
            if (auto* history = inner_->history())
                history->restore_history(bodies, restored_->gravity, restored_->key, queue);
            restored_.reset();
        }
        return inner_->begin(bodies, gravity, potential, queue);
    }
    void run(std::uint64_t first, std::uint64_t last, Queue<Space> queue) override { inner_->run(first, last, queue); }
    bool share(Ranks& ranks) override {
        ranks_ = &ranks;
        inner_.reset();
        picks_.clear();
        return true;
    }
    void restore_history(BodyView<Space, Real>, const Gravity& gravity, std::uint64_t key, Queue<Space>) override {
        restored_ = {gravity, key};  // applied by the next begin(), once the engine is chosen
    }
    void forget() override {
        restored_.reset();
        if (auto* history = inner_ ? inner_->history() : nullptr) history->forget();
    }
    std::uint64_t history_key() const override {
        if (restored_) return restored_->key;
        const auto* history = inner_ ? inner_->history() : nullptr;
        return history ? history->history_key() : 0;
    }
    bool replays() const override { return inner_ && !restored_ && inner_->replays(); }
    std::string choice() const override {
        if (!inner_) return {};
        const std::string more = inner_->choice();
        return pick_->why + (more.empty() ? "" : " · ") + more;
    }
    EngineReport report() const override { return inner_ ? inner_->report() : EngineReport{}; }
    const TreePower<Space>* tree() const override { return inner_ ? inner_->tree() : nullptr; }
    HistoryPower<Space, Real>* history() override { return this; }
    AcceptancePower* acceptance() override { return this; }
    double accuracy_to_keep() const override {
        const auto* acceptance = inner_ ? inner_->acceptance() : nullptr;
        return acceptance ? acceptance->accuracy_to_keep() : 0;
    }
    void scale_acceptance(double factor) override {
        scale_ = factor;
        if (auto* acceptance = inner_ ? inner_->acceptance() : nullptr) acceptance->scale_acceptance(factor);
    }

private:
    using Inner = std::unique_ptr<Engine<Space, Real>>;
    struct Pick {
        EngineConfig config;
        std::string why;
    };

    static constexpr double kSeconds = 0.02;  // of work timed for each engine, in each of two rounds
    static constexpr double kDear = 0.1;      // engines that took longer, perhaps to set up, are timed only once
    static constexpr int kMostRepeats = 20;

    static Inner make(const EngineConfig& config) {
        return std::get<Inner>(engine(config.engine, config.backend).make(config));
    }

    Pick pick(BodyView<Space, Real> bodies, const Gravity& gravity, Queue<Space> queue) const {
        if (asked_.deterministic || ranks_) {  // ranks could choose differently from their own timings
            const EngineConfig config = auto_by_rule(asked_, bodies.count, gravity.law);
            return {config, describe(config) + ", chosen by the number of bodies alone, so that " +
                                (asked_.deterministic ? "runs are reproducible" : "all ranks choose the same")};
        }
        typename Tools::template Accelerations<Real> accelerations{bodies.count, queue};
        bodies.acceleration = accelerations.data();
        std::vector<Trial> trials;
        double spent = 0;
        const auto try_all = [&](const std::vector<EngineConfig>& configs) {
            const std::size_t first = trials.size();
            for (const EngineConfig& config : configs) trials.push_back({.config = config});
            // Two rounds: other work on the machine may disturb one of them, and the first also warms up threads and
            // clocks.
            for (int round = 0; round < 2; ++round)
                for (std::size_t i = first; i < trials.size(); ++i)
                    if (trials[i].refusal.empty() && trials[i].spent < kDear)
                        spent += try_again(trials[i], bodies, gravity, queue);
        };
        try_all(auto_candidates(asked_, bodies.count, gravity.law));
        try_all(auto_maps(fastest(trials).config, bodies.count));
        return {fastest(trials).config, describe(trials, spent)};
    }

    /// Returns the seconds spent.
    static double try_again(Trial& trial, BodyView<Space, Real> bodies, const Gravity& gravity, Queue<Space> queue) {
        Trial now{.config = trial.config};
        try {
            time(now, bodies, gravity, queue);
        } catch (const Error& error) {
            now.refusal = error.what();
        }
        if (trial.spent == 0 || !now.refusal.empty() || now.seconds < trial.seconds) trial = now;
        trial.spent = std::max(trial.spent, now.spent);
        return now.spent;
    }

    /// Times slices of increasing size, and complete evaluations if the time budget allows more than one.
    static void time(Trial& trial, BodyView<Space, Real> bodies, const Gravity& gravity, Queue<Space> queue) {
        const Inner tried = make(trial.config);
        typename Tools::Stopwatch watch;
        double before = 0;
        if (engine(trial.config.engine, trial.config.backend).has_tree()) {
            // The first evaluation of a tree has no previous accelerations to compare with, so it differs from later
            // ones.
            watch.start(queue);
            tried->run(0, tried->begin(bodies, gravity, Potential::kSkip, queue), queue);
            before = watch.stop(queue);
        }
        watch.start(queue);
        const std::uint64_t items = tried->begin(bodies, gravity, Potential::kSkip, queue);
        const double preparing = watch.stop(queue);
        TrialPace pace{kSeconds};
        for (std::uint64_t done = 0; done < items;) {
            if (pace.enough()) {
                trial.whole = false;
                trial.seconds = preparing + static_cast<double>(items) / pace.rate();
                trial.spent = before + preparing + pace.spent();
                return;
            }
            const std::uint64_t slice = std::min(pace.next_slice(), items - done);
            watch.start(queue);
            tried->run(done, done + slice, queue);
            pace.add(slice, watch.stop(queue));
            done += slice;
        }
        trial.seconds = preparing + pace.spent();
        trial.spent = before + trial.seconds;
        for (int i = 0; i < kMostRepeats && trial.spent < kSeconds; ++i) {
            watch.start(queue);
            tried->run(0, tried->begin(bodies, gravity, Potential::kSkip, queue), queue);
            const double took = watch.stop(queue);
            trial.seconds = std::min(trial.seconds, took);
            trial.spent += took;
        }
    }

    const EngineConfig asked_;
    Ranks* ranks_ = nullptr;
    using Choice = std::pair<std::size_t, PairLaw>;  // the number of bodies and their law
    std::map<Choice, Pick> picks_;
    const Pick* pick_ = nullptr;  // the current choice, like the two below
    EngineConfig inner_config_;
    Inner inner_;
    struct Restored {
        Gravity gravity;
        std::uint64_t key;
    };
    std::optional<Restored> restored_;
    double scale_ = 1;  // scale factor of the acceptance criterion, for engines that approximate
};

}  // namespace orrery
