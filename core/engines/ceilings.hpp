// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>

#include "core/base/backend.hpp"
#include "core/engines/config.hpp"

namespace orrery {

/// The highest rates of a device, as measured by loops that do nothing else.
struct Ceilings {
    double fma = 0;    ///< multiply-adds per second
    double mix = 0;    ///< the same, if a quarter of them is additions, for which some processors have other units
    double rsqrt = 0;  ///< inverse square roots per second, in the form that the pair loops use
    double bytes = 0;  ///< memory traffic in bytes per second
};

/// Ceilings of a backend in the precision of its pair loops, measured once per process in a fraction of a second; on
/// the CPU with this number of threads, 0: all. Throws Error{kEnvironment} if there is no device, or not enough memory.
const Ceilings& ceilings(Backend backend, Precision precision, int threads);

/// Arithmetic of one pair of the N², at least: softened gravity without potential.
struct PairCost {
    double operations = 0;  ///< additions, multiplications and multiply-adds
    double additions = 0;   ///< those among them, at most a quarter
    double rsqrt = 0;
};
/// Empty for engines that do not sum all pairs by the loops of `direct` and `half`, and in mixed precision.
/// `equal_masses`: all bodies have the same mass and the engine exploits it.
std::optional<PairCost> pair_cost(const EngineConfig& config, bool equal_masses);

/// Upper bound on the pairs per second of an engine that does this, and reads and writes each body once.
double pairs_bound(const Ceilings& ceilings, const PairCost& cost, Precision precision, std::uint64_t bodies);

// Of the loops that measure; `Real`: float or double.
template <class Real>
Ceilings measure_cpu_ceilings(int threads);
template <class Real>
Ceilings measure_cuda_ceilings();

}  // namespace orrery
