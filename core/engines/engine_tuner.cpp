// SPDX-License-Identifier: MIT
#include "core/engines/engine_tuner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/engines/tree_choice.hpp"

namespace orrery {
namespace {

constexpr std::size_t kMostPairs = 200'000;  // with more bodies, engines of all pairs are slower than trees
constexpr double kHopeless = 1.5;            // times the fastest: a candidate this slow is not timed again
constexpr double kMuch = 2;                  // a change of N or of the criterion after which trials are repeated
constexpr double kTrialEvaluations = 6;      // estimate for the first candidate
constexpr double kErrorAccepted = 1.05;      // of the requested one
constexpr double kClose = 1.3;               // times the fastest: trials this close are repeated …
constexpr std::size_t kMostClose = 3, kOthersTold = 3;  // … at most so many

bool chooses_engine(const EngineConfig& asked) { return asked.engine == "auto"; }

double fastest_seconds(std::span<const Trial> trials) {
    double least = std::numeric_limits<double>::infinity();
    for (const Trial& trial : trials)
        if (trial.refusal.empty()) least = std::min(least, trial.seconds);
    return least;
}

/// The fastest few, if a disturbance of one trial could have decided between them; the slowest of them first.
std::vector<std::size_t> close_trials(std::span<const Trial> trials) {
    const double most = kClose * fastest_seconds(trials);
    std::vector<std::size_t> close;
    for (std::size_t i = 0; i < trials.size(); ++i)
        if (trials[i].refusal.empty() && trials[i].whole && trials[i].seconds <= most) close.push_back(i);
    std::ranges::stable_sort(close, {}, [&](std::size_t i) { return trials[i].seconds; });
    if (close.size() > kMostClose) close.resize(kMostClose);
    if (close.size() == 1) close.clear();
    std::ranges::reverse(close);
    return close;
}

std::string time_text(const Trial& trial) {
    return fmt::format("{}{:.3g} ms", trial.whole ? "" : "> ", 1e3 * trial.seconds);
}

}  // namespace

bool tunable(const EngineConfig& asked, std::size_t bodies, PairLaw law) {
    if (bodies < kTunedFrom || asked.deterministic || law != PairLaw::kGravity) return false;
    if (!(accuracy_to_keep(asked.tree) > 0)) return false;
    if (chooses_engine(asked)) return requested_mac(asked.tree).has_value();
    return (asked.engine == "tree" || asked.engine == "fmm") && asked.tree.order == 0 && bodies <= kTunedUpTo;
}

std::vector<EngineConfig> tuned_candidates(const EngineConfig& asked, std::size_t bodies) {
    std::vector<EngineConfig> all;
    const auto add = [&](const char* engine, const std::vector<int>& orders) {
        if (!find_engine(engine, asked.backend)) return;
        if (!chooses_engine(asked) && asked.engine != engine) return;
        for (const int order : orders) {
            EngineConfig config = asked;
            config.engine = engine;
            if (asked.tree.order != 0 && asked.tree.order != order) continue;
            config.tree.order = order;
            all.push_back(config);
        }
    };
    // In this order: candidates that are rarely the fastest are abandoned early if a fast one is known.
    add("tree", {2, 1});
    add("fmm", asked.tree.order != 0 ? fmm_orders(asked.backend) : fmm_orders_near(asked.tree, asked.backend));
    if (chooses_engine(asked) && bodies <= kMostPairs)
        for (EngineConfig& config : auto_candidates(asked, bodies))
            if (config.engine == "direct" || config.engine == "half") {
                config.compensated = asked.compensated;
                all.push_back(std::move(config));
            }
    return all;
}

std::vector<EngineConfig> tuned_leaves(const EngineConfig& asked, const EngineConfig& fastest) {
    std::vector<EngineConfig> all;
    if ((fastest.engine != "tree" && fastest.engine != "fmm") || asked.tree.leaf != 0) return all;
    const int given = asked.backend == Backend::kCpu && fastest.engine == "fmm" ? 64 : 16;  // the default
    for (const int leaf : {given / 2, 2 * given}) {
        all.push_back(fastest);
        all.back().tree.leaf = leaf;
    }
    return all;
}

std::vector<EngineConfig> tuned_groups(const EngineConfig& asked, const EngineConfig& fastest) {
    std::vector<EngineConfig> all;
    if (fastest.engine != "tree" || asked.tree.group != 0) return all;
    for (const int group : {32, 64}) {
        all.push_back(fastest);
        all.back().tree.group = group;
    }
    return all;
}

std::string tuned_text(const EngineConfig& config, const EngineConfig& asked) {
    std::string text = chooses_engine(asked) ? describe(config) : "";
    if (config.engine == "tree" || config.engine == "fmm") {
        if (chooses_engine(asked)) text = config.engine + ", ";
        text += fmt::format("order {}", config.tree.order);
        if (config.tree.leaf != asked.tree.leaf) text += fmt::format(", leaves of {}", config.tree.leaf);
        if (config.tree.group != asked.tree.group) text += fmt::format(", groups of {}", config.tree.group);
    }
    return text;
}

void EngineTuner::stop() {
    next_.reset(), choice_.reset(), again_.reset();
    trials_.clear(), factors_.clear(), waiting_.clear(), close_.clear();
}

void EngineTuner::plan(const EngineConfig& asked, std::size_t bodies, double now) {
    stop();
    asked_ = asked;
    bodies_ = bodies;
    began_ = now, spent_ = dearest_ = settled_factor_ = 0;
    stage_ = 0;
    waiting_ = tuned_candidates(asked, bodies);
    std::ranges::reverse(waiting_);
    begin_next();
}

bool EngineTuner::due(double now, double evaluation) const {
    const double expected = dearest_ > 0 ? dearest_ : kTrialEvaluations * evaluation;
    return planned() && spent_ + expected <= kFirstSeconds + kShare * (now - began_);
}

/// The first evaluation of a tree has no earlier accelerations to compare with: its time counts only for exact engines.
bool EngineTuner::add(const Evaluation& evaluation) {
    Trial& trial = *next_;
    spent_ += evaluation.cost, trial.spent += evaluation.cost;
    ++evaluations_;
    factor_ = evaluation.factor;
    const bool exact = !(evaluation.asked > 0), last = evaluations_ >= kMostEvaluations;
    const bool slow = evaluation.seconds > kHopeless * fastest_seconds(trials_);
    if (evaluations_ == 1 && !(exact && slow)) return false;
    if (!evaluation.settled && !last) {
        if (!slow || evaluation.error <= evaluation.asked) return false;
        // Smaller errors would take even longer.
        trial.seconds = evaluation.seconds, trial.whole = false;
        return end_trial(), true;
    }
    trial.seconds = timed_++ == 0 ? evaluation.seconds : std::min(trial.seconds, evaluation.seconds);
    if (!exact && evaluation.error > kErrorAccepted * evaluation.asked)
        trial.refusal = fmt::format("error {:.1e}", evaluation.error);
    if (timed_ < kTimed && !slow && trial.refusal.empty()) return false;
    return end_trial(), true;
}

void EngineTuner::refuse(const std::string& why) {
    next_->refusal = why;
    end_trial();
}

void EngineTuner::abandon() {
    if (next_) next_ = Trial{.config = next_->config};
    evaluations_ = timed_ = 0;
}

void EngineTuner::end_trial() {
    Trial ended = *std::exchange(next_, {});
    dearest_ = std::max(dearest_, ended.spent);
    if (const auto again = std::exchange(again_, {})) {
        Trial& first = trials_[*again];
        if (ended.refusal.empty()) first.seconds = std::min(first.seconds, ended.seconds);
    } else {
        trials_.push_back(std::move(ended));
        factors_.push_back(factor_);
    }
    begin_next();
}

/// Begins the next trial, or makes the choice.
void EngineTuner::begin_next() {
    evaluations_ = timed_ = 0;
    factor_ = 0;
    const bool some = std::ranges::any_of(trials_, [](const Trial& trial) { return trial.refusal.empty(); });
    while (waiting_.empty() && some && stage_ < 2) {
        const EngineConfig& best = fastest(trials_).config;
        waiting_ = stage_++ == 0 ? tuned_leaves(asked_, best) : tuned_groups(asked_, best);
        std::ranges::reverse(waiting_);
    }
    if (waiting_.empty() && some && stage_ == 2) {
        ++stage_;
        close_ = close_trials(trials_);
    }
    if (!waiting_.empty()) {
        next_ = Trial{.config = waiting_.back()};
        waiting_.pop_back();
    } else if (!close_.empty()) {
        again_ = close_.back();
        next_ = Trial{.config = trials_[*again_].config};
        close_.pop_back();
    } else if (some) {
        choice_ = fastest(trials_).config;
    }
}

bool EngineTuner::outdated(std::size_t bodies, double factor) const {
    const auto differ = [](double a, double b) { return a > kMuch * b || b > kMuch * a; };
    return differ(static_cast<double>(bodies), static_cast<double>(bodies_)) ||
           (settled_factor_ > 0 && differ(factor, settled_factor_));
}

std::string EngineTuner::text() const {
    if (!choice_) return {};
    const Trial& best = fastest(trials_);
    std::vector<const Trial*> others;
    for (const Trial& trial : trials_)
        if (trial.refusal.empty() && &trial != &best) others.push_back(&trial);
    std::ranges::stable_sort(others, {}, &Trial::seconds);
    std::string text = fmt::format("{}: {}", tuned_text(best.config, asked_), time_text(best));
    for (std::size_t i = 0; i < std::min(others.size(), kOthersTold); ++i)
        text +=
            fmt::format("{} {} {}", i == 0 ? ";" : ",", tuned_text(others[i]->config, asked_), time_text(*others[i]));
    return text + fmt::format(" ({} tried in {:.2g} s)", trials_.size(), spent_);
}

}  // namespace orrery
