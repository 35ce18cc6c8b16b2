// SPDX-License-Identifier: MIT
// Candidates of the engine `auto` and the report of their timings: the part that does not depend on the memory space.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/engines/menu.hpp"

namespace orrery {

/// One candidate and its timing.
struct Trial {
    EngineConfig config;
    double seconds = 0;   ///< per evaluation
    double spent = 0;     ///< seconds spent on the trial
    bool whole = true;    ///< complete evaluations were timed; false: only a part of one
    std::string refusal;  ///< why it could not run; empty if it could
};

/// Candidates for this many bodies under this configuration, never `auto` itself, and only engines that compute the
/// law. Trees are candidates only if accuracy, α or θ states the acceptable error.
std::vector<EngineConfig> auto_candidates(const EngineConfig& asked, std::size_t bodies,
                                          PairLaw law = PairLaw::kGravity);
/// The same engine with other maps. Empty if `fastest` uses no thread map, and on the CPU, whose tiles are so large
/// that the map does not matter.
std::vector<EngineConfig> auto_maps(const EngineConfig& fastest, std::size_t bodies);
/// The choice without timings: from N alone, among deterministic engines.
EngineConfig auto_by_rule(const EngineConfig& asked, std::size_t bodies, PairLaw law = PairLaw::kGravity);

/// Controls the length of a trial. Slices grow while that makes the engine faster: an engine that distributes its items
/// in large pieces keeps many cores busy only if there are many items.
class TrialPace {
public:
    explicit TrialPace(double budget) : budget_{budget} {}  ///< in seconds
    void add(std::uint64_t items, double seconds);
    bool enough() const { return spent_ >= (faster_ ? 3 : 1) * budget_; }
    std::uint64_t next_slice() const;
    double rate() const { return rate_; }  ///< items per second of the best of the large slices
    double spent() const { return spent_; }

private:
    double budget_, spent_ = 0, rate_ = 0;
    std::uint64_t slice_ = 0;
    bool faster_ = true, large_ = false;
};

/// The fastest trial that ran. A later one must be clearly faster, so that noise does not decide. Throws the first
/// refusal if no engine ran.
const Trial& fastest(std::span<const Trial> trials);

/// "half, map lambda, ρ 512", "tree with errors of 0.001"
std::string describe(const EngineConfig& config);
/// "half, map lambda, ρ 512: 12.3 ms; direct 18.9 ms, half ρ 256 12.9 ms (6 tried in 0.2 s)". ≈ marks times
/// extrapolated from a partial evaluation.
std::string describe(std::span<const Trial> trials, double seconds);

/// The menu entry of `auto` on the backend of these two, without `doc` and `make`; auto_tolerance() is the error its
/// forces may have.
EngineEntry auto_entry(const EngineEntry& direct, const EngineEntry& half);
double auto_tolerance(const EngineConfig& asked);

}  // namespace orrery
