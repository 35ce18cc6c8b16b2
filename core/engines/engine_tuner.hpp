// SPDX-License-Identifier: MIT
// Choice of engine, expansion order, leaf and group size by measurement at the accuracy kept: candidates, and what
// follows from their times. Pure functions of numbers; the caller evaluates forces and reads clocks.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/engines/auto_plan.hpp"
#include "core/engines/config.hpp"
#include "core/physics/pair_law.hpp"

namespace orrery {

/// Number of bodies from which on trials pay off: below it an evaluation takes less than a few milliseconds, and
/// defaults are reproducible.
inline constexpr std::size_t kTunedFrom = 32768;
/// Number of bodies up to which `tree` and `fmm` are tuned: trials keep a copy of the state on the host, and would take
/// minutes.
inline constexpr std::size_t kTunedUpTo = std::size_t{1} << 28;

/// True if this configuration leaves a choice that measurements can make: `tree` or `fmm` without an order, or `auto`
/// with an accuracy; with a kept accuracy, not deterministic, under gravity, and with enough bodies.
bool tunable(const EngineConfig& asked, std::size_t bodies, PairLaw law);

/// The configurations that `asked` leaves open, each with explicit engine and order; settings that are given stay.
std::vector<EngineConfig> tuned_candidates(const EngineConfig& asked, std::size_t bodies);
/// The same engine and order with other sizes of leaves, or of groups, if `asked` leaves them open.
std::vector<EngineConfig> tuned_leaves(const EngineConfig& asked, const EngineConfig& fastest);
std::vector<EngineConfig> tuned_groups(const EngineConfig& asked, const EngineConfig& fastest);

/// "fmm, order 5, leaves of 32"; without the engine if `asked` gives it: "order 5, leaves of 32".
std::string tuned_text(const EngineConfig& config, const EngineConfig& asked);

/// Decides which candidates are tried, when, and which one is the fastest.
class EngineTuner {
public:
    static constexpr int kMostEvaluations = 10;  ///< to find the criterion of a candidate
    static constexpr int kTimed = 2;             ///< evaluations timed in a trial, the fastest counts
    static constexpr double kFirstSeconds = 1;   ///< trials may take this long from the start …
    static constexpr double kShare = 0.1;        ///< … and this fraction of the time since

    /// One evaluation of the current candidate.
    struct Evaluation {
        double seconds = 0;
        double cost = 0;  ///< seconds with the measurement of its error
        bool settled = true;
        double error = 0, asked = 0;  ///< relative RMS error, measured and requested; `asked` 0: exact engine
        double factor = 1;            ///< of the criterion
    };

    /// Begins at the time `now`, in seconds of any clock.
    void plan(const EngineConfig& asked, std::size_t bodies, double now);
    void stop();

    bool planned() const { return next_.has_value(); }  ///< some candidates have not been tried
    /// True if the next candidate fits into the time allowed. `evaluation`: seconds of the last force evaluation.
    bool due(double now, double evaluation) const;
    const EngineConfig& candidate() const { return next_->config; }
    /// The factor of its criterion if it is known from an earlier trial; 0: it must be found.
    double known_factor() const { return again_ ? factors_[*again_] : 0; }
    /// Returns true if the trial of the candidate is over.
    bool add(const Evaluation& evaluation);
    void refuse(const std::string& why);  ///< the candidate cannot run
    void abandon();                       ///< the trial of the candidate starts again later

    /// The fastest, once all have been tried; none if no candidate ran.
    const std::optional<EngineConfig>& choice() const { return choice_; }
    /// True if this many bodies, or this factor of the criterion, differ much from those at the choice.
    bool outdated(std::size_t bodies, double factor) const;
    /// Sets the factor at which the criterion of the choice settled, unless it is set already.
    void settled_with(double factor) {
        if (settled_factor_ == 0) settled_factor_ = factor;
    }
    /// "order 2: 1.88 ms; order 1 7.26 ms (4 tried in 0.2 s)"; empty before the choice.
    std::string text() const;

private:
    void end_trial();
    void begin_next();

    EngineConfig asked_;
    std::size_t bodies_ = 0;
    double began_ = 0, spent_ = 0, dearest_ = 0;
    double factor_ = 0, settled_factor_ = 0;  // of the trial under way; of the choice
    std::vector<Trial> trials_;
    std::vector<double> factors_;        // of the criteria of trials_
    std::vector<EngineConfig> waiting_;  // in reverse order
    std::vector<std::size_t> close_;     // trials to be repeated, in reverse order
    std::optional<std::size_t> again_;   // the trial that next_ repeats
    int stage_ = 0;                      // engines and orders, then leaves, then groups, then close ones again
    std::optional<Trial> next_;
    int evaluations_ = 0, timed_ = 0;
    std::optional<EngineConfig> choice_;
};

}  // namespace orrery
