// SPDX-License-Identifier: MIT
// What the engine `auto` tries, and how it reports the result: the part that does not depend on the memory space.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/engines/menu.hpp"

namespace orrery {

/// One way to compute the forces, tried.
struct Trial {
    EngineConfig config;
    double seconds = 0;   ///< of one evaluation
    double spent = 0;     ///< seconds that the trial took
    bool whole = true;    ///< complete evaluations were timed; otherwise a part of one
    std::string refusal;  ///< why it could not be tried; empty if it was
};

/// Candidates for this many bodies under this configuration: never `auto` itself. Trees are tried only if accuracy, α
/// or θ states the acceptable error. Only engines that compute the law.
std::vector<EngineConfig> auto_candidates(const EngineConfig& asked, std::size_t bodies,
                                          PairLaw law = PairLaw::kGravity);
/// The same with other maps; empty if `fastest` uses no thread map, and on the CPU, whose tiles are so large that the
/// map does not matter.
std::vector<EngineConfig> auto_maps(const EngineConfig& fastest, std::size_t bodies);
/// The choice that does not depend on timings: by N alone, among deterministic engines.
EngineConfig auto_by_rule(const EngineConfig& asked, std::size_t bodies, PairLaw law = PairLaw::kGravity);

/// The extent of a trial. Slices grow as long as this makes the engine faster: an engine that distributes its items in
/// large pieces keeps many cores busy only if there are many items.
class Pace {
public:
    explicit Pace(double budget) : budget_{budget} {}  ///< in seconds
    void add(std::uint64_t items, double seconds);     ///< a slice was run
    bool enough() const { return spent_ >= (faster_ ? 3 : 1) * budget_; }
    std::uint64_t next_slice() const;
    double rate() const { return rate_; }  ///< items per second of the best of the large slices
    double spent() const { return spent_; }

private:
    double budget_, spent_ = 0, rate_ = 0;
    std::uint64_t slice_ = 0;
    bool faster_ = true, large_ = false;
};

/// The fastest of those that were not refused. A later one must be clearly faster, or noise would decide. Throws the
/// first refusal if there is nothing else.
const Trial& fastest(std::span<const Trial> trials);

/// "half, map lambda, ρ 512", "tree with errors of 0.001"
std::string describe(const EngineConfig& config);
/// "half, map lambda, ρ 512: 12.3 ms; direct 18.9 ms, half ρ 256 12.9 ms (6 tried in 0.2 s)". ≈ marks times
/// extrapolated from a part.
std::string describe(std::span<const Trial> trials, double seconds);

EngineEntry auto_engine();       ///< core/engines/cpu/auto.cpp
EngineEntry cuda_auto_engine();  ///< core/engines/cuda/auto.cpp: only in a build with CUDA

/// The error that forces of this choice may have. The entry of `auto` on the backend of these two, except `doc` and
/// `make`.
EngineEntry auto_entry(const EngineEntry& direct, const EngineEntry& half);
double auto_tolerance(const EngineConfig& asked);

}  // namespace orrery
