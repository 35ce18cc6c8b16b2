// SPDX-License-Identifier: MIT
// What the engine `auto` tries, and how it says what came of it: all of it that does not depend on where bodies are.
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
    double spent = 0;     ///< seconds that it took to find out
    bool whole = true;    ///< whole evaluations were timed; else a part of one
    std::string refusal;  ///< why it could not be tried; empty when it was
};

/// What is worth trying for so many bodies under what was asked for: never `auto` itself. Trees are tried once
/// somebody said, by accuracy, α or θ, what error is welcome.
std::vector<EngineConfig> auto_candidates(const EngineConfig& asked, std::size_t bodies);
/// The same walk of the half matrix through other maps; empty where `fastest` walks none, and on the CPU, whose tiles
/// are so large that no map matters.
std::vector<EngineConfig> auto_maps(const EngineConfig& fastest, std::size_t bodies);
/// The choice that no clock has a part in: by N alone, among engines that repeat to the bit.
EngineConfig auto_by_rule(const EngineConfig& asked, std::size_t bodies);

/// How far a trial goes. Slices grow for as long as the engine becomes faster by it: one whose items are shared out in
/// large pieces keeps many cores busy only when there are many items.
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

/// Of those that were not refused. One that comes later must win clearly, or chance would choose. Throws the first
/// refusal when there is nothing else.
const Trial& fastest(std::span<const Trial> trials);

std::string describe(const EngineConfig& config);  ///< "half, map lambda, ρ 512"
/// "half, map lambda, ρ 512: 12.3 ms; direct 18.9 ms, half ρ 256 12.9 ms (6 tried in 0.2 s)". ≈ stands before what was
/// worked out from a part.
std::string describe(std::span<const Trial> trials, double seconds);

EngineEntry auto_engine();       ///< core/engines/cpu/auto.cpp
EngineEntry cuda_auto_engine();  ///< core/engines/cuda/auto.cpp: only in a build with CUDA

/// The error that forces by this choice may have.
/// What `auto` says of itself beside these two of its backend, but for `doc` and `make`.
EngineEntry auto_entry(const EngineEntry& direct, const EngineEntry& half);
double auto_tolerance(const EngineConfig& asked);

}  // namespace orrery
