// SPDX-License-Identifier: MIT
#include "core/engines/ceilings.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>

#include "core/base/error.hpp"
#include "core/cuda/info.hpp"

namespace orrery {

const Ceilings& ceilings(Backend backend, Precision precision, int threads) {
    static std::mutex mutex;
    static std::map<std::tuple<Backend, bool, int>, Ceilings> measured;
    if (backend == Backend::kCuda && !cuda_info().available) environment_error(cuda_info().reason);
    if (backend == Backend::kGl) usage_error("ceilings are measured on cpu and cuda, not on gl");
    if (backend == Backend::kCuda)
        threads = 0;
    else if (threads <= 0)
        threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    const bool in_double = precision == Precision::kDouble;
    const std::lock_guard lock{mutex};
    const auto [place, missing] = measured.try_emplace({backend, in_double, threads});
    if (!missing) return place->second;
    try {
        if (backend == Backend::kCuda)
            place->second = in_double ? measure_cuda_ceilings<double>() : measure_cuda_ceilings<float>();
        else
            place->second = in_double ? measure_cpu_ceilings<double>(threads) : measure_cpu_ceilings<float>(threads);
    } catch (...) {
        measured.erase(place);
        throw;
    }
    return place->second;
}

std::optional<PairCost> pair_cost(const EngineConfig& config, bool equal_masses) {
    if (config.engine != "direct" && config.engine != "half") return std::nullopt;
    if (config.precision == Precision::kMixed || config.backend == Backend::kGl) return std::nullopt;
    const bool cuda = config.backend == Backend::kCuda, in_double = config.precision == Precision::kDouble;
    // 1/D^(3/2) from y ≈ 1/√D, without masses: inverse_cube() on CUDA, InverseCube on the CPU.
    const int cube = cuda ? (in_double ? 6 : 2) : (in_double ? 2 : 4);
    const double one_side = 3 + 3 + cube + 3;  // difference, square of the distance, cube, sum
    if (config.engine == "direct") return PairCost{.operations = one_side + 1, .additions = 3, .rsqrt = 1};  // × mass
    // A pair of bodies is two of the N² pairs.
    const double both_sides = one_side + 3 + (equal_masses ? 0 : 2);
    return PairCost{.operations = both_sides / 2, .additions = 1.5, .rsqrt = 0.5};
}

double pairs_bound(const Ceilings& ceilings, const PairCost& cost, Precision precision, std::uint64_t bodies) {
    const double of_body = precision == Precision::kSingle ? 32 : 64;  // four numbers read, four written
    return 1 / std::max({(cost.operations - cost.additions) / ceilings.fma, cost.operations / ceilings.mix,
                         cost.rsqrt / ceilings.rsqrt, of_body / (ceilings.bytes * static_cast<double>(bodies))});
}

}  // namespace orrery
